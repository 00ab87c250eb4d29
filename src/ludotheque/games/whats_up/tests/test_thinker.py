"""What the thinker chooses, how it votes, what it says of its moves; and how the levels compare."""

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
from ludotheque.games.whats_up.checks import faults
from ludotheque.games.whats_up.notation import cell_text
from ludotheque.games.whats_up.rules import (
    AGREE,
    CARDS,
    DECK,
    HOLE,
    UNKNOWN,
    calm_turns,
    fits,
    wins,
)
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import Deadline

GAME = load("whats_up")
LEVELS = ("novice", "regular", "expert", "master")
SEEDS = range(8)
RED_3, PURPLE_3 = 3, 15
NEEDS_RED_3, NEEDS_PURPLE_3 = [2, 3, 3, 3], [3, 3, 3, 2]  # rows with equal birds and cards


def begun(seed: int, seats: int = 2) -> Match:
    """Seat 1 begins, seat 0 has the bot."""
    return Match(GAME, seats, {"first": 1}, seeds=Seeds(seed.to_bytes(32, "big")))


# The levels


def play_out(match: Match, bots: Sequence[Greedy | Thinker]) -> None:
    while not match.is_over:
        for seat, bot in enumerate(bots):
            bot.watch(match.view(seat))
        seat = match.state.turn
        match.play(seat, bots[seat].choose(match.view(seat), match.legal_moves(seat)))


