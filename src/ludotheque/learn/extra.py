"""The libraries that learning needs, which playing does not: an error that says how to get them."""

from __future__ import annotations

from importlib.util import find_spec


def require(*modules: str) -> None:
    """Raise an error that names the extra if one of these modules is not installed."""
    for module in modules:
        if find_spec(module) is None:
            raise ModuleNotFoundError(
                f"{module} is not installed; pip install 'ludotheque[learn]' brings it", name=module
            )
