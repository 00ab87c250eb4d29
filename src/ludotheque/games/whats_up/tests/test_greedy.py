"""What the greedy player remembers, takes and agrees to."""

from random import Random

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.whats_up.bot.greedy import Greedy
from ludotheque.games.whats_up.rules import AGREE, CARDS, State, fits

GAME = load("whats_up")
SEEDS = range(20)


def begun(seed: int) -> Match:
    """Seat 1 begins, seat 0 has the bot."""
    return Match(GAME, 2, {"first": 1}, seeds=Seeds(seed.to_bytes(32, "big")))


def choices(match: Match, watched: list[State]) -> set[int]:
    found = set()
    for seed in SEEDS:
        bot = Greedy(0, Random(seed))
        for view in watched:
            bot.watch(view)
        found.add(bot.choose(match.view(0), match.legal_moves(0)))
    return found


def cell_with(match: Match, up_fits: bool, down_fits: bool) -> int:
    """A card of which one side or none would begin a row."""
    s = match.state
    return next(
        c
        for c in range(CARDS)
        if (fits(s, 0, s.up[c]), fits(s, 0, s.down[c])) == (up_fits, down_fits)
    )


@pytest.mark.parametrize("deal", range(10))
def test_it_takes_a_face_that_it_has_seen_go_under(deal: int) -> None:
    match = begun(deal)
    watched = [match.view(0)]
    cell = cell_with(match, up_fits=True, down_fits=False)
    match.play(1, cell)
    assert choices(match, watched) == {cell}


@pytest.mark.parametrize("deal", range(10))
def test_it_remembers_for_longer_than_a_turn(deal: int) -> None:
    match = begun(deal)
    watched = [match.view(0)]
    cell = cell_with(match, up_fits=True, down_fits=False)
    useless = cell_with(match, up_fits=False, down_fits=False)
    for seat, move in ((1, cell), (0, useless), (1, useless)):
        match.play(seat, move)
        watched.append(match.view(0))
    assert choices(match, watched) == {cell}


@pytest.mark.parametrize("deal", range(10))
def test_it_does_not_turn_a_card_that_it_knows_to_be_useless(deal: int) -> None:
    match = begun(deal)
    watched = [match.view(0)]
    useless = cell_with(match, up_fits=False, down_fits=False)
    match.play(1, useless)  # both of its faces are known now
    assert useless not in choices(match, watched)


def standing(own: list[int], theirs: list[int]) -> Match:
    """Two rounds have passed without a taking; the rows reach this many birds."""
    match = begun(5)
    match.state.turn = 0
    match.state.quiet = 4
    match.state.rows[0], match.state.rows[1] = own, theirs
    return match


def test_it_agrees_to_end_when_it_is_ahead() -> None:
    assert choices(standing([2, 0, 0, 0], [1, 0, 0, 0]), []) == {AGREE}


def test_it_does_not_agree_when_it_would_not_win_alone() -> None:
    assert AGREE not in choices(standing([1, 0, 0, 0], [2, 0, 0, 0]), [])
    assert AGREE not in choices(standing([1, 0, 0, 0], [0, 1, 0, 0]), [])


def test_it_does_not_need_to_remember_what_an_option_shows() -> None:
    match = Match(GAME, 2, {"first": 1, "open_memory": True}, seeds=Seeds(bytes(32)))
    cell = cell_with(match, up_fits=True, down_fits=False)
    match.play(1, cell)
    assert choices(match, []) == {cell}
