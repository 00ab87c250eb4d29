"""What a host chooses for a table: the game, seats, options, who may find it, clocks, hints."""

from __future__ import annotations

from typing import Any

import msgspec

from ludotheque.engine.game import Game, load
from ludotheque.engine.refused import Refused
from ludotheque.server.messages import TableChoices

LONGEST_MOVE_S = 7 * 24 * 3600
AUTO, ON, OFF = "auto", "on", "off"
MANNERS = {"is_public", "asks_host", "phrases_only"}  # change nothing that is played
HINTS = (AUTO, ON, OFF)  # auto: off where two or more people play against each other


class Settings(msgspec.Struct):
    """The settings of a table. Defaults stand in for what earlier versions did not store."""

    game: str
    seats: int
    options: dict[str, Any]
    is_public: bool
    move_seconds: int  # how long a seat may think, 0 for no limit
    hints: str  # one of HINTS
    asks_host: bool = False  # before anyone comes in
    phrases_only: bool = False  # the chat is for reactions and ready-made phrases


def of_new_table(game: Game) -> Settings:
    """The settings of a table whose host has chosen nothing but the game."""
    return Settings(game.slug, game.box.usual_seats, {}, False, 0, AUTO)


def chosen(choices: TableChoices, now: Settings, is_replay: bool) -> Settings:
    """The settings after these choices; Refused names one that is not possible.

    `is_replay` says whether the next match replays a deal, which has set some of the options.
    """
    game = load(_given(choices.game, now.game))
    is_other = game.slug != now.game
    seats = _given(choices.seats, _nearest_seats(game, now.seats) if is_other else now.seats)
    options = dict(game.complete(_given(choices.options, {} if is_other else now.options), seats))
    if is_replay and not is_other:
        options |= game.replay_options(now.options)
    else:
        game.refuse_replay_options(options)
    game.start(seats, options)
    return Settings(
        game.slug,
        seats,
        options,
        _given(choices.is_public, now.is_public),
        _checked_move_seconds(_given(choices.move_seconds, now.move_seconds)),
        _checked_hints(_given(choices.hints, now.hints)),
        _given(choices.asks_host, now.asks_host),
        _given(choices.phrases_only, now.phrases_only),
    )


def with_manners(choices: TableChoices, now: Settings) -> Settings | None:
    """The settings after choices that can be made at any time; None if there are others too."""
    given = {name for name in choices.__struct_fields__ if getattr(choices, name) is not None}
    if not given or not given <= MANNERS:
        return None
    return msgspec.structs.replace(now, **{name: getattr(choices, name) for name in given})


def _given(wanted: Any, otherwise: Any) -> Any:
    return otherwise if wanted is None else wanted


def _nearest_seats(game: Game, seats: int) -> int:
    return min(max(seats, game.seats[0]), game.seats[-1])


def _checked_move_seconds(seconds: int) -> int:
    if not 0 <= seconds <= LONGEST_MOVE_S:
        raise Refused(f"the move clock is {seconds} s, expected 0 to {LONGEST_MOVE_S}")
    return seconds


def _checked_hints(hints: str) -> str:
    if hints not in HINTS:
        raise Refused(f"hints is {hints[:20]!r}, expected {', '.join(HINTS)}")
    return hints
