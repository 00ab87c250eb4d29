"""Random play, written as rules are: plain functions that `kernels` compiles beside a game's own.

The names imported from the rulebook stand for the game's functions, which take their place in the
scope where these are compiled. Randomness here is for simulation only: `stream` holds the state of
a SplitMix64 generator for each match, seeded through its own mixer so that streams of neighbouring
seeds do not overlap. Matches between people draw from `chance` instead.
"""

from __future__ import annotations

from typing import Any

from numpy import int64, uint64

from ludotheque.engine.rulebook import (
    MAX_WEIGHT,
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
    legal_moves,
    play,
    set_count,
    wait,
    weight,
)
from ludotheque.engine.seats import CHANCE

RANDOM_TRIES = 30  # random moves tried before all are listed

# SplitMix64's constants. Its sums and products overflow 64 bits, so they are unsigned: compilers
# assume that signed numbers never overflow, and miscompile them if they do.
GAMMA = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB

# For every byte the places of its bits that are set, three bits each, the lowest first.
BIT_PLACES = tuple(
    sum(place << 3 * n for n, place in enumerate([p for p in range(8) if byte >> p & 1]))
    for byte in range(256)
)


def mix(word: Any) -> Any:
    w = uint64(word)
    w = (w ^ w >> uint64(30)) * uint64(MIX_1)
    w = (w ^ w >> uint64(27)) * uint64(MIX_2)
    return int64(w ^ w >> uint64(31))


def hash_combine(word: Any, more: Any) -> Any:
    """A hash of both: it differs if one of them does, except in rare collisions."""
    return mix(word ^ mix(more))


def stream_after(word: Any, steps: Any) -> Any:
    """The state of a random stream this many steps later."""
    return int64(uint64(word) + uint64(steps) * uint64(GAMMA))


def stream_start(seed: int, number: int) -> Any:
    """The start of the random stream of match `number`."""
    return mix(stream_after(mix(stream_after(seed, 1)), number))


def random_below(stream: Any, count: int) -> int:
    """A random number from 0 to count − 1; its bias is less than count in 2³²."""
    stream[0] = stream_after(stream[0], 1)
    return int((mix(stream[0]) >> 32 & 0xFFFFFFFF) * count >> 32)


def popcount(bits: int) -> int:
    bits -= bits >> 1 & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return bits * 0x0101010101010101 >> 56 & 0xFF


def nth_bit(bits: int, n: int) -> int:
    """The place of the n-th bit that is set, from 0: halving without a branch to mispredict."""
    place = 0
    for width in (32, 16, 8):
        below = popcount(bits & (1 << width) - 1)
        skip = int(n >= below)
        n -= below * skip
        place += width * skip
        bits >>= width * skip
    return place + (BIT_PLACES[bits & 0xFF] >> 3 * n & 7)


def random_bit(bits: int, stream: Any) -> int:
    """The place of one of the bits that are set, each equally likely."""
    return nth_bit(bits, random_below(stream, popcount(bits)))


def random_of_sets(sets: Any, stream: Any) -> int:
    """One of the moves in these sets, each equally likely."""
    total = 0
    for n in range(set_count()):
        total += popcount(sets[n])
    ticket = random_below(stream, total)
    n = 0
    while ticket >= popcount(sets[n]):
        ticket -= popcount(sets[n])
        n += 1
    return n * SET_MOVES + nth_bit(sets[n], ticket)


def random_move(s: Any, seat: int, stream: Any, moves: Any) -> int:
    """A legal move, each equally likely."""
    if has_bits(seat):
        return random_bit(legal_bits(s, seat), stream)
    if UNLISTED_MOVES > 0 and seat >= 0:  # most of these are legal: trying is faster than listing
        for _ in range(RANDOM_TRIES):
            move = random_below(stream, MOVES)
            if is_legal(s, seat, move):
                return move
    return int(moves[random_below(stream, legal_moves(s, seat, moves))])


def random_outcome(s: Any, stream: Any, moves: Any) -> int:
    """A legal outcome of chance, each as likely as its weight says."""
    if MAX_WEIGHT == 1:
        return random_move(s, CHANCE, stream, moves)
    total = 0
    for i in range(legal_moves(s, CHANCE, moves)):
        total += weight(s, moves[i])
    ticket = random_below(stream, total)
    place = 0
    while ticket >= weight(s, moves[place]):
        ticket -= weight(s, moves[place])
        place += 1
    return int(moves[place])


def draw_chance(s: Any, stream: Any, moves: Any) -> int:
    """Let chance act until it waits for someone; return how many moves it made."""
    made = 0
    while awaits(s, CHANCE):
        play(s, CHANCE, random_outcome(s, stream, moves))
        made += 1
    return made


def play_round(s: Any, stream: Any, moves: Any) -> int:
    """Let every awaited seat make one random move; return how many were made."""
    made = 0
    for seat in range(s.seats):
        if awaits(s, seat):
            if MEAN_MOVE_MS > 0:
                wait(s, random_below(stream, 2 * MEAN_MOVE_MS))
                if awaits(s, CHANCE):
                    return made
            play(s, seat, random_move(s, seat, stream, moves))
            made += 1
    return made


def playout(s: Any, stream: Any, moves: Any) -> int:
    """Play at random to the end; return the number of moves, chance included."""
    made = draw_chance(s, stream, moves)
    while not is_over(s):
        acted = play_round(s, stream, moves)
        drawn = draw_chance(s, stream, moves)
        if acted + drawn == 0:
            wait(s, alarm(s))
        made += acted + drawn
    return made
