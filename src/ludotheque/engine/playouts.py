"""Random play, written as rules are: plain functions that `kernels` compiles beside a game's own.

The names imported from the rulebook stand for the game's functions, which take their place in the
scope where these are compiled. Randomness here is for simulation only: `dice` holds a SplitMix64
stream for each match, seeded through its own mixer so that streams of neighbouring seeds do not
overlap. Matches between people draw from `chance` instead.
"""

from __future__ import annotations

from typing import Any

from numpy import int64, uint64

from ludotheque.engine.rulebook import (
    HAS_BITS,
    MAX_LEGAL_BITS,
    MAX_WEIGHT,
    MEAN_MOVE_MS,
    MOVES,
    OUTCOMES,
    UNLISTED_MOVES,
    alarm,
    awaits,
    is_legal,
    is_over,
    legal_bits,
    legal_moves,
    play,
    score,
    wait,
    weight,
    wins,
)
from ludotheque.engine.seats import CHANCE

__kernels__ = ("play_matches", "open_batch", "choose_batch", "first_illegal", "play_batch")

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

# For every byte its bits, one after the other: eight marks of a mask at a time.
BYTE_BITS = tuple(bytes(byte >> place & 1 for place in range(8)) for byte in range(256))


def mix(word: Any) -> Any:
    w = uint64(word)
    w = (w ^ w >> uint64(30)) * uint64(MIX_1)
    w = (w ^ w >> uint64(27)) * uint64(MIX_2)
    return int64(w ^ w >> uint64(31))


def hash_combine(word: Any, more: Any) -> Any:
    """A hash of both: it differs if one of them does, except in rare collisions."""
    return mix(word ^ mix(more))


def stream_after(word: Any, steps: Any) -> Any:
    """The state of a random stream so many steps later."""
    return int64(uint64(word) + uint64(steps) * uint64(GAMMA))


def stream_start(seed: int, number: int) -> Any:
    """The start of the random stream of match `number`."""
    return mix(stream_after(mix(stream_after(seed, 1)), number))


def roll(dice: Any, sides: int) -> int:
    """A random number from 0 to sides − 1; its bias is less than sides in 2³²."""
    dice[0] = stream_after(dice[0], 1)
    return int((mix(dice[0]) >> 32 & 0xFFFFFFFF) * sides >> 32)


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


def random_bit(bits: int, dice: Any) -> int:
    """The place of one of the bits that are set, each equally likely."""
    return nth_bit(bits, roll(dice, popcount(bits)))


def random_move(s: Any, seat: int, dice: Any, moves: Any) -> int:
    """A legal move, each equally likely."""
    if HAS_BITS and (MOVES if seat >= 0 else OUTCOMES) <= MAX_LEGAL_BITS:
        return random_bit(legal_bits(s, seat), dice)
    if UNLISTED_MOVES > 0 and seat >= 0:  # most of these are legal: trying is faster than listing
        for _ in range(RANDOM_TRIES):
            move = roll(dice, MOVES)
            if is_legal(s, seat, move):
                return move
    return int(moves[roll(dice, legal_moves(s, seat, moves))])


def random_outcome(s: Any, dice: Any, moves: Any) -> int:
    """A legal outcome of chance, each as likely as its weight says."""
    if MAX_WEIGHT == 1:
        return random_move(s, CHANCE, dice, moves)
    total = 0
    for i in range(legal_moves(s, CHANCE, moves)):
        total += weight(s, moves[i])
    ticket = roll(dice, total)
    place = 0
    while ticket >= weight(s, moves[place]):
        ticket -= weight(s, moves[place])
        place += 1
    return int(moves[place])


def draw_chance(s: Any, dice: Any, moves: Any) -> int:
    """Let chance act until it waits for someone; return how many moves it made."""
    made = 0
    while awaits(s, CHANCE):
        play(s, CHANCE, random_outcome(s, dice, moves))
        made += 1
    return made