def shares(first: str, second: str, count: int) -> float:
    """What the first level wins of this many matches for two; they change places."""
    total = 0.0
    for n in range(count):
        levels = (first, second) if n % 2 else (second, first)
        match = Match(GAME, 2, {}, seeds=Seeds((n // 2).to_bytes(32, "big")))
        play_out(match, [hire(level, GAME, seat, Random(n)) for seat, level in enumerate(levels)])
        total += match.shares[levels.index(first)]
    return total / count


def test_a_regular_player_beats_a_novice() -> None:
    """Over 600 matches the share is 0.83, so the bound is more than three deviations away."""
    assert shares("regular", "novice", 60) > 0.65


def test_an_expert_beats_a_novice() -> None:
    """Over 120 matches the share is 0.98, so the bound is more than five deviations away."""
    assert shares("expert", "novice", 10) > 0.65


# Positions in which every face is known, so that the best move is certain


def known_table(
    seed: int, own: list[int], theirs: list[int], under: Sequence[int], is_vote_open: bool = False
) -> Match:
    """It is the turn of seat 0 of two. The faces `under` lie under cards, in any places.

    No other card on the table has one of the two faces that complete a last row. The others lie as
    they fall. If the vote is open, seat 1 has agreed, so that seat 0 can end the match.
    """
    match, rng = Match(GAME, 2, {"first": 0}), Random(seed)
    s = match.state
    s.rows[0], s.rows[1] = own, theirs
    s.dealt, s.undealt, s.turn = CARDS, 0, 0
    if is_vote_open:
        s.quiet, s.agreed[1] = calm_turns(s), 1
    while list(faults(s)):  # also if the deck has too few cards for these and the collections
        s.up, s.down = laid_out(under, CARDS - sum(own) - sum(theirs), rng)
    return match


def laid_out(under: Sequence[int], count: int, rng: Random) -> tuple[list[int], list[int]]:
    """The faces that show in each cell, and those under them."""
    decisive = {RED_3, PURPLE_3}
    cards = rng.sample([card for card in DECK if not decisive & {*card}], count - len(under))
    pairs = [rng.sample(card, 2) for card in cards]
    for face in set(under):
        backs = [sum(card) - face for card in DECK if face in card and not decisive < {*card}]
        pairs += [[back, face] for back in rng.sample(backs, under.count(face))]
    pairs += [[HOLE, HOLE]] * (CARDS - count)
    rng.shuffle(pairs)
    return [up for up, _ in pairs], [down for _, down in pairs]


def advice_on(match: Match, seed: int) -> Advice:
    """What a thinker in seat 0 advises first, if it has seen every card."""
    view, memory = match.view(0), Memory(0)
    memory.watch(view)
    memory.under = [down if down != HOLE else UNKNOWN for down in match.state.down]
    bot = Thinker(0, memory, TreeSearch(GAME, 400, Random(seed)))
    return bot.advise(view, match.legal_moves(0))[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thinker_completes_its_last_row_when_it_knows_how(seed: int) -> None:
    match = known_table(seed, NEEDS_PURPLE_3, NEEDS_RED_3, under=[PURPLE_3, RED_3])
    cell = match.state.down.index(PURPLE_3)
    values = {"cell": cell_text(cell), "face": "p3"}
    assert advice_on(match, seed) == (cell, "win", values)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thinker_denies_the_next_player_the_last_card(seed: int) -> None:
    """Any other turn lets seat 1 win at once; turning this card again and again shares the win."""
    match = known_table(seed, NEEDS_PURPLE_3, NEEDS_RED_3, under=[RED_3])
    cell = match.state.down.index(RED_3)
    move, reason, values = advice_on(match, seed)
    assert (move, reason, values["face"]) == (cell, "deny", "r3")
    assert 0 < int(str(values["win"])) <= 50


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thinker_agrees_to_the_end_that_it_wins(seed: int) -> None:
    match = known_table(seed, NEEDS_PURPLE_3, [2, 3, 3, 2], under=[RED_3], is_vote_open=True)
    assert advice_on(match, seed) == (AGREE, "agree", {})


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thinker_does_not_agree_to_lose(seed: int) -> None:
    match = known_table(seed, [2, 3, 3, 2], NEEDS_PURPLE_3, under=[RED_3], is_vote_open=True)
    assert advice_on(match, seed).move != AGREE


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thinker_does_not_share_a_victory_that_it_can_have_alone(seed: int) -> None:
    match = known_table(seed, NEEDS_PURPLE_3, NEEDS_RED_3, under=[PURPLE_3], is_vote_open=True)
    assert [wins(match.state, seat) for seat in (0, 1)] == [True, True]
    assert advice_on(match, seed).move == match.state.down.index(PURPLE_3)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thinker_shares_a_victory_that_the_next_player_would_take(seed: int) -> None:
    """Of two cards that complete the row of seat 1, seat 0 can turn only one."""
    match = known_table(seed, NEEDS_PURPLE_3, NEEDS_RED_3, under=[RED_3] * 2, is_vote_open=True)
    assert advice_on(match, seed) == (AGREE, "agree_shared", {})


@pytest.mark.parametrize("seed", SEEDS)
def test_out_of_turn_a_seat_that_is_behind_is_not_told_to_stop(seed: int) -> None:
    match = known_table(seed, [2, 3, 3, 2], NEEDS_PURPLE_3, under=[RED_3], is_vote_open=True)
    match.state.turn = 1
    assert match.legal_moves(0) == [AGREE]
    assert advice_on(match, seed) == (AGREE, "agree_behind", {})


# Any position


def test_a_thinker_has_a_move_when_there_is_no_time_at_all() -> None:
    match = begun(2)
    match.play(1, 0)
    legal = match.legal_moves(0)
    assert hire("master", GAME, 0, Random(1)).choose(match.view(0), legal, Deadline(0)) in legal


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_gives_the_same_choice(level: str) -> None:
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


def test_a_back_that_was_seen_is_certain() -> None:
    match, memory = begun(4), Memory(0)
    memory.watch(match.view(0))
    cell = next(c for c in range(CARDS) if not fits(match.state, 1, match.state.down[c]))
    match.play(1, cell)
    memory.watch(match.view(0))
    backs = TreeSearch(GAME, 1, Random(0)).backs(match.view(0), memory, cell)
    assert backs == {match.state.down[cell]: 1.0}


@pytest.mark.parametrize("cell", [0, 11, 29])
def test_the_back_of_the_last_unknown_card_is_deduced(cell: int) -> None:
    match, memory = begun(4), Memory(0)
    memory.watch(match.view(0))
    memory.under = list(match.state.down)
    memory.under[cell] = UNKNOWN
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
