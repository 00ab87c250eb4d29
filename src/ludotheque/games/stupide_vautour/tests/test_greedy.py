"""How the greedy player bids."""

from random import Random
from statistics import mean

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.games.stupide_vautour.bot.greedy import Greedy

GAME = load("stupide_vautour")
SEEDS = range(80)


def first_bids(stake: str) -> list[int]:
    match = Match(GAME, 2, deal=[stake], seeds=Seeds(bytes(32)))
    return [Greedy(0, Random(s)).choose(match.view(0), match.legal_moves(0)) for s in SEEDS]


def test_it_bids_more_for_a_higher_stake() -> None:
    means = [mean(first_bids(stake)) for stake in ("+1", "+4", "+7", "+10")]
    assert means == sorted(means)
    assert means[-1] > means[0] + 8


def test_it_bids_more_against_a_worse_vulture() -> None:
    assert mean(first_bids("-5")) > mean(first_bids("-1")) + 3


def test_its_bids_for_one_stake_vary() -> None:
    assert len(set(first_bids("+6"))) >= 4


def bids_after(theirs: tuple[int, ...], last_stake: str) -> list[int]:
    """What it bids for the last stake once the other has played these cards."""
    bids = []
    for seed in SEEDS:
        match = Match(GAME, 2, deal=["+1", "+2", "+3", "+4", last_stake], seeds=Seeds(bytes(32)))
        bot = Greedy(0, Random(seed))
        for own, their in enumerate(theirs, 1):
            match.play(0, own)
            match.play(1, their)
            bot.watch(match.view(0))
        bids.append(bot.choose(match.view(0), match.legal_moves(0)))
    return bids


def test_it_remembers_the_other_bids_and_never_bids_more_than_it_needs() -> None:
    assert max(bids_after((15, 14, 13, 12), "+10")) == 12
    assert max(bids_after((1, 2, 3, 4), "+10")) == 15


def test_it_remembers_which_point_cards_have_been_turned_up() -> None:
    match = Match(GAME, 2, deal=["+10", "+9", "+8", "+5"], seeds=Seeds(bytes(32)))
    knowing = [Greedy(0, Random(seed)) for seed in SEEDS]
    for value in (1, 2, 3):
        for bot in knowing:
            bot.watch(match.view(0))
        match.play(0, value)
        match.play(1, 15 - value)
    view, moves = match.view(0), match.legal_moves(0)
    newcomers = [Greedy(0, Random(seed)) for seed in SEEDS]
    with_memory = mean(bot.choose(view, moves) for bot in knowing)
    assert with_memory > mean(bot.choose(view, moves) for bot in newcomers)
