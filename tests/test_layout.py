"""A view as an array: which place holds what."""

import pytest

from ludotheque.engine import NOBODY
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game, load
from ludotheque.engine.layout import Layout
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused

GAME = load("stupide_vautour")

STUPIDE_VAUTOUR = """\
stupide_vautour, seats: 2, places: 141, i1
    0–1  viewer   one of 0 … 1
      2  rounds   amount, 0 … 15
      3  waiting  amount, 0 … 5
      4  stake    amount, −15 … 55
    5–8  taker    seat, own first, after −2 … −1
   9–23  pile     set of 0 … 14
  24–38  table    set of 0 … 14
  39–70  hands    seats, own first × set of 0 … 15
 71–104  bids     seats, own first × one of −1 … 15
105–136  tops     seats, own first × one of 0 … 15
137–138  struck   set of seats, own first
139–140  scores   seats, own first × amount, −99 … 55"""


def hot(size: int, *places: int) -> list[int]:
    return [int(place in places) for place in range(size)]


def test_a_layout_is_told_place_by_place() -> None:
    assert str(Layout(GAME, 2)) == STUPIDE_VAUTOUR


def test_seats_are_listed_from_the_viewer_on() -> None:
    state = GAME.start(3)
    state.taker, state.struck = 0, 0b101
    state.scores[:3] = [7, 8, 9]
    layout = Layout(GAME, 3)

    def shown(viewer: int) -> dict[str, list[int]]:
        flat = layout.flatten(state, viewer)
        blocks = {b.name: flat[b.start : b.start + b.size] for b in layout.blocks}
        return {name: blocks[name] for name in ("viewer", "taker", "struck", "scores")}

    assert shown(1) == {
        "viewer": [0, 1, 0],
        "taker": [0, 0, *hot(3, 2)],  # NOBODY, CHANCE, and the seats 1, 2, 0
        "struck": [0, 1, 1],
        "scores": [8, 9, 7],
    }
    assert shown(NOBODY) == {
        "viewer": [0, 0, 0],
        "taker": [0, 0, *hot(3, 0)],
        "struck": [1, 0, 1],
        "scores": [7, 8, 9],
    }


def test_what_a_viewer_may_not_know_is_not_in_the_observation() -> None:
    match = Match(GAME, 2, seeds=Seeds(bytes(32)))
    match.play(1, 9)
    layout = Layout(GAME, 2)
    bids = slice(71, 105)
    assert layout.flatten(match.view(1), 1)[bids] == hot(17, 10) + hot(17, 1)
    assert layout.flatten(match.view(0), 0)[bids] == hot(17, 1) + hot(17, 0)


@pytest.mark.parametrize(
    ("slug", "dtype"),
    [("up_and_down", "u1"), ("stupide_vautour", "i1"), ("team_up", "u1"), ("ubongo", "i8")],
)
def test_numbers_are_as_narrow_as_their_ranges_allow(slug: str, dtype: str) -> None:
    assert Layout(load(slug), 2).dtype == dtype


def test_divided_by_the_scale_an_observation_is_small() -> None:
    assert Layout(GAME, 2).scale[:5] == [1, 1, 15, 5, 55]
    assert max(Layout(load("ubongo"), 2).scale) == 1 << 15


def test_a_layout_refuses_seats_that_the_game_has_not() -> None:
    with pytest.raises(Refused, match="stupide_vautour is for 2 to 5 seats, not 6"):
        Layout(GAME, 6)


def test_no_field_of_a_state_is_called_like_the_block_of_the_viewer() -> None:
    game = Game("stupide_vautour")
    game.State = type("State", (GAME.State,), {})
    game.State.FIELDS = {**GAME.State.FIELDS, "viewer": GAME.State.FIELDS["taker"]}
    with pytest.raises(Refused, match="may not have a field 'viewer'"):
        Layout(game, 2)
