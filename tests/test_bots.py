"""The players of every game, of whatever levels it has, play by the rules, fairly, and in time."""

import subprocess
import sys
import time
from collections.abc import Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from ludotheque.bots.bot import Adviser, Bot
from ludotheque.bots.roster import (
    CHAOTIC,
    NOVICE,
    REGULAR,
    THINK_S,
    adviser,
    hire,
    is_compiled,
    levels,
    pause,
    pause_alone,
    warm,
)
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import LANGUAGES, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.random_matches import random_options
from ludotheque.engine.words import Words
from ludotheque.search import deadline as deadlines
from ludotheque.search.deadline import NO_DEADLINE, Deadline
from pacing import shown_s
from variants import SMALLEST

EVERY_TABLE = [(slug, seats) for slug in slugs() for seats in load(slug).seats]
EVERY_PLAYER = [(slug, level) for slug in slugs() for level in levels(load(slug))]
REMEMBERING = [
    (slug, seats) for slug, seats in EVERY_TABLE if (load(slug).folder / "bot/memory.py").exists()
]
ADVISED = [slug for slug in slugs() if load(slug).has_hints]
QUICK = (NOVICE, REGULAR)
PAUSES = {  # choices between two for which a strong bot is asked, since it takes its time
    "stupide_vautour": 5,
    "team_up": 9,
    "ubongo": 1,
    "up_and_down": 29,
    "whats_up": 11,
}
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
    pace = match.game.rules.MEAN_MOVE_MS // match.seats
    return match.now + rng.randrange(pace, 2 * pace)


def alarm_is_first(match: Match, at: int) -> bool:
    """Whether time is up before the next move, or nobody is to move; then chance acts."""
    alarm = match.game.alarm(match.state)
    if match.awaited() and (alarm < 0 or match.now + alarm > at):
        return False
    match.draw(match.now + alarm)
    return True


def begun(slug: str, seats: int, seed: int, **options: object) -> Match:
    game = load(slug)
    return Match(game, seats, game.playout_options | options, seeds=Seeds(seed.to_bytes(32, "big")))


def crew(match: Match, kinds: list[str], seed: int) -> list[Bot]:
    return [hire(kind, match.game, seat, f"{seed} {seat}") for seat, kind in enumerate(kinds)]


