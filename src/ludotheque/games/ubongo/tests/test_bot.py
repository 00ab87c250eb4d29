"""How the players lay their cards, how long they need, and what they do when they are stuck."""

import subprocess
import sys
from functools import cache
from itertools import pairwise
from random import Random
from statistics import median
from typing import NamedTuple

import pytest

from ludotheque.engine.game import load
from ludotheque.games.ubongo.bot import hire
from ludotheque.games.ubongo.bot.player import Player
from ludotheque.games.ubongo.bot.skill import SKILLS
from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.field import FIELD_PLACES, IN_HAND
from ludotheque.games.ubongo.layable import HAND, SEVEN
from ludotheque.games.ubongo.parts import PILE
from ludotheque.games.ubongo.rules import (
    AUTO,
    BLACK,
    CALL,
    MOVES,
    NO_CARD,
    OFF,
    ON,
    READY,
    ROUNDS,
    SHIFT,
    STOP,
    TAKE_BACK,
    State,
    count_laid,
    is_legal,
    play,
    verdict,
    wait,
)
from ludotheque.games.ubongo.solver.hand import MIDDLE, hand_of, lay_move, placement_at
from ludotheque.games.ubongo.tests.test_hand import (
    before_the_match,
    hands,
    race,
    race_with_fewer,
)

LEVELS = ("novice", "regular", "expert", "master")
TARGETS = {"novice": 170, "regular": 90, "expert": 50, "master": 25}  # seconds, round 1
MAX_MOVES = 2000  # far more than any player makes before it wants to stop


class Race(NamedTuple):
    moves: list[int]
    seconds: list[float]  # that each move took
    is_correct: bool  # in the end


def bot(level: str, seed: int = 0) -> Player:
    return hire(level, load("ubongo"), 0, Random(seed))


def run(s: State, level: str, seed: int = 0, is_timed: bool = False) -> Race:
    """Play until the player calls or stops; every move is legal.

    Unless it is timed the clock stands still, and the player never wants to stop.
    """
    player, moves, seconds = bot(level, seed), [-1], []
    while moves[-1] != CALL and moves[-1] != STOP and len(moves) < MAX_MOVES:
        moves.append(player.choose(s, range(MOVES)))
        seconds.append(player.seconds)
        wait(s, int(1000 * player.seconds) * is_timed)
        assert is_legal(s, 0, moves[-1])
        if moves[-1] != STOP:
            play(s, 0, moves[-1])
    return Race(moves[1:], seconds, verdict(s, 0)[0] == GOOD)


@cache
def races(level: str, number: int, count: int, assist: int = AUTO) -> list[Race]:
    dealt = hands(True, count, number)
    return [run(race(hand, 1, number, assist), level, n) for n, hand in enumerate(dealt)]


# Laying


@pytest.mark.parametrize("level", LEVELS)
def test_a_hand_that_can_be_laid_is_laid_and_called_correctly(level: str) -> None:
    for hand in hands(True, 8, number=3):
        s = race(hand, number=3)
        played = run(s, level)
        assert played.moves[-1] == CALL
        assert played.is_correct
        assert count_laid(s, 0) == SEVEN


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("cards", [4, 6, 8])
def test_all_cards_of_a_smaller_hand_but_two_are_laid_and_called(level: str, cards: int) -> None:
    s = race_with_fewer(cards, number=3)
    assert run(s, level).moves[-1] == CALL
    assert count_laid(s, 0) == cards - 2


def test_a_player_who_is_stuck_takes_cards_back_and_a_novice_more_often() -> None:
    counts = [
        sum(TAKE_BACK <= move < SHIFT for played in races(level, 6, 12) for move in played.moves)
        for level in ("novice", "master")
    ]
    assert counts[0] > counts[1]


