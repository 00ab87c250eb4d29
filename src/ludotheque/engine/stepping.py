"""Many matches stepped together, written as rules are: what `batch` calls compiled.

Arrays have a row for each match, and most of them a row for each seat in it. `choices` are moves;
`masks` marks the listed moves of awaited seats, and `marked` keeps them as sets where a game has
more than bits tell; `observations` has no seats if nobody looks.
"""

from __future__ import annotations

from typing import Any

from ludotheque.engine.flattening import observe, put_set
from ludotheque.engine.playouts import draw_chance, random_move, random_of_sets, stream_start
from ludotheque.engine.rulebook import (
    HAS_SETS,
    MEAN_MOVE_MS,
    MOVES,
    SET_MOVES,
    UNLISTED_MOVES,
    alarm,
    awaits,
    has_bits,
    is_legal,
    is_over,
    legal_bits,
    legal_sets,
    play,
    score,
    set_count,
    wait,
    wins,
)
from ludotheque.engine.seats import CHANCE

__kernels__ = ("open_batch", "choose_batch", "first_illegal", "play_batch")

# What a seat may do


def write_masks(s: Any, masks: Any, marked: Any, moves: Any) -> None:
    """Mark the legal moves of every awaited seat."""
    for seat in range(s.seats):
        write_mask(s, seat, awaits(s, seat), masks[seat], marked[seat], moves)


def write_mask(s: Any, seat: int, awaited: bool, mask: Any, marked: Any, moves: Any) -> None:
    """Moves that are tried rather than listed have no mark."""
    if has_bits(seat):
        put_set(legal_bits(s, seat) if awaited else 0, MOVES, mask, 0)
    elif UNLISTED_MOVES > 0:
        for move in range(UNLISTED_MOVES, MOVES):
            mask[move - UNLISTED_MOVES] = awaited and is_legal(s, seat, move)
    else:
        mark_sets(s, seat, awaited, mask, marked, moves)


def mark_sets(s: Any, seat: int, awaited: bool, mask: Any, marked: Any, sets: Any) -> None:
    """Of a long mask only the sets that have changed are written; `sets` is room for all."""
    last = set_count() - 1
    if awaited:
        legal_sets(s, seat, sets)
    for n in range(last + 1):
        bits = sets[n] if awaited else 0
        if bits != marked[n]:
            marked[n] = bits
            if n < last:
                put_set(bits, SET_MOVES, mask, n * SET_MOVES)
            else:
                put_set(bits, MOVES - last * SET_MOVES, mask, last * SET_MOVES)


def choose(s: Any, seat: int, stream: Any, moves: Any, marked: Any) -> int:
    """A random legal move of an awaited seat whose mask has been written."""
    if UNLISTED_MOVES > 0 or has_bits(seat):
        return random_move(s, seat, stream, moves)
    return random_of_sets(marked, stream)


def random_choice(s: Any, seat: int, stream: Any, moves: Any) -> int:
    """A random legal move, each equally likely; compiled code takes it fastest from sets."""
    if not HAS_SETS:
        return random_move(s, seat, stream, moves)
    legal_sets(s, seat, moves)
    return random_of_sets(moves, stream)


def choose_batch(states: Any, streams: Any, moves: Any, marked: Any, choices: Any) -> None:
    """Choose a random legal move for every awaited seat of every match."""
    for i in range(len(states)):
        s = states[i]
        for seat in range(s.seats):
            if awaits(s, seat):
                own = streams[i : i + 1]
                choices[i, seat] = choose(s, seat, own, moves, marked[i, seat])
            else:
                choices[i, seat] = 0


def first_illegal(states: Any, choices: Any, masks: Any) -> int:
    """The first match in which an awaited seat chose a move it may not make, or −1."""
    for i in range(len(states)):
        for seat in range(states[i].seats):
            if awaits(states[i], seat) and not is_allowed(choices[i, seat], masks[i, seat]):
                return i
    return -1


