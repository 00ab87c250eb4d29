"""What the tests of the learning environments share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludotheque.engine.game import Game
from ludotheque.engine.layout import Layout
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import replay

# PettingZoo's own checks warn of every observation that has a mask beside it, as its games have.
MASKED = (
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)


def short_options(game: Game) -> Mapping[str, object]:
    """Where all masks take long, matches are short: there are more of them then."""
    return {"time_limit": 10} if game.unlisted_moves else {}


def assert_leaks_nothing(match: Match, seat: int, observation: Any) -> None:
    """What is observed is the seat's view, and nothing else: a view can be made of it alone."""
    layout = Layout(match.game, match.seats)
    view = match.view(seat)
    assert observation.tolist() == layout.flatten(view, seat)
    assert layout.unflatten(observation, match.game.start(match.seats, match.options)) == view


def assert_replays(match: Match) -> None:
    assert match.is_over
    assert replay(match.to_json()).state == match.state