def play_round(s: Any, dice: Any, moves: Any) -> int:
    """Let every awaited seat make one random move; return how many were made."""
    made = 0
    for seat in range(s.seats):
        if awaits(s, seat):
            if MEAN_MOVE_MS > 0:
                wait(s, roll(dice, 2 * MEAN_MOVE_MS))
                if awaits(s, CHANCE):
                    return made
            play(s, seat, random_move(s, seat, dice, moves))
            made += 1
    return made


def playout(s: Any, dice: Any, moves: Any) -> int:
    """Play at random to the end; return the number of moves, chance included."""
    made = draw_chance(s, dice, moves)
    while not is_over(s):
        acted = play_round(s, dice, moves)
        drawn = draw_chance(s, dice, moves)
        if acted + drawn == 0:
            wait(s, alarm(s))
        made += acted + drawn
    return made


def play_matches(
    start: Any, seed: int, first: int, count: int, dice: Any, moves: Any, won: Any, points: Any
) -> int:
    """Play matches first … first + count − 1; add up wins and points; return the moves made.

    start[0] is the state they all begin from, start[1] the one they are played in.
    """
    made = 0
    for number in range(first, first + count):
        start[1] = start[0]
        dice[0] = stream_start(seed, number)
        made += playout(start[1], dice, moves)
        for seat in range(start[1].seats):
            won[seat] += wins(start[1], seat)
            points[seat] += score(start[1], seat)
    return made


def open_batch(start: Any, seed: int, states: Any, dice: Any, moves: Any, masks: Any) -> None:
    """Start as many matches as there are states, each with its own random stream."""
    for i in range(len(states)):
        states[i] = start[0]
        dice[i] = stream_start(seed, i)
        draw_chance(states[i], dice[i : i + 1], moves)
        write_masks(states[i], masks[i])


def write_masks(s: Any, masks: Any) -> None:
    """Mark the legal moves of every awaited seat."""
    for seat in range(s.seats):
        awaited = awaits(s, seat)
        if HAS_BITS and MOVES <= MAX_LEGAL_BITS:
            spread_bits(legal_bits(s, seat) if awaited else 0, masks[seat])
        else:
            for move in range(MOVES):
                masks[seat, move] = awaited and is_legal(s, seat, move)


def spread_bits(bits: int, mask: Any) -> None:
    for first in range(0, MOVES, 8):
        byte = bits >> first & 0xFF
        for place in range(min(8, MOVES - first)):
            mask[first + place] = BYTE_BITS[byte][place]


def choose_batch(states: Any, dice: Any, moves: Any, choices: Any) -> None:
    """Choose a random legal move for every awaited seat of every match."""
    for i in range(len(states)):
        for seat in range(states[i].seats):
            if awaits(states[i], seat):
                choices[i, seat] = random_move(states[i], seat, dice[i : i + 1], moves)


def first_illegal(choices: Any, masks: Any) -> int:
    """The first match in which an awaited seat chose a move it may not make, or −1."""
    for i in range(len(choices)):
        for seat in range(choices.shape[1]):
            chosen = choices[i, seat]
            if not 0 <= chosen < MOVES:
                return i
            if masks[i, seat, chosen] == 0 and masks[i, seat].any():
                return i
    return -1


def play_batch(
    start: Any,
    states: Any,
    dice: Any,
    moves: Any,
    choices: Any,
    masks: Any,
    finished: Any,
    points: Any,
) -> None:
    """Play one move for every awaited seat of every match; start those again that end."""
    for i in range(len(states)):
        s = states[i]
        for seat in range(s.seats):
            if masks[i, seat, choices[i, seat]] == 1:
                play(s, seat, choices[i, seat])
        draw_chance(s, dice[i : i + 1], moves)
        finished[i] = is_over(s)
        if finished[i]:
            for seat in range(s.seats):
                points[i, seat] = score(s, seat)
            states[i] = start[0]
            draw_chance(states[i], dice[i : i + 1], moves)
        write_masks(states[i], masks[i])