def is_allowed(move: int, mask: Any) -> bool:
    """Whether the mask of an awaited seat marks this move, or it may be tried."""
    if move < UNLISTED_MOVES:
        return move >= 0
    return move < MOVES and mask[move - UNLISTED_MOVES] == 1


# What happens


def open_match(start: Any, states: Any, i: int, streams: Any, moves: Any) -> None:
    states[i] = start[0]
    draw_chance(states[i], streams[i : i + 1], moves)


def awaited_seats(s: Any) -> int:
    """Bit i is set if seat i is awaited."""
    seats = 0
    for seat in range(s.seats):
        seats |= awaits(s, seat) << seat
    return seats


def play_choice(s: Any, seat: int, move: int, is_first: bool) -> bool:
    """Play what this seat chose when all awaited seats did; say whether that was done.

    A choice that is not legal is passed over: an earlier one may have ended the vote, and moves
    that are tried rather than listed are refused like this.
    """
    is_sure = is_first and UNLISTED_MOVES == 0
    is_played = is_sure or (awaits(s, seat) and is_legal(s, seat, move))
    if is_played:
        play(s, seat, move)
    return is_played


def play_choices(s: Any, choices: Any) -> None:
    """Play the choice of every awaited seat, in the order of the seats."""
    waiting, played = awaited_seats(s), 0
    for seat in range(s.seats):
        if waiting >> seat & 1 == 1:
            played += play_choice(s, seat, choices[seat], played == 0)


def go_on(s: Any, stream: Any, moves: Any) -> None:
    """Let chance act; in a timed game, let the time of a move pass, and more if nobody waits."""
    draw_chance(s, stream, moves)
    if MEAN_MOVE_MS > 0:
        left = MEAN_MOVE_MS
        while left > 0 and not is_over(s):
            until = alarm(s)
            passed = left if until < 0 else min(left, until)
            wait(s, passed)
            left -= passed
            draw_chance(s, stream, moves)
        while not is_over(s) and not is_anyone_awaited(s):
            wait(s, alarm(s))
            draw_chance(s, stream, moves)


def is_anyone_awaited(s: Any) -> bool:
    for seat in range(s.seats):
        if awaits(s, seat):
            return True
    return awaits(s, CHANCE)


def write_result(s: Any, points: Any, shares: Any) -> None:
    """The scores of a match that is over, and the share of each seat in the victory."""
    winners = 0
    for seat in range(s.seats):
        winners += wins(s, seat)
    for seat in range(s.seats):
        points[seat] = score(s, seat)
        shares[seat] = 1 / winners if wins(s, seat) else 0.0


def open_batch(
    start: Any,
    seed: int,
    first: int,
    states: Any,
    streams: Any,
    moves: Any,
    masks: Any,
    marked: Any,
    view: Any,
    observations: Any,
) -> None:
    """Start the matches first, first + 1, …, each with its own random stream."""
    for i in range(len(states)):
        streams[i] = stream_start(seed, first + i)
        open_match(start, states, i, streams, moves)
        write_masks(states[i], masks[i], marked[i], moves)
        for seat in range(observations.shape[1]):
            observe(states, i, seat, view, observations[i, seat])


def play_batch(
    start: Any,
    states: Any,
    streams: Any,
    moves: Any,
    choices: Any,
    masks: Any,
    marked: Any,
    finished: Any,
    points: Any,
    shares: Any,
    view: Any,
    observations: Any,
    finals: Any,
) -> None:
    """Play one move for every awaited seat of every match; start those again that end."""
    for i in range(len(states)):
        s = states[i]
        play_choices(s, choices[i])
        go_on(s, streams[i : i + 1], moves)
        finished[i] = is_over(s)
        if finished[i]:
            write_result(s, points[i], shares[i])
            for seat in range(finals.shape[1]):
                observe(states, i, seat, view, finals[i, seat])
            open_match(start, states, i, streams, moves)
        write_masks(states[i], masks[i], marked[i], moves)
        for seat in range(observations.shape[1]):
            observe(states, i, seat, view, observations[i, seat])
