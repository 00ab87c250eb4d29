"""How long the page shows what is told, as its director says."""

from __future__ import annotations

import re
from pathlib import Path

DIRECTOR = Path(__file__).parents[1] / "client" / "director.ts"


def shown_s(*kinds: str, pace: str = "calm") -> float:
    """How long facts of these kinds are shown, one after the other."""
    return (
        sum(_number(rf"^  {kind}: (\d+),$") for kind in kinds)
        * _number(rf"{pace}: ([\d.]+)")
        / 1000
    )


def _number(pattern: str) -> float:
    found = re.search(pattern, DIRECTOR.read_text("utf-8"), re.MULTILINE)
    assert found is not None, pattern
    return float(found[1])
