"""Data of the shape of an example, with other values: what Hypothesis draws and makes smaller.

Mutations change a right input in a few places; here every place is drawn.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

MOST_ITEMS = 12


def like(example: Any) -> SearchStrategy[bytes]:
    """JSON of this shape."""
    words = sorted({value for value in _leaves(example) if isinstance(value, str)})
    shaped = _shaped(example, st.sampled_from(words or [""]) | st.text(max_size=8))
    return shaped.map(lambda data: json.dumps(data).encode())


def _shaped(example: Any, text: SearchStrategy[str]) -> SearchStrategy[Any]:
    match example:
        case dict():
            fields = {key: _shaped(value, text) for key, value in example.items()}
            return st.fixed_dictionaries({}, optional=fields)
        case list():
            kinds = [_shaped(item, text) for item in _distinct(example)]
            return st.lists(st.one_of(kinds), max_size=MOST_ITEMS) if kinds else st.just([])
        case bool() | None:
            return st.none() | st.booleans()
        case int() | float():
            return st.integers(-2, 40) | st.integers() | st.floats()
    return text


def _distinct(items: list[Any]) -> list[Any]:
    """Some of them, one of each type and of each set of keys."""
    found = {
        (type(item).__name__, *(item if isinstance(item, dict) else ())): item for item in items
    }
    return list(found.values())[:MOST_ITEMS]


def _leaves(data: Any) -> list[Any]:
    if isinstance(data, dict | list):
        values = data.values() if isinstance(data, dict) else data
        return [leaf for value in values for leaf in _leaves(value)]
    return [data]
