"""The same deal for another try or another table, as a short text that fits in a link.

A game with the options `mode` and `target` is played for a score: whoever takes the invitation up
plays in the mode `challenge` (the same people again) or `competition` (others), and the score to
beat is the best one so far.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import dataclass
from typing import Any

from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.option import Value
from ludotheque.engine.refused import Refused

LONGEST = 20_000  # characters; a longer text is no invitation of ours


@dataclass(frozen=True)
class Invitation:
    """A game, its options, and the chance moves that the new match must begin with."""

    game: Game
    options: dict[str, Value]
    deal: list[str]

    def match(self, seats: int, key: bytes) -> Match:
        return Match(self.game, seats, self.options, deal=self.deal, key=key)


def invite(match: Match, mode: str) -> Invitation:
    """An invitation to play this match's deal in `mode`: challenge or competition."""
    options = dict(match.options)
    if {"mode", "target"} <= set(match.game.options):
        best = max([*match.scores, int(options["target"])])
        options |= {"mode": mode, "target": best}
    return Invitation(match.game, options, match.dealt())


def write(invitation: Invitation) -> str:
    """The invitation as text: letters, digits, - and _."""
    data = {
        "game": invitation.game.slug,
        "rules": invitation.game.version,
        "options": invitation.options,
        "deal": invitation.deal,
    }
    if invitation.game.parts is not None:
        data["parts"] = invitation.game.parts
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def read(text: str) -> Invitation:
    data = _unpacked(text)
    game = load(str(data.get("game")))
    if data.get("rules") != game.version:
        raise Refused(
            f"the invitation is for rules version {data.get('rules')!r} of {game.slug}, "
            f"expected {game.version}"
        )
    if "parts" in data:
        game = Game(game.slug, data["parts"])
    deal = data.get("deal")
    if not isinstance(deal, list) or not isinstance(data.get("options"), dict):
        raise Refused("the invitation is incomplete, expected options and a deal")
    return Invitation(game, data["options"], deal)


def _unpacked(text: str) -> dict[str, Any]:
    try:
        if len(text) > LONGEST:
            raise ValueError
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        data = json.loads(zlib.decompressobj().decompress(packed, 50 * LONGEST))
    except (ValueError, binascii.Error, zlib.error):
        data = None
    if not isinstance(data, dict):
        raise Refused("the invitation cannot be read; copy the whole text, from end to end")
    return data
