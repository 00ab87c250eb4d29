"""Many matches stepped together: what the masks, observations and results of a batch say."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from ludotheque.engine.batch import Batch
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.layout import Layout
from ludotheque.engine.refused import Refused

GAME = load("stupide_vautour")


def fetched(batch: Batch) -> list[Any]:
    return [batch.game.State.fetch(record) for record in batch.states]


def plain_mask(game: Game, state: Any, seat: int) -> list[int]:
    return game.legal_moves(state, seat) if game.awaits(state, seat) else []


@pytest.mark.parametrize("slug", slugs())
def test_masks_and_observations_are_those_of_the_plain_rules(slug: str) -> None:
    game, seats = load(slug), load(slug).seats[-1]
    batch, layout, ended = Batch(game, seats, 3, seed=9), Layout(game, seats), 0
    for _ in range(80 if game.timed else 250):
        if game.unlisted_moves == 0 or ended < 3:
            for i, state in enumerate(fetched(batch)):
                for seat in range(seats):
                    marked = np.flatnonzero(batch.masks[i, seat]) + game.unlisted_moves
                    legal = [m for m in plain_mask(game, state, seat) if m >= game.unlisted_moves]
                    assert marked.tolist() == legal
                    plain = layout.flatten(game.view(state, seat), seat)
                    assert batch.observations[i, seat].tolist() == plain
        batch.play(batch.random_moves())
        ended += int(batch.finished.sum())
        if ended > 6:
            break
    assert ended > 0 or game.timed


def test_the_end_of_a_match_is_told_beside_the_start_of_the_next() -> None:
    batch = Batch(GAME, 3, 8, seed=2)
    while not batch.finished.any():
        batch.play(batch.random_moves())
    assert batch.finished.all()
    assert (batch.states["rounds"] == 1).all()
    scores = slice(Layout(GAME, 3).size - 3, None)
    for seat in range(3):
        own_first = np.roll(batch.points, -seat, axis=1)
        assert (batch.final_observations[:, seat, scores] == own_first).all()
    assert np.allclose(batch.shares.sum(axis=1), 1)
    assert (batch.shares[batch.points < batch.points.max(axis=1, keepdims=True) - 60] == 0).all()


@pytest.mark.parametrize("slug", slugs())
def test_a_split_batch_plays_what_a_whole_one_plays(slug: str) -> None:
    game, seats = load(slug), load(slug).seats[-1]
    whole = Batch(game, seats, 6, seed=3)
    parts = [Batch(game, seats, 3, seed=3, first=first) for first in (0, 3)]

    def run(batch: Batch) -> Any:
        for _ in range(40):
            batch.play(batch.random_moves())
        return batch.states.copy()

    with ThreadPoolExecutor(2) as pool:
        assert (np.concatenate(list(pool.map(run, parts))) == run(whole)).all()


def test_batches_share_no_line_of_the_cache() -> None:
    batch = Batch(GAME, 2, 3)
    for array in (batch.states, batch.masks, batch.finished, batch.points, batch.observations):
        assert array.ctypes.data % 128 == 0


def test_a_batch_that_nobody_looks_at_has_no_observations() -> None:
    assert Batch(GAME, 2, 3, observe=False).observations.shape == (3, 0, 141)


def test_a_vote_that_one_seat_has_ended_is_not_voted_in_by_the_next() -> None:
    """Two seats are asked at once; the first refuses, and the card is drawn."""
    game = load("team_up")
    draw, stop, agree, refuse = range(game.moves - 4, game.moves)
    batch = Batch(game, 3, 1, seed=1)
    batch.play(np.full((1, 3), stop))
    assert [np.flatnonzero(row).tolist() for row in batch.masks[0]] == [
        [],
        [agree, refuse],
        [agree, refuse],
    ]
    batch.play(np.array([[draw, refuse, agree]]))
    [state] = fetched(batch)
    assert (state.agreed, state.placed + state.lost) == (0, 1)
    assert state.card >= 0


def test_in_a_timed_game_a_step_takes_the_mean_time_of_a_move() -> None:
    game = load("ubongo")
    batch = Batch(game, 2, 1, {"countdown": 3})
    ready = game.moves - 1
    assert batch.masks[0].tolist() == [[0] * 15 + [1]] * 2
    batch.play(np.full((1, 2), ready))
    [state] = fetched(batch)
    assert (state.phase, state.clock) == (3, 3000)  # the race, after the countdown
    lay = 10 * 32 + 10
    batch.play(np.full((1, 2), lay))
    batch.play(np.full((1, 2), 4096 + lay))  # on top of the first card: refused
    [state] = fetched(batch)
    assert state.clock == 7000
    assert state.places[0][:2] == [lay, -1]


def test_a_batch_refuses_an_illegal_move_and_changes_nothing() -> None:
    batch = Batch(GAME, 2, 4)
    before = batch.states.copy()
    moves = batch.random_moves().copy()
    moves[2, 1] = 0
    with pytest.raises(Refused, match=r"match 2: .* holds a move that is not legal"):
        batch.play(moves)
    moves[2, 1] = 16
    with pytest.raises(Refused, match=r"match 2: .* holds a move that is not legal"):
        batch.play(moves)
    with pytest.raises(Refused, match="moves are float64, expected integers"):
        batch.play(batch.random_moves() + 0.2)
    assert (batch.states == before).all()
    with pytest.raises(Refused, match=r"expected \(4, 2\)"):
        batch.play(moves[:3])


def test_moves_may_be_integers_of_any_size() -> None:
    once, again = (Batch(GAME, 2, 4) for _ in range(2))
    for dtype in (np.int8, np.uint16, np.int32, np.uint64):
        once.play(once.random_moves().astype(dtype))
        again.play(again.random_moves())
    assert (once.states == again.states).all()
