"""Wrong versions of right inputs: values that bite, in their place, and bytes that do not fit."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

BITING: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    7,
    36_880,
    2**31,
    2**63,
    -(10**30),
    0.5,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "0",
    "?",
    "\x00",
    "\ud800",
    "\u202eevil",
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "../../etc/passwd",
    "x" * 5000,
    "9" * 5000,
    [],
    {},
    [[]],
    {"": {}},
)


def mutated(text: bytes, rng: Random) -> bytes:
    """A wrong version of this JSON text; now and then of its bytes only."""
    if rng.random() < 0.25:
        return _broken(text, rng)
    data = json.loads(text)
    for _ in range(rng.randint(1, 3)):
        data = _changed(data, rng)
    return json.dumps(data, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")


def _broken(text: bytes, rng: Random) -> bytes:
    raw = bytearray(text)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(raw) + 1)
        match rng.randrange(4):
            case 0:
                raw[at:at] = rng.randbytes(rng.randint(1, 4))
            case 1:
                del raw[at : at + rng.randint(1, 20)]
            case 2:
                raw[at:at] = b"[" * rng.choice((1, 100, 20_000))
            case _:
                del raw[at:]
    return bytes(raw)


def _changed(data: Any, rng: Random) -> Any:
    """It with one place changed: a value, a key, an item."""
    places = list(_places(data))
    if not places:
        return copy.deepcopy(rng.choice(BITING))
    holder, key = rng.choice(places)
    match rng.randrange(5):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[str(rng.choice(BITING))] = holder.pop(key)
        case 1:
            holder.extend([holder[key]] * rng.choice((1, 40)))
        case 2:
            other, elsewhere = rng.choice(places)
            if elsewhere in other if isinstance(other, dict) else elsewhere < len(other):
                holder[key] = copy.deepcopy(other[elsewhere])
        case _:
            holder[key] = copy.deepcopy(rng.choice(BITING))
    return data


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Everything that is held by an object or a list, with where it is."""
    if isinstance(data, dict | list):
        for key in list(data) if isinstance(data, dict) else range(len(data)):
            yield data, key
            yield from _places(data[key])
