"""A guest who plays: a name and a picture. How players are stored and recognized is elsewhere."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

AVATARS = 24  # pictures to choose from


@dataclass(frozen=True)
class Player:
    id: str
    name: str
    avatar: int


def new_player_id() -> str:
    return secrets.token_hex(8)
