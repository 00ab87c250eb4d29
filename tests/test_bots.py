"""Every game has a bot of its own that plays by the rules, fairly, and better than chance."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from ludotheque.bots.bot import Bot
from ludotheque.bots.roster import CHAOTIC, REGULAR, hire
from ludotheque.engine.conformance import random_options
from ludotheque.engine.game import load, slugs
from ludotheque.engine.match import Match
from ludotheque.search.thought import UNHURRIED, Thought

EVERY_TABLE = [(slug, seats) for slug in slugs() for seats in load(slug).seats]
TEAMS = {"team_up"}  # games in which all win or nobody does
MATCHES = {"team_up": 10, "ubongo": 2}  # the others are quick: 60


def play_out(match: Match, bots: Sequence[Bot], rng: Random) -> None:
    """Play to the end as at a table: all see every change, and those awaited move in any order."""
    while not match.is_over:
        for seat, bot in enumerate(bots):
            bot.watch(match.view(seat))
        at = next_time(match, rng)
        if at is None or not alarm_is_first(match, at):
            seat = rng.choice(match.awaited())
            view = match.view(seat)
            move = bots[seat].choose(view, match.game.legal_moves(view, seat))
            match.play(seat, move, at)


def next_time(match: Match, rng: Random) -> int | None:
    if not match.game.timed:
        return None
    pace = match.game.rules.PACE // match.seats
    return match.now + rng.randrange(pace, 2 * pace)


def alarm_is_first(match: Match, at: int) -> bool:
    """Whether time is up before the next move; then chance acts."""
    alarm = match.game.alarm(match.state)
    if alarm < 0 or match.now + alarm > at:
        return False
    match.draw(match.now + alarm)
    return True


def begun(slug: str, seats: int, seed: int, **options: object) -> Match:
    game = load(slug)
    return Match(game, seats, game.playout_options | options, key=seed.to_bytes(32, "big"))


def crew(match: Match, kinds: list[str], seed: int) -> list[Bot]:
    return [hire(kind, match.game, seat, f"{seed} {seat}") for seat, kind in enumerate(kinds)]


class Checked:
    """A greedy bot whose every choice is checked."""

    def __init__(self, match: Match, seat: int) -> None:
        self._bot = hire(REGULAR, match.game, seat, seat)

    def watch(self, view: Any) -> None:
        before = view.copy()
        self._bot.watch(view)
        assert view == before

    def choose(self, view: Any, legal_moves: Sequence[int], thought: Thought = UNHURRIED) -> int:
        before = view.copy()
        move = self._bot.choose(view, legal_moves)
        assert view == before
        assert move in legal_moves
        return move


@pytest.mark.parametrize(("slug", "seats"), EVERY_TABLE)
def test_a_greedy_bot_plays_legally_to_the_end_and_leaves_its_view_alone(
    slug: str, seats: int
) -> None:
    rng = Random(f"{slug} {seats}")
    match = begun(slug, seats, seats, **random_options(load(slug), seats, rng))
    play_out(match, [Checked(match, seat) for seat in range(seats)], rng)
    assert match.is_over


class Newcomer(Checked):
    """A bot that sits down anew for every move and has seen nothing before."""

    def __init__(self, match: Match, seat: int) -> None:
        self._match, self._seat = match, seat

    def watch(self, view: Any) -> None:
        self._bot = hire(REGULAR, self._match.game, self._seat, len(self._match.log))


@pytest.mark.parametrize("slug", slugs())
def test_a_greedy_bot_can_take_over_a_seat_at_any_time(slug: str) -> None:
    seats = load(slug).seats[-1]
    match = begun(slug, seats, 1)
    play_out(match, [Newcomer(match, seat) for seat in range(seats)], Random(1))
    assert match.is_over


class Doubled:
    """A greedy bot and its double, to whom all that it may not know is drawn anew each time."""

    def __init__(self, match: Match, seat: int, rng: Random) -> None:
        self._match, self._seat, self._rng = match, seat, rng
        self._bot, self._double = (hire(REGULAR, match.game, seat, seat) for _ in range(2))

    def watch(self, view: Any) -> None:
        self._bot.watch(view)
        self._double.watch(self._other_view())

    def choose(self, view: Any, legal_moves: Sequence[int], thought: Thought = UNHURRIED) -> int:
        move = self._bot.choose(view, legal_moves)
        assert self._double.choose(self._other_view(), legal_moves) == move
        return move

    def _other_view(self) -> Any:
        game, state = self._match.game, self._match.state.copy()
        game.module("checks").reseal(state, self._seat, self._rng)
        return game.view(state, self._seat)


@pytest.mark.parametrize("slug", slugs())
def test_secrets_never_change_what_a_greedy_bot_chooses(slug: str) -> None:
    seats, rng = load(slug).seats[-1], Random(slug)
    match = begun(slug, seats, 2)
    play_out(match, [Doubled(match, seat, rng) for seat in range(seats)], Random(2))
    assert match.is_over


@pytest.mark.parametrize("slug", slugs())
def test_a_greedy_bot_does_clearly_better_than_a_chaotic_one(slug: str) -> None:
    count = MATCHES.get(slug, 60)
    pairs = [team_scores(slug, n) if slug in TEAMS else duel_scores(slug, n) for n in range(count)]
    better = sum(greedy > chaotic for greedy, chaotic in pairs)
    assert better >= 0.75 * count


def duel_scores(slug: str, seed: int) -> tuple[int, int]:
    """What a greedy and a chaotic bot score against each other; they change places."""
    greedy = seed % 2
    scores = final_scores(slug, [CHAOTIC, REGULAR] if greedy else [REGULAR, CHAOTIC], seed)
    return scores[greedy], scores[1 - greedy]


def team_scores(slug: str, seed: int) -> tuple[int, int]:
    """What a greedy and a chaotic team score, each for itself."""
    return final_scores(slug, [REGULAR] * 2, seed)[0], final_scores(slug, [CHAOTIC] * 2, seed)[0]


def final_scores(slug: str, kinds: list[str], seed: int) -> list[int]:
    match = begun(slug, len(kinds), seed)
    play_out(match, crew(match, kinds, seed), Random(seed))
    return match.scores
