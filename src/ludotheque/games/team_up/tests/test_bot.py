"""The four players: fair, ordered, in time, and able to say why."""

import copy
from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from ludotheque.engine import kernels, playouts
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import LANGUAGES, Game, load, shared_scope
from ludotheque.engine.match import Match
from ludotheque.engine.words import Words
from ludotheque.games.team_up.bot import hire, policy, prospects, trials
from ludotheque.games.team_up.bot.memory import Memory
from ludotheque.games.team_up.bot.planner import compiled, new_desk
from ludotheque.games.team_up.bot.thinker import Thinker
from ludotheque.games.team_up.checks import faults
from ludotheque.games.team_up.parts import DEFAULT_DATA, LAYERS
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
    score,
)
from ludotheque.games.team_up.solver import pile
from ludotheque.search.deadline import Deadline

GAME = load("team_up")
SET: Any = DEFAULT_DATA
LEVELS = ("novice", "regular", "expert", "master")
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
    return Thinker(game, 0, Random(1), trial_count, 6, 0)


def mean_score(level: str, seeds: range) -> float:
    return fmean(final_score(level, seed) for seed in seeds)


def test_each_level_scores_more_than_the_one_below() -> None:
    novice, regular, expert, master = (mean_score(level, range(16)) for level in LEVELS)
    assert novice + 1 < regular
    assert regular + 3 < expert
    assert expert + 1 < master  # on few decks; benchmarks/team_up.py has a thousand


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_leaves_its_view_alone_and_chooses_by_its_dice_only(level: str) -> None:
    match = halfway(3)
    view, moves = match.view(0), match.legal_moves(0)
    choices = [hire(level, GAME, 0, Random(5)).choose(view, moves) for _ in range(2)]
    assert choices[0] == choices[1]
    assert choices[0] in moves
    assert view == match.view(0)


@pytest.mark.parametrize("level", ["expert", "master"])
def test_who_may_not_think_still_chooses_well_enough(level: str) -> None:
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


def test_it_goes_on_while_only_more_points_can_win() -> None:
    state = with_posts_only()
    state.mode, state.target = CHALLENGE, score(state, 0) + 1
    assert quick().choose(state, [DRAW, STOP]) == DRAW
    assert [advice.reason for advice in quick().advise(state, [DRAW, STOP])] == ["short", "stop"]
    state.target -= 1
    assert quick().choose(state, [DRAW, STOP]) == STOP


def test_it_draws_while_many_boxes_are_left() -> None:
    assert quick().choose(begun(1).view(0), [DRAW, STOP]) == DRAW


# Trials


def test_the_ranked_placements_are_the_legal_ones() -> None:
    for seed in range(4):
        match = halfway(seed, 4 + 5 * seed)
        desk = new_desk(GAME)
        count = compiled(GAME)["rank"](kernels.blank(GAME, 2, match.state), desk)
        assert sorted(desk.moves[:count].tolist()) == match.legal_moves(0)
        assert sorted(desk.prices[:count].tolist()) == desk.prices[:count].tolist()


@pytest.mark.parametrize("options", [{}, {"ceiling": "five layers", "clones": "same"}])
def test_trials_come_out_the_same_compiled_or_not(options: dict[str, object]) -> None:
    match = halfway(2, 8, **options)
    moves = match.legal_moves(0)[:3]
    compiled_points, plain_points = np.zeros((2, 3, 2), np.int64)
    desk = new_desk(GAME)
    desk.dice[0] = 7
    states = kernels.blank(GAME, 2, match.state)
    compiled(GAME)["try_out"](states, np.array(moves), 3, 2, compiled_points, desk)
    scope, plain_desk = plain_trials(GAME)
    plain_desk.dice[0] = 7
    with np.errstate(over="ignore"):  # dice run over 64 bits
        scope["try_out"](Copying(match.state), moves, 3, 2, plain_points, plain_desk)
    assert compiled_points.tolist() == plain_points.tolist()


