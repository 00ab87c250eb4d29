"""The four players: fair, ordered by strength, in time, and able to give reasons."""

import copy
from collections.abc import Sequence
from itertools import pairwise
from math import hypot, sqrt
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from ludotheque.engine import kernels, playouts
from ludotheque.engine.bits import numbers
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import LANGUAGES, Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.scope import shared_scope
from ludotheque.engine.words import Words
from ludotheque.games.team_up.bot import goals, hire, policy, trials
from ludotheque.games.team_up.bot.hints import decision_hints, placement_hint
from ludotheque.games.team_up.bot.memory import Memory
from ludotheque.games.team_up.bot.planner import Estimate, compiled, new_workspace
from ludotheque.games.team_up.bot.thinker import Skill, Thinker
from ludotheque.games.team_up.checks import faults
from ludotheque.games.team_up.parts import DEFAULT_DATA, DEPTH, LAYERS, WIDTH
from ludotheque.games.team_up.rules import (
    AGREE,
    CARDS,
    CHALLENGE,
    DRAW,
    PLACE,
    REFUSE,
    STOP,
    VOTE,
    State,
    boxes_left,
    score,
)
from ludotheque.games.team_up.solver import pile
from ludotheque.search.deadline import Deadline

GAME = load("team_up")
SET: Any = DEFAULT_DATA
LEVELS = ("novice", "regular", "expert", "master")
# The scores of each level with a thousand decks, as benchmarks/team_up.py measured them.
MEAN = {"novice": -1.91, "regular": 3.91, "expert": 13.96, "master": 15.81}
DEVIATION = {"novice": 5.28, "regular": 5.22, "expert": 3.27, "master": 2.15}
# So many that the mean scores of two levels are 2.5 standard errors apart or more; the master is
# slow, so it plays few.
DECKS = {"novice": 16, "regular": 16, "expert": 72, "master": 12}
STANDARD_ERRORS = 2.5
POST = 0
COLOUR_CARDS = [n for n, card in enumerate(CARDS) if card[0] == 0]
NOT_FOR_POSTS = [n for n, card in enumerate(CARDS) if card[0] != 0 and POST not in card[1:]]


def begun(seed: int, seats: int = 2, game: Game = GAME) -> Match:
    return Match(game, seats, seeds=Seeds(seed.to_bytes(32, "big")))


def play_out(match: Match, bots: Sequence[Any]) -> None:
    while not match.is_over:
        seat = match.awaited()[0]
        match.play(seat, bots[seat].choose(match.view(seat), match.legal_moves(seat)))


def team(level: str, match: Match, seed: int = 0) -> list[Any]:
    return [hire(level, match.game, seat, Random(seed + seat)) for seat in range(match.seats)]


def final_score(level: str, seed: int) -> int:
    match = begun(seed)
    play_out(match, team(level, match, seed))
    return match.scores[0]


def halfway(seed: int, cards: int = 12, **options: object) -> Match:
    """A match in which a box is to be placed, after an expert has placed some."""
    match = Match(GAME, 1, options, seeds=Seeds(seed.to_bytes(32, "big")))
    bot = hire("expert", GAME, 0, Random(seed))
    while match.state.placed < cards or match.state.phase != PLACE:
        match.play(0, bot.choose(match.view(0), match.legal_moves(0)))
    return match


def quick(trial_count: int = 60, game: Game = GAME) -> Thinker:
    return Thinker(game, 0, Random(1), Skill(trial_count, 6, 0))


def mean_score(level: str) -> float:
    return fmean(final_score(level, seed) for seed in range(1, 1 + DECKS[level]))


def test_each_level_scores_more_than_the_one_below() -> None:
    """By the known gap less 2.5 standard errors, which luck exceeds for one choice of decks in 160.

    The decks are the first ones, and players choose by their seeds: the result is always the same.
    """
    scores = {level: mean_score(level) for level in LEVELS}
    for lower, upper in pairwise(LEVELS):
        errors = (DEVIATION[level] / sqrt(DECKS[level]) for level in (lower, upper))
        least = MEAN[upper] - MEAN[lower] - STANDARD_ERRORS * hypot(*errors)
        assert least > 0
        assert scores[upper] - scores[lower] > least


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_leaves_its_view_alone_and_chooses_by_its_seed(level: str) -> None:
    match = halfway(3)
    view, moves = match.view(0), match.legal_moves(0)
    choices = [hire(level, GAME, 0, Random(5)).choose(view, moves) for _ in range(2)]
    assert choices[0] == choices[1]
    assert choices[0] in moves
    assert view == match.view(0)