def test_cards_at_the_edge_are_shifted_to_where_there_is_room() -> None:
    s = race(hands(True, 1)[0])
    s.places[0][0] = 0
    moves = run(s, "expert").moves
    assert moves[:3] == [SHIFT + 1] * 3
    assert moves[-1] == CALL


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_continues_a_correct_layout_of_someone_else(level: str) -> None:
    s = race(hands(True, 1)[0])
    first = bot("master")
    for _ in range(3):
        play(s, 0, first.choose(s, range(MOVES)))
    move = bot(level, 1).choose(s, range(MOVES))
    assert move < HAND * FIELD_PLACES
    assert s.places[0][move // FIELD_PLACES] == IN_HAND


def test_a_player_takes_back_a_card_that_someone_else_has_laid_away_from_the_others() -> None:
    s = race(hands(True, 1)[0])
    s.places[0][2] = MIDDLE
    s.places[0][5] = MIDDLE + 10
    for level in LEVELS:
        assert bot(level).choose(s, range(MOVES)) in (TAKE_BACK + 2, TAKE_BACK + 5)
    assert run(s, "master").moves[-1] == CALL


# Slips


def test_novices_call_wrongly_now_and_then_and_masters_never() -> None:
    wrong = {
        level: sum(not played.is_correct for played in races(level, 1, 60, OFF))
        for level in ("novice", "master")
    }
    assert 1 <= wrong["novice"] <= 12
    assert wrong["master"] == 0


def test_a_master_never_lays_a_card_wrongly() -> None:
    dealt = hands(True, 12, 6)
    for hand, played in zip(dealt, races("master", 6, 12, OFF), strict=True):
        s = race(hand)
        for move in played.moves:
            play(s, 0, move)
            assert verdict(s, 0)[0] == GOOD


def test_nobody_calls_what_the_board_marks_as_wrong() -> None:
    assert all(played.is_correct for played in races("novice", 1, 60, AUTO))


# Time


@pytest.mark.parametrize("level", LEVELS)
def test_the_first_round_takes_about_as_long_as_the_level_says(level: str) -> None:
    seconds = median(sum(played.seconds) for played in races(level, 1, 60))
    assert 0.8 * TARGETS[level] < seconds < 1.25 * TARGETS[level]


@pytest.mark.parametrize("number", range(1, ROUNDS + 1))
def test_every_level_is_faster_than_the_one_below_in_every_round(number: int) -> None:
    medians = [
        median(sum(played.seconds) for played in races(level, number, 12)) for level in LEVELS
    ]
    assert all(slower > 1.25 * faster for slower, faster in pairwise(medians))


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_moves_faster_than_their_hands(level: str) -> None:
    skill = SKILLS[level]
    for played in races(level, 1, 60):
        for move, seconds in zip(played.moves, played.seconds, strict=True):
            if move < TAKE_BACK:
                assert seconds >= skill.lay_s + 1 / skill.comparisons_per_s
            elif move == CALL:
                assert seconds >= skill.check_s


def test_the_same_dice_make_the_same_race() -> None:
    hand = hands(True, 1)[0]
    for level in LEVELS:
        assert run(race(hand), level, 5) == run(race(hand), level, 5)


def test_a_table_of_bots_needs_no_compiler() -> None:
    code = """
import sys
from random import Random
from ludotheque.engine.game import load
from ludotheque.engine.chance import Seeds
from ludotheque.engine.match import Match
game = load("ubongo")
match = Match(game, 2, {}, seeds=Seeds(bytes(32)))
bots = [game.module("bot").hire("master", game, seat, Random(seat)) for seat in range(2)]
while match.state.rounds < 2:
    seat = match.awaited()[0]
    view = match.view(seat)
    moves = game.legal_moves(view, seat)
    bots[seat].advise(view, moves)
    match.play(seat, bots[seat].choose(view, moves), match.now)
    match.draw(match.now + max(0, game.alarm(match.state)))
assert not {"numpy", "numba"} & set(sys.modules), "NumPy was imported"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


# Stopping


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_who_is_stuck_stops_with_the_most_cards_it_has_ever_laid(level: str) -> None:
    for hand in hands(False, 6):
        s = race(hand)
        moves = run(s, level, is_timed=True).moves
        assert moves[-1] == STOP
        assert verdict(s, 0)[0] == GOOD
        assert count_laid(s, 0) == most_laid(hand, moves)


def most_laid(hand: list[int], moves: list[int]) -> int:
    """The most cards that were ever laid correctly."""
    s, most = race(hand), 0
    for move in moves[:-1]:
        play(s, 0, move)
        most = max(most, count_laid(s, 0) * (verdict(s, 0)[0] == GOOD))
    return most


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("number", [5, 6])
def test_no_race_lasts_much_longer_than_the_players_want(level: str, number: int) -> None:
    """Two minutes are enough for one more comparison and to lay the best layout again."""
    for seed, hand in enumerate(hands(False, 6, number) + hands(True, 6, number)):
        played = run(race(hand, 2, number), level, seed, is_timed=True)
        assert sum(played.seconds) < SKILLS[level].stop_after_s + 120
        assert played.moves[-1] in (CALL, STOP)


def test_the_last_player_to_stop_does_not_keep_the_others_waiting() -> None:
    hand = hands(False, 1)[0]
    alone, last = race(hand, seats=2), race(hand, seats=2)
    last.stoppers = 2
    one, other = (run(s, "master", is_timed=True) for s in (alone, last))
    assert sum(one.seconds) > SKILLS["master"].stop_after_s > sum(other.seconds)
    assert one.moves[-1] == other.moves[-1] == STOP


def test_what_was_seen_to_be_wrong_is_not_laid_again() -> None:
    s = slip()
    players = (bot("novice", seed) for seed in range(20))
    unaware = next(player for player in players if player.choose(s, range(MOVES)) < TAKE_BACK)
    s.assist = ON
    play(s, 0, unaware.choose(s, range(MOVES)))
    s.clock = 1000 * SKILLS["novice"].stop_after_s
    assert unaware.choose(s, range(MOVES)) == STOP
    assert count_laid(s, 0) == 2


def slip() -> State:
    """Three cards of which the last touches one correctly and the other wrongly."""
    for cards in hands(True, 20):
        hand, group = hand_of(cards, BLACK), [placement_at(0, MIDDLE)]
        group += hand.placements(group)[:1]
        last = group[-1]
        for added in (added for card in hand.held(group) for added in hand.beside(last, card)):
            s = race(cards, assist=OFF)
            for own in group:
                play(s, 0, lay_move(own))
            if not hand.fits(added, group) and is_legal(s, 0, lay_move(added)):
                play(s, 0, lay_move(added))
                return s
    raise AssertionError("no hand allows such a slip")


def test_nobody_takes_cards_back_in_the_last_seconds() -> None:
    hand = hands(False, 1)[0]
    for level in LEVELS:
        s = race(hand)
        s.time_limit, s.clock = 60, 59_000
        moves = run(s, level).moves
        assert moves[-1] == STOP
        assert max(moves[:-1]) < TAKE_BACK


# The table


def test_a_player_is_ready_when_asked() -> None:
    s = before_the_match(1)
    player = bot("regular")
    assert player.choose(s, [READY]) == READY
    assert player.seconds > 1


def test_a_player_calls_after_another_but_needs_time_to_react() -> None:
    s = race(hands(True, 1)[0], seats=2)
    run(s, "master")
    s.callers = 2
    for level in LEVELS:
        player = bot(level)
        assert player.choose(s, [CALL]) == CALL
        assert player.seconds >= 0.4


def test_nobody_looks_beyond_their_own_hand() -> None:
    hand = hands(True, 1)[0]
    hidden, shown = race(hand, seats=2), race(hand, seats=2)
    hidden.hands[1] = [NO_CARD] * HAND
    shown.hands[1] = [card for card in range(2 * PILE, 3 * PILE) if card not in hand][:HAND]
    for level in LEVELS:
        assert run(hidden.copy(), level) == run(shown.copy(), level)
