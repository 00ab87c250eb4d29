"""Many matches stepped by the decisions of one seat, the others at random: compiled for `vector`.

Written as rules are, and compiled beside them and `engine.stepping`.
"""

from __future__ import annotations

from typing import Any

from ludotheque.engine.flattening import observe
from ludotheque.engine.playouts import stream_start
from ludotheque.engine.rulebook import awaits, is_over, play
from ludotheque.engine.stepping import (
    awaited_seats,
    choose,
    go_on,
    is_allowed,
    open_match,
    play_choice,
    random_choice,
    write_mask,
    write_result,
)

__kernels__ = ("open_seats", "choose_seats", "step_seats")

NO_MOVE = -1  # of the learner's seat while only the others move


def play_tick(s: Any, own: int, move: int, stream: Any, moves: Any) -> None:
    """Every awaited seat moves once, in their order; a move that has become illegal is not made."""
    waiting, played = awaited_seats(s), 0
    for seat in range(s.seats):
        if waiting >> seat & 1 == 1:
            if seat == own:
                played += play_choice(s, seat, move, played == 0)
            elif awaits(s, seat):
                play(s, seat, random_choice(s, seat, stream, moves))
                played += 1
    go_on(s, stream, moves)


def reach_seat(s: Any, own: int, move: int, stream: Any, moves: Any) -> None:
    """Play the learner's move, if there is one, and then let the others move until the learner is
    awaited again or the match is over."""
    while move != NO_MOVE or not (is_over(s) or awaits(s, own)):
        play_tick(s, own, move, stream, moves)
        move = NO_MOVE


def open_seat(start: Any, states: Any, i: int, own: int, streams: Any, moves: Any) -> None:
    """Start a match in which the learner gets to move."""
    is_open = False
    while not is_open:
        open_match(start, states, i, streams, moves)
        reach_seat(states[i], own, NO_MOVE, streams[i : i + 1], moves)
        is_open = not is_over(states[i])


def open_seats(
    start: Any,
    seed: int,
    first: int,
    owns: Any,
    states: Any,
    streams: Any,
    moves: Any,
    masks: Any,
    marked: Any,
    view: Any,
    observations: Any,
) -> None:
    for i in range(len(states)):
        streams[i] = stream_start(seed, first + i)
        open_seat(start, states, i, owns[i], streams, moves)
        write_mask(states[i], owns[i], True, masks[i], marked[i], moves)
        observe(states, i, owns[i], view, observations[i])


def choose_seats(
    states: Any, owns: Any, streams: Any, moves: Any, marked: Any, choices: Any
) -> None:
    """A random legal move for every learner; any move where the match is over."""
    for i in range(len(states)):
        choices[i] = 0
        if not is_over(states[i]):
            own = streams[i : i + 1]
            choices[i] = choose(states[i], owns[i], own, moves, marked[i])


def step_seats(
    start: Any,
    owns: Any,
    states: Any,
    streams: Any,
    moves: Any,
    choices: Any,
    is_next_step: bool,
    masks: Any,
    marked: Any,
    finished: Any,
    substituted: Any,
    points: Any,
    shares: Any,
    view: Any,
    observations: Any,
    finals: Any,
) -> None:
    """Step every match to the learner's next decision.

    A match that ends is started again at once, its last observation written to `finals`; or, if
    `is_next_step`, by the next step, which reads no choice and ends nothing.
    """
    for i in range(len(states)):
        s, own = states[i], owns[i]
        substituted[i] = 0
        starts_again = is_next_step and finished[i] == 1
        if starts_again:
            finished[i] = 0
        else:
            move = choices[i]
            if not is_allowed(move, masks[i]):
                substituted[i] = 1
                move = choose(s, own, streams[i : i + 1], moves, marked[i])
            reach_seat(s, own, move, streams[i : i + 1], moves)
            finished[i] = is_over(s)
            if finished[i]:
                write_result(s, points[i], shares[i])
                if not is_next_step:
                    observe(states, i, own, view, finals[i])
                    starts_again = True
        if starts_again:
            open_seat(start, states, i, own, streams, moves)
        awaited = awaits(states[i], own)
        write_mask(states[i], own, awaited, masks[i], marked[i], moves)
        observe(states, i, own, view, observations[i])