@pytest.mark.parametrize("level", ["expert", "master"])
def test_without_time_a_player_still_chooses_a_legal_move(level: str) -> None:
    match = halfway(4)
    deadline = Deadline()
    deadline.cancel()
    bot = hire(level, GAME, 0, Random(1))
    assert bot.choose(match.view(0), match.legal_moves(0), deadline) in match.legal_moves(0)
    match.play(0, match.legal_moves(0)[0])
    assert bot.choose(match.view(0), match.legal_moves(0), deadline) in (DRAW, STOP)


def with_posts_only() -> State:
    """Before a card: only posts are left, and only cards that do not name them."""
    state: State = begun(1).state
    for colours in state.left[1:]:
        colours[:] = [0, 0, 0]
    state.deck = sum(1 << card for card in NOT_FOR_POSTS)
    return state


def test_it_stops_when_no_card_to_come_is_useful() -> None:
    state = with_posts_only()
    assert quick().choose(state, [DRAW, STOP]) == STOP
    state.phase, state.turn, state.agreed = VOTE, 1, 2
    assert quick().choose(state, [AGREE, REFUSE]) == AGREE


def test_it_draws_while_only_more_points_can_win() -> None:
    state = with_posts_only()
    state.mode, state.target = CHALLENGE, score(state, 0) + 1
    assert quick().choose(state, [DRAW, STOP]) == DRAW
    assert [advice.reason for advice in quick().advise(state, [DRAW, STOP])] == [
        "short",
        "stop_now",
    ]
    state.target -= 1
    assert quick().choose(state, [DRAW, STOP]) == STOP


def test_it_draws_while_many_boxes_are_left() -> None:
    assert quick().choose(begun(1).view(0), [DRAW, STOP]) == DRAW


# Playouts


def test_the_ranked_placements_are_the_legal_ones() -> None:
    for seed in range(4):
        match = halfway(seed, 4 + 5 * seed)
        work = new_workspace(GAME)
        count = compiled(GAME)["rank_placements"](kernels.blank(GAME, 2, match.state), work)
        assert sorted(work.moves[:count].tolist()) == match.legal_moves(0)
        assert sorted(work.costs[:count].tolist()) == work.costs[:count].tolist()


@pytest.mark.parametrize("options", [{}, {"ceiling": "five layers", "clones": "same"}])
def test_playouts_give_the_same_results_compiled_and_plain(options: dict[str, object]) -> None:
    match = halfway(2, 8, **options)
    moves = match.legal_moves(0)[:3]
    compiled_points, plain_points = np.zeros((2, 3, 2), np.int64)
    work = new_workspace(GAME)
    work.stream[0] = 7
    states = kernels.blank(GAME, 2, match.state)
    compiled(GAME)["run_trials"](states, np.array(moves), 3, 2, compiled_points, work)
    scope, plain_work = plain_trials(GAME)
    plain_work.stream[0] = 7
    with np.errstate(over="ignore"):  # the stream runs over 64 bits
        scope["run_trials"](Copying(match.state), moves, 3, 2, plain_points, plain_work)
    assert compiled_points.tolist() == plain_points.tolist()


class Copying:
    """Two states for plain code, in place of an array of records that copies what it is given."""

    def __init__(self, state: State) -> None:
        self._states: list[State] = [state.copy(), state.copy()]

    def __getitem__(self, place: int) -> State:
        return self._states[place]

    def __setitem__(self, place: int, state: State) -> None:
        self._states[place] = state.copy()


def test_playouts_play_a_hosts_own_set_by_its_rules() -> None:
    data: Any = copy.deepcopy(SET)
    data.pop("puzzle")
    data["shapes"] = [
        {"name": "bar", "width": 1, "depth": 4, "height": 2, "boxes": [3, 1, 1]},
        {"name": "tile", "width": 3, "depth": 3, "height": 1, "boxes": [1, 2, 3]},
        {"name": "cube", "width": 1, "depth": 1, "height": 1, "boxes": [1, 2, 0]},
    ]
    data["cards"] = [{"shapes": ["bar", "tile"]}, {"colour": "red"}, {"shape": "cube"}] * 4
    match = begun(1, 1, Game("team_up", data))
    scope, work = plain_trials(match.game)
    while not match.is_over:
        if match.state.phase == PLACE:
            scope["survey"](match.state, work.low)
            move = scope["playout_move"](match.state, work)
            assert match.game.is_legal(match.state, 0, move)
            match.play(0, move)
        else:
            match.play(0, DRAW)
    assert match.state.placed > 3


