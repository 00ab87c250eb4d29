"""The four levels: what they choose, how they vote, what a master says of it."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import LANGUAGES, load
from ludotheque.engine.match import Match
from ludotheque.engine.words import Words
from ludotheque.games.whats_up.bot import hire
from ludotheque.games.whats_up.bot.greedy import Greedy
from ludotheque.games.whats_up.bot.memory import Memory
from ludotheque.games.whats_up.bot.thinker import Thinker
from ludotheque.games.whats_up.bot.tree_search import TreeSearch
from ludotheque.games.whats_up.notation import cell_text
from ludotheque.games.whats_up.rules import AGREE, CARDS, COLOURS, FULL, HOLE, face_of, fits
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import Deadline

GAME = load("whats_up")
LEVELS = ("novice", "regular", "expert", "master")
RED_3, GREEN_3, YELLOW_3 = 3, 7, 11


def begun(seed: int, seats: int = 2) -> Match:
    """Seat 1 begins, seat 0 has the bot."""
    return Match(GAME, seats, {"first": 1}, seeds=Seeds(seed.to_bytes(32, "big")))


def play_out(match: Match, bots: Sequence[Greedy | Thinker]) -> None:
    while not match.is_over:
        for seat, bot in enumerate(bots):
            bot.watch(match.view(seat))
        seat = match.state.turn
        match.play(seat, bots[seat].choose(match.view(seat), match.legal_moves(seat)))


def shares(first: str, second: str, count: int) -> float:
    """What the first level wins of so many matches for two; they change places."""
    total = 0.0
    for n in range(count):
        levels = (first, second) if n % 2 else (second, first)
        match = Match(GAME, 2, {}, seeds=Seeds((n // 2).to_bytes(32, "big")))
        play_out(match, [hire(level, GAME, seat, Random(n)) for seat, level in enumerate(levels)])
        total += (levels.index(first) in match.winners) / len(match.winners)
    return total / count


def test_a_regular_player_beats_a_novice() -> None:
    assert shares("regular", "novice", 60) > 0.65


def test_an_expert_beats_a_novice() -> None:
    assert shares("expert", "novice", 10) > 0.65


def knowing(match: Match, faces: set[int]) -> Thinker:
    """A thinker in seat 0 who has seen what lies under the cards that hide these faces."""
    view, memory = match.view(0), Memory(0)
    memory.watch(view)
    for cell in range(CARDS):
        if match.state.down[cell] in faces:
            memory.under[cell] = match.state.down[cell]
    return Thinker(0, memory, TreeSearch(GAME, 400, Random(0)))


def standing(seed: int, own: list[int], theirs: list[int], quiet: int = 0) -> Match:
    """It is the turn of seat 0; the rows reach so many birds, and their cards are off the table."""
    match = begun(seed)
    s = match.state
    s.turn, s.quiet = 0, quiet
    s.rows[0], s.rows[1] = own, theirs
    wanted = [face_of(colour, FULL) for colour in range(COLOURS)]
    for row in (own, theirs):
        for face in [face_of(c, n) for c in range(COLOURS) for n in range(1, row[c] + 1)]:
            cells = [c for c in range(CARDS) if face in (s.up[c], s.down[c])]
            cell = min(cells, key=lambda c: (s.up[c] in wanted) + (s.down[c] in wanted))
            s.up[cell] = s.down[cell] = HOLE
    return match


def first_advice(match: Match, faces: set[int]) -> Advice:
    return knowing(match, faces).advise(match.view(0), match.legal_moves(0))[0]


def test_a_thinker_completes_the_last_row_when_it_knows_how() -> None:
    match = standing(2, [2, 3, 3, 3], [2, 2, 3, 3])
    move, reason, values = first_advice(match, {RED_3})
    assert match.state.down[move] == RED_3
    assert (reason, values) == ("win", {"cell": cell_text(move), "face": "r3", "win": 100})


def test_a_thinker_keeps_the_next_player_from_the_last_card() -> None:
    match = standing(18, [3, 3, 3, 1], [2, 3, 3, 3])
    assert match.state.down.count(RED_3) == 1  # of several, another would be left to take
    move, reason, values = first_advice(match, {RED_3})
    assert match.state.down[move] == RED_3
    assert (reason, values["face"]) == ("deny", "r3")


def test_a_thinker_agrees_to_the_end_that_it_wins() -> None:
    match = standing(5, [3, 2, 0, 0], [3, 1, 0, 0], quiet=4)
    assert first_advice(match, set()) == (AGREE, "agree", {"win": 100})


def test_a_thinker_does_not_agree_to_lose() -> None:
    match = standing(5, [3, 1, 0, 0], [3, 2, 0, 0], quiet=4)
    match.state.agreed[1] = 1
    assert first_advice(match, set()).move != AGREE


def test_a_thinker_does_not_share_a_victory_that_it_can_have_alone() -> None:
    match = standing(2, [3, 3, 2, 2], [3, 2, 3, 2], quiet=15)
    assert match.state.down[first_advice(match, {YELLOW_3}).move] == YELLOW_3


def test_a_thinker_shares_a_victory_before_the_next_player_takes_it() -> None:
    match = standing(11, [3, 3, 2, 2], [3, 2, 3, 2], quiet=4)
    assert first_advice(match, {GREEN_3}) == (AGREE, "agree_shared", {"win": 50})


def test_a_thinker_has_a_move_when_there_is_no_time_at_all() -> None:
    match = begun(2)
    match.play(1, 0)
    legal = match.legal_moves(0)
    assert hire("master", GAME, 0, Random(1)).choose(match.view(0), legal, Deadline(0)) in legal


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_chance_gives_the_same_choice(level: str) -> None:
    match = begun(6)
    match.play(1, 3)
    chosen = {
        hire(level, GAME, 0, Random(8)).choose(match.view(0), match.legal_moves(0))
        for _ in range(2)
    }
    assert len(chosen) == 1


def test_the_chances_of_a_back_are_how_often_it_is_guessed() -> None:
    match, memory, rng = begun(4), Memory(0), Random(3)
    match.play(1, 5)
    view = match.view(0)
    memory.watch(view)
    guesses = [memory.guess(view, rng) for _ in range(800)]
    for cell in (0, 11, 22):
        drawn = Counter(guess.down[cell] for guess in guesses)
        backs = TreeSearch(GAME, 1, rng).backs(view, memory, cell)
        assert sum(backs.values()) == pytest.approx(1)
        assert set(drawn) <= set(backs)
        for back, chance in backs.items():
            assert drawn[back] / 800 == pytest.approx(chance, abs=0.08)


def test_what_was_seen_is_certain_and_what_is_left_over_is_deduced() -> None:
    match, memory = begun(4), Memory(0)
    memory.watch(match.view(0))
    cell = next(c for c in range(CARDS) if not fits(match.state, 1, match.state.down[c]))
    match.play(1, cell)
    memory.watch(match.view(0))
    backs = TreeSearch(GAME, 1, Random(0)).backs(match.view(0), memory, cell)
    assert backs == {match.state.down[cell]: 1.0}


@pytest.mark.parametrize("seats", GAME.seats)
def test_advice_is_up_to_three_legal_moves_with_words_in_every_language(seats: int) -> None:
    match, rng = begun(9, seats), Random(seats)
    bot = Thinker(0, Memory(0), TreeSearch(GAME, 200, rng))
    reasons = set()
    while not match.is_over:
        bot.watch(match.view(0))
        seat, legal = match.state.turn, match.legal_moves(match.state.turn)
        if seat == 0:
            advice = bot.advise(match.view(0), legal)
            assert 1 <= len(advice) <= 3
            assert {a.move for a in advice} <= set(legal)
            for a in advice:
                reasons.add(a.reason)
                for language in LANGUAGES:
                    assert Words(GAME, language).text("hints", a.reason, **a.values)
            match.play(0, advice[0].move)
        else:
            match.play(seat, rng.choice(legal))
    assert len(reasons) > 2