class Checked:
    """A bot whose every choice is checked. It is asked now and then; a quick one plays between."""

    def __init__(self, match: Match, seat: int, kind: str) -> None:
        self._bot = hire(kind, match.game, seat, seat)
        self._quick = hire(CHAOTIC, match.game, seat, seat)
        self._pause = 1 if kind in QUICK else PAUSES.get(match.game.slug, 5)
        self._asked = seat

    def watch(self, view: Any) -> None:
        before = view.copy()
        self._bot.watch(view)
        assert view == before

    def choose(
        self, view: Any, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        self._asked += 1
        if self._asked % self._pause:
            return self._quick.choose(view, legal_moves)
        return self._chosen(view, legal_moves)

    def _chosen(self, view: Any, legal_moves: Sequence[int]) -> int:
        before = view.copy()
        move = self._bot.choose(view, legal_moves)
        assert view == before
        assert move in legal_moves
        return move


@pytest.mark.parametrize(
    ("slug", "seats", "kind"),
    [(slug, seats, kind) for slug, kind in EVERY_PLAYER for seats in load(slug).seats],
)
def test_a_bot_plays_legally_to_the_end_and_leaves_its_view_alone(
    slug: str, seats: int, kind: str
) -> None:
    rng = Random(f"{slug} {seats} {kind}")
    match = begun(slug, seats, seats, **random_options(load(slug), seats, rng))
    play_out(match, [Checked(match, seat, kind) for seat in range(seats)], rng)
    assert match.is_over


@pytest.mark.parametrize(
    ("slug", "seats", "kind"),
    [
        (slug, seats, kind)
        for slug, kind in EVERY_PLAYER
        for seats in load(slug).seats
        if slug in SMALLEST
    ],
)
def test_a_bot_plays_the_smallest_variant_to_the_end(slug: str, seats: int, kind: str) -> None:
    match, rng = begun(slug, seats, 1, **SMALLEST[slug]), Random(f"{slug} {seats} {kind}")
    play_out(match, [Checked(match, seat, kind) for seat in range(seats)], rng)
    assert match.is_over


class Newcomer(Checked):
    """A new bot for every move, which has seen nothing before."""

    def __init__(self, match: Match, seat: int, kind: str) -> None:
        super().__init__(match, seat, kind)
        self._match, self._seat, self._kind = match, seat, kind

    def watch(self, view: Any) -> None:
        self._bot = hire(self._kind, self._match.game, self._seat, len(self._match.log))


@pytest.mark.parametrize(("slug", "kind"), EVERY_PLAYER)
def test_a_bot_can_take_over_a_seat_at_any_time(slug: str, kind: str) -> None:
    seats = load(slug).seats[-1]
    match = begun(slug, seats, 1)
    play_out(match, [Newcomer(match, seat, kind) for seat in range(seats)], Random(1))
    assert match.is_over


class Doubled(Checked):
    """A bot and its double, for which all that it may not know is drawn again each time."""

    def __init__(self, match: Match, seat: int, kind: str, rng: Random) -> None:
        super().__init__(match, seat, kind)
        self._match, self._seat, self._rng = match, seat, rng
        self._double = hire(kind, match.game, seat, seat)

    def watch(self, view: Any) -> None:
        self._bot.watch(view)
        self._double.watch(self._other_view())

    def _chosen(self, view: Any, legal_moves: Sequence[int]) -> int:
        move = self._bot.choose(view, legal_moves)
        assert self._double.choose(self._other_view(), legal_moves) == move
        return move

    def _other_view(self) -> Any:
        game, state = self._match.game, self._match.state.copy()
        game.module("checks").reseal(state, self._seat, self._rng)
        return game.view(state, self._seat)


@pytest.mark.parametrize(("slug", "kind"), EVERY_PLAYER)
def test_secrets_never_change_what_a_bot_chooses(slug: str, kind: str) -> None:
    seats, rng = load(slug).seats[-1], Random(slug)
    match = begun(slug, seats, 2)
    play_out(match, [Doubled(match, seat, kind, rng) for seat in range(seats)], Random(2))
    assert match.is_over


class Guesser(Checked):
    """A bot that guesses now and then what it cannot see."""

    def __init__(self, match: Match, seat: int, watches: bool) -> None:
        super().__init__(match, seat, CHAOTIC)
        self._game, self._seat, self._watches = match.game, seat, watches
        self._memory = match.game.module("bot.memory").Memory(seat)
        self._rng = Random(seat)
        self._guesses_at = PAUSES.get(match.game.slug, 5)

    def watch(self, view: Any) -> None:
        if self._watches:
            self._memory.watch(view)

    def choose(
        self, view: Any, legal_moves: Sequence[int], deadline: Deadline = NO_DEADLINE
    ) -> int:
        self._asked += 1
        if self._asked % self._guesses_at == 0:
            guess = self._memory.guess(view, self._rng)
            assert self._game.view(guess, self._seat) == view
            assert list(self._game.module("checks").faults(guess)) == []
        return self._quick.choose(view, legal_moves)


@pytest.mark.parametrize("watches", [True, False])
@pytest.mark.parametrize(("slug", "seats"), REMEMBERING)
def test_what_a_seat_guesses_fits_what_it_sees(slug: str, seats: int, watches: bool) -> None:
    rng = Random(f"{slug} {seats}")
    match = begun(slug, seats, seats, **random_options(load(slug), seats, rng))
    play_out(match, [Guesser(match, seat, watches) for seat in range(seats)], rng)
    assert match.is_over


@pytest.mark.parametrize("slug", slugs())
def test_the_weaker_two_need_nothing_compiled(slug: str) -> None:
    code = f"""
import sys
from ludotheque.bots.roster import hire
from ludotheque.engine.game import load
from ludotheque.engine.chance import Seeds
from ludotheque.engine.match import Match
game = load({slug!r})
match = Match(game, game.seats[0], game.playout_options, seeds=Seeds(bytes(32)))
seat = match.awaited()[0]
for kind in {[kind for kind in QUICK if (slug, kind) in EVERY_PLAYER]}:
    hire(kind, game, seat, 1).choose(match.view(seat), match.legal_moves(seat))
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


WARMED = """
import sys
from numba.core.dispatcher import Dispatcher
from ludotheque.bots.roster import adviser, hire, warm
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.search.deadline import Deadline

class Looks(Deadline):
    "Passes after this many looks, so that whatever comes before and after it is reached."
    left = 4
    @property
    def is_ahead(self):
        self.left -= 1
        return self.left >= 0

def compile(dispatcher, signature, compile=Dispatcher.compile):
    is_needed = is_warm and tuple(signature) not in dispatcher.overloads
    assert not is_needed, f"{dispatcher} is not warm for {signature}"
    return compile(dispatcher, signature)

def play(match, pause):
    weak = [hire("regular", game, seat, 1) for seat in range(match.seats)]
    strong = [hire(adviser(game), game, seat, 1) for seat in range(match.seats)]
    decisions = 0
    while not match.is_over:
        for seat in range(match.seats):
            strong[seat].watch(match.view(seat))
        seat = match.awaited()[0]
        view, legal = match.view(seat), match.legal_moves(seat)
        if decisions % pause == 0:
            strong[seat].advise(view, legal, Looks())
            strong[seat].choose(view, legal, Looks())
        match.play(seat, weak[seat].choose(view, legal))
        decisions += 1

is_warm = False
Dispatcher.compile = compile
game = load(sys.argv[1])
warm(game)
is_warm = True
for seats in (game.seats[0], game.seats[-1]):
    play(Match(game, seats, seeds=Seeds(bytes(32))), 7)
    play(Match(game, seats, game.playout_options, seeds=Seeds(bytes(32))), 11)
if game.slug == "team_up":
    play(Match(game, 1, {"mode": "puzzle"}, seeds=Seeds(bytes(32))), 15)
"""


@pytest.mark.parametrize("slug", [slug for slug in slugs() if is_compiled(load(slug))])
def test_once_a_game_is_warm_no_hint_has_to_wait_for_the_compiler(slug: str) -> None:
    """In a process of its own, where nothing was compiled or loaded before."""
    subprocess.run([sys.executable, "-c", WARMED, slug], check=True)


@pytest.mark.parametrize(("slug", "kind"), EVERY_PLAYER)
def test_a_bot_decides_in_time(slug: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time is what this thread has had of a core, so that others on the machine do not count."""
    monkeypatch.setattr(deadlines, "time", SimpleNamespace(monotonic=time.thread_time))
    match = begun(slug, load(slug).seats[-1], 3)
    warm(match.game)
    seat = match.awaited()[0]
    bot, view = hire(kind, match.game, seat, 1), match.view(seat)
    begun_at = time.thread_time()
    bot.choose(view, match.legal_moves(seat), Deadline(THINK_S[kind]))
    assert time.thread_time() - begun_at < 5 * THINK_S[kind] + 1


@pytest.mark.parametrize(("slug", "kind"), EVERY_PLAYER)
def test_a_bot_whose_thought_is_cancelled_still_has_a_legal_move(slug: str, kind: str) -> None:
    match = begun(slug, load(slug).seats[-1], 4)
    seat = match.awaited()[0]
    deadline = Deadline()
    deadline.cancel()
    move = hire(kind, match.game, seat, 1).choose(
        match.view(seat), match.legal_moves(seat), deadline
    )
    assert move in match.legal_moves(seat)


@pytest.mark.parametrize("slug", ADVISED)
def test_the_strongest_says_what_it_would_do_and_why(slug: str) -> None:
    game = load(slug)
    match = begun(slug, game.seats[-1], 5)
    for _ in range(12):
        if not match.awaited():
            match.draw(match.now + game.alarm(match.state))
        seat = match.awaited()[0]
        master = hire(adviser(game), game, seat, 1)
        assert isinstance(master, Adviser)
        view, moves = match.view(seat), match.legal_moves(seat)
        advice = master.advise(view, moves)
        assert 1 <= len(advice) <= 3
        for move, reason, values in advice:
            assert move in moves
            for language in LANGUAGES:
                assert Words(game, language).text("hints", reason, **values)
        match.play(seat, advice[0].move, match.now + 1 if game.timed else None)
        if match.is_over:
            return


@pytest.mark.parametrize("slug", slugs())
def test_every_player_has_a_name_and_a_character(slug: str) -> None:
    for language in LANGUAGES:
        players = load(slug).words[language].get("bots", {})
        assert set(players) == set(levels(load(slug)))
        assert len({player["name"] for player in players.values()}) == len(players)
        assert all(player["character"] for player in players.values())


@pytest.mark.parametrize("slug", [slug for slug, kind in EVERY_PLAYER if kind == REGULAR])
def test_a_regular_does_clearly_better_than_chance(slug: str) -> None:
    count = MATCHES.get(slug, 60)
    scores = team_scores if load(slug).team else duel_scores
    pairs = [scores(slug, n) for n in range(count)]
    better = sum(regular > chaotic for regular, chaotic in pairs)
    assert better >= 0.75 * count


def duel_scores(slug: str, seed: int) -> tuple[int, int]:
    """What a regular and a chaotic bot score against each other; they change places."""
    regular = seed % 2
    scores = final_scores(slug, [CHAOTIC, REGULAR] if regular else [REGULAR, CHAOTIC], seed)
    return scores[regular], scores[1 - regular]


def team_scores(slug: str, seed: int) -> tuple[int, int]:
    """What a regular and a chaotic team score, each for itself."""
    return final_scores(slug, [REGULAR] * 2, seed)[0], final_scores(slug, [CHAOTIC] * 2, seed)[0]


def final_scores(slug: str, kinds: list[str], seed: int) -> list[int]:
    match = begun(slug, len(kinds), seed)
    play_out(match, crew(match, kinds, seed), Random(seed))
    return match.scores


def test_bots_alone_that_turn_cards_let_those_who_watch_see_them() -> None:
    assert shown_s("turn") >= 2.0
    assert pause_alone(load("whats_up")) >= shown_s("turn", "place") > shown_s("turn")
    assert pause_alone(load("stupide_vautour")) == 0.0


@pytest.mark.parametrize("slug", ["stupide_vautour", "whats_up"])
def test_bots_do_not_keep_people_waiting(slug: str) -> None:
    assert pause(load(slug), REGULAR, None) <= THINK_S[REGULAR] + 1.1


def test_a_racer_takes_its_own_time() -> None:
    assert pause(load("ubongo"), REGULAR, 0.25) == 0.25