def test_playouts_keep_the_layers_in_step_with_the_heights() -> None:
    match = halfway(1, 3)
    scope, work = plain_trials(GAME)
    scope["survey"](match.state, work.low)
    for _ in range(12):
        scope["make_playout_move"](match.state, work)
        heights = match.state.heights
        assert work.low == [
            sum(1 << column for column, height in enumerate(heights) if height <= k)
            for k in range(LAYERS)
        ]
        match.state.phase, match.state.card = PLACE, COLOUR_CARDS[0]


def plain_trials(game: Game) -> tuple[dict[str, Any], policy.Workspace]:
    """The functions of the playouts, not compiled, with lists as their workspace."""
    scope = shared_scope(game, lambda function: function, playouts, pile, goals, policy, trials)
    return scope, policy.Workspace(*(row.tolist() for row in new_workspace(game)))


# The puzzle


def test_the_master_finishes_the_puzzle_once_half_of_it_is_right() -> None:
    match = Match(GAME, 1, {"mode": "puzzle"}, seeds=Seeds(bytes(32)))
    for line in SET["puzzle"]["solution"][:16]:
        match.play(0, DRAW)
        turned = "t" if line["turned"] else ""
        cell = f"{'abcdef'[line['x']]}{line['y'] + 1}{turned}"
        match.play(0, GAME.parse(0, f"{line['shape']}.{line['colour']}.{cell}"))
    master = Thinker(GAME, 0, Random(1), Skill(20, 4, 3))
    assert master.advise(match.view(0), [DRAW, STOP]) == [(DRAW, "planned", {"score": 25})]
    play_out(match, [master])
    assert match.scores == [25]


# Advice


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_advises_up_to_three_placements_and_says_why(language: str) -> None:
    match = halfway(6)
    advice = quick().advise(match.view(0), match.legal_moves(0))
    assert 1 <= len(advice) <= 3
    words = Words(GAME, language)
    for move, reason, values in advice:
        assert move in match.legal_moves(0)
        assert str(values["score"]) in words.text("hints", reason, **values)
    assert advice[0].move == quick().choose(match.view(0), match.legal_moves(0))


def test_it_advises_to_draw_and_to_stop_the_better_one_first() -> None:
    state = with_posts_only()
    stop, draw = quick().advise(state, [DRAW, STOP])
    assert stop == (STOP, "stop", {"now": -3})
    assert (draw.move, draw.reason, list(draw.values)) == (DRAW, "draw_on", ["score"])
    state.phase, state.turn, state.agreed = VOTE, 1, 2
    assert [advice.move for advice in quick().advise(state, [AGREE, REFUSE])] == [AGREE, REFUSE]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_decision_tells_its_own_result_and_none_is_told_twice(language: str) -> None:
    words, hints = Words(GAME, language), quick().advise(begun(1).view(0), [DRAW, STOP])
    told = [words.text("hints", hint.reason, **hint.values) for hint in hints]
    assert [hint.reason for hint in hints] == ["draw", "stop_now"]
    assert ["−27" in text for text in told] == [False, True]
    assert [str(hints[0].values["score"]) in text for text in told] == [True, False]


def test_a_player_advised_to_stop_expects_no_more_of_the_cards_to_come() -> None:
    state = with_posts_only()
    hints = decision_hints(GAME, state, Estimate(-3.1, 0.0), False)
    assert hints[1] == (DRAW, "draw_on", {"score": -3})


def test_a_placement_without_another_to_compare_it_with_has_a_result_too() -> None:
    match = halfway(6)
    view, moves = match.view(0), match.legal_moves(0)
    (only,) = Thinker(GAME, 0, Random(1), Skill(60, 1, 0)).advise(view, moves)
    (best, *_) = quick().advise(view, moves)
    assert only.values["score"] == pytest.approx(best.values["score"], abs=3)


# How near the announced score is to the mean of masters, besides 2 standard errors of that mean.
MARGIN = 2.0
FINISHES = {20: 4, 8: 6, 3: 8}  # matches from positions with so many boxes left


