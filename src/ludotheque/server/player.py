"""A guest who plays: a name and a picture. How players are stored and recognized is elsewhere."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

AVATARS = 24  # pictures to choose from
GONE_NAME = "—"  # of guests who have deleted their data
NAMELESS = "…"  # of guests who were muted before they had a seat
_GONE = "gone"  # begins the ids that stand for them; ids of guests are hexadecimal


@dataclass(frozen=True)
class Player:
    id: str
    name: str
    avatar: int
    device: str = field(default="", compare=False)  # on which they ask, "" if that is not known


def new_player_id() -> str:
    return secrets.token_hex(8)


def new_gone_id() -> str:
    """What stands for a guest at a table after they have deleted their data."""
    return _GONE + secrets.token_hex(6)


def is_gone(id_: str) -> bool:
    return id_.startswith(_GONE)
