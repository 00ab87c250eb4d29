"""The short code of a table, to be said over the telephone and typed into the lobby.

The letters neither look nor sound alike when they are spelled in French, English or German. They
make no words. The code of a table is stored with it. It is the table's until a later table gets the
same one, which none does while it may be in use.
"""

from __future__ import annotations

import secrets

LETTERS = "KLMQRSTWXYZ"
LENGTH = 5
KEPT_MS = 2 * 24 * 3600 * 1000  # for so long people may come to a table where nobody is


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(text: str) -> str:
    """The code that somebody has typed, however they wrote it."""
    return "".join(text.split()).replace("-", "").upper()
