"""The rules, sentence by sentence. RULES.md maps sentences to these claims."""

import pytest

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused

GAME = load("new_game")


def played(*moves: str, seats: int = 2) -> Match:
    """A match in which these moves were made, in turn."""
    match = Match(GAME, seats)
    for move in moves:
        seat = match.awaited()[0]
        match.play(seat, GAME.parse(seat, move))
    return match


@pytest.mark.parametrize("seats", GAME.seats)
def test_fifteen_stones_lie_on_the_table(seats: int) -> None:
    assert Match(GAME, seats).state.stones == 15


def test_seats_take_turns() -> None:
    assert played("1", "2", "3", seats=3).awaited() == [0]


def test_nobody_takes_more_than_three_stones_or_than_there_are() -> None:
    assert played().legal_moves(0) == [0, 1, 2]
    match = played("3", "3", "3", "3", "1")
    assert match.state.stones == 2
    assert match.legal_moves(1) == [0, 1]
    with pytest.raises(Refused, match="seat 1 may not play 3 now"):
        match.play(1, 2)


def test_the_player_who_takes_the_last_stone_wins() -> None:
    match = played("3", "3", "3", "3", "3")
    assert (match.is_over, match.winners, match.scores) == (True, [0], [1, 0])