def announced(match: Match) -> int:
    """The score that a hint before the next card says a team of masters would end with."""
    master: Any = hire("master", GAME, 0, Random(1))
    hints = master.advise(match.view(0), [DRAW, STOP])
    return int(next(hint.values["score"] for hint in hints if hint.move == DRAW))


def before_card(seed: int, level: str, boxes: int) -> Match:
    """A match that this level has played until so many boxes are left."""
    match, bot = begun(seed, 1), hire(level, GAME, 0, Random(seed))
    while match.state.phase == PLACE or boxes_left(match.state) > boxes:
        is_placing = match.state.phase == PLACE
        legal = match.legal_moves(0)
        match.play(0, bot.choose(match.view(0), legal) if is_placing else DRAW)
    return match


def finished(match: Match, seed: int) -> int:
    """The score when masters go on, with the cards in an order of this seed."""
    end = match.copy()
    end.seeds = Seeds(seed.to_bytes(32, "big"))
    play_out(end, team("master", end, seed))
    return end.scores[0]


def test_the_score_announced_at_the_start_is_the_mean_of_masters() -> None:
    assert abs(announced(begun(1, 1)) - MEAN["master"]) < 1


@pytest.mark.parametrize("boxes", FINISHES)
def test_the_score_announced_later_is_about_what_masters_reach(boxes: int, is_long: bool) -> None:
    """The order of the cards to come is new in every match; the result is always the same."""
    for seed, level in enumerate(("expert", "regular") if is_long else ("expert",)):
        match = before_card(seed, level, boxes)
        count = FINISHES[boxes] * (6 if is_long else 1)
        ends = [finished(match, number) for number in range(count)]
        margin = MARGIN + 2 * DEVIATION["master"] / sqrt(count)
        assert abs(announced(match) - fmean(ends)) < margin, (level, ends)


def test_a_placement_that_completes_a_layer_is_advised_as_such() -> None:
    match = halfway(6)
    state, move = match.state, match.legal_moves(0)[0]
    after = match.view(0)
    GAME.play(after, 0, move)
    for column, height in enumerate(after.heights):
        state.heights[column] = int(height == state.heights[column])
    advice = placement_hint(GAME, state, 0, move, Estimate(5.0, 0.0))
    assert (advice.reason, advice.values["layer"]) == ("completes", 1)


def steps_between_columns(state: State) -> int:
    """The sum of all differences between columns that lie side by side."""
    rows = [state.heights[WIDTH * y : WIDTH * (y + 1)] for y in range(DEPTH)]
    columns = list(zip(*rows, strict=True))
    return sum(abs(a - b) for line in (*rows, *columns) for a, b in pairwise(line))


def cards_that_find_a_place(state: State) -> int:
    """Of the cards to come, those that leave the player who draws them a box to place."""
    found = 0
    for card in numbers(state.deck):
        drawn = state.copy()
        drawn.phase, drawn.card = PLACE, card
        found += bool(GAME.legal_moves(drawn, drawn.turn))
    return found


def test_what_is_said_of_a_placement_is_true_of_the_pile_after_it() -> None:
    told = set()
    for count in (2, 6, 10, 14, 18):
        match = halfway(count)
        for move in Random(count).sample(match.legal_moves(0), 12):
            after = match.view(0)
            GAME.play(after, 0, move)
            why, values = placement_hint(GAME, match.view(0), 0, move, Estimate(5.0, 0.0))[1:]
            told.add(why)
            was_level = steps_between_columns(after) < steps_between_columns(match.state)
            assert was_level or why != "smooths"
            if why == "open":
                assert values["cards"] == after.deck.bit_count()
                assert values["usable"] == cards_that_find_a_place(after)
    assert {"smooths", "open"} <= told


def test_every_level_has_a_name_and_a_character_in_every_language() -> None:
    for language in LANGUAGES:
        bots = GAME.words[language]["bots"]
        assert set(bots) == set(LEVELS)
        assert all(bot["name"] and bot["character"] for bot in bots.values())


# Memory


def test_a_guess_is_the_state_that_looks_like_the_view() -> None:
    match = halfway(5)
    memory = Memory(0)
    memory.watch(match.view(0))
    guess = memory.guess(match.view(0), Random(1))
    assert GAME.view(guess, 0) == match.view(0)
    assert guess is not match.state
    assert list(faults(guess)) == []