class Copying:
    """Two states for plain code, in place of an array of records that copies what it is given."""

    def __init__(self, state: State) -> None:
        self._states: list[State] = [state.copy(), state.copy()]

    def __getitem__(self, place: int) -> State:
        return self._states[place]

    def __setitem__(self, place: int, state: State) -> None:
        self._states[place] = state.copy()


def test_trials_play_a_hosts_own_set_by_its_rules() -> None:
    data: Any = copy.deepcopy(SET)
    data.pop("puzzle")
    data["shapes"] = [
        {"name": "bar", "width": 1, "depth": 4, "height": 2, "boxes": [3, 1, 1]},
        {"name": "tile", "width": 3, "depth": 3, "height": 1, "boxes": [1, 2, 3]},
        {"name": "cube", "width": 1, "depth": 1, "height": 1, "boxes": [1, 2, 0]},
    ]
    data["cards"] = [{"shapes": ["bar", "tile"]}, {"colour": "red"}, {"shape": "cube"}] * 4
    match = begun(1, 1, Game("team_up", data))
    scope, desk = plain_trials(match.game)
    while not match.is_over:
        if match.state.phase == PLACE:
            scope["survey"](match.state, desk.low)
            move = scope["quick_choice"](match.state, desk)
            assert match.game.is_legal(match.state, 0, move)
            match.play(0, move)
        else:
            match.play(0, DRAW)
    assert match.state.placed > 3


def test_in_haste_the_layers_are_kept_as_the_heights_tell_them() -> None:
    match = halfway(1, 3)
    scope, desk = plain_trials(GAME)
    scope["survey"](match.state, desk.low)
    for _ in range(12):
        scope["place_quickly"](match.state, desk)
        heights = match.state.heights
        assert desk.low == [
            sum(1 << column for column, height in enumerate(heights) if height <= k)
            for k in range(LAYERS)
        ]
        match.state.phase, match.state.card = PLACE, COLOUR_CARDS[0]


def plain_trials(game: Game) -> tuple[dict[str, Any], policy.Desk]:
    """The functions of the trials, not compiled, with lists to write on."""
    scope = shared_scope(game, lambda function: function, playouts, pile, prospects, policy, trials)
    return scope, policy.Desk(*(row.tolist() for row in new_desk(game)))


# The puzzle


def test_the_master_finishes_the_puzzle_once_half_of_it_is_right() -> None:
    match = Match(GAME, 1, {"mode": "puzzle"}, seeds=Seeds(bytes(32)))
    for line in SET["puzzle"]["solution"][:16]:
        match.play(0, DRAW)
        turned = "t" if line["turned"] else ""
        cell = f"{'abcdef'[line['x']]}{line['y'] + 1}{turned}"
        match.play(0, GAME.parse(0, f"{line['shape']}.{line['colour']}.{cell}"))
    play_out(match, [Thinker(GAME, 0, Random(1), 20, 4, 3)])
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


def test_it_advises_both_words_the_better_one_first() -> None:
    state = with_posts_only()
    stop, draw = quick().advise(state, [DRAW, STOP])
    assert (stop.move, draw.move) == (STOP, DRAW)
    assert stop.values["now"] == -3
    state.phase, state.turn, state.agreed = VOTE, 1, 2
    assert [advice.move for advice in quick().advise(state, [AGREE, REFUSE])] == [AGREE, REFUSE]


def test_a_placement_that_completes_a_layer_is_advised_as_such() -> None:
    match = halfway(6)
    state, move = match.state, match.legal_moves(0)[0]
    after = match.view(0)
    GAME.play(after, 0, move)
    for column, height in enumerate(after.heights):
        state.heights[column] = int(height == state.heights[column])
    advice = quick()._reasoned(state, move, quick()._drawing(state, Deadline(0)))
    assert (advice.reason, advice.values["layer"]) == ("completes", 1)


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
