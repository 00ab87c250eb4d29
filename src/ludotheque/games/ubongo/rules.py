"""Ubongo, the card game, by Grzegorz Rejchtman: a race of 1–4 seats in six rounds.

Everyone holds nine cards and lays seven of them, all at the same time and as fast as they can.
Cards that touch must show exactly two pairs of equal symbols along their border, and all must hang
together. Whoever has laid seven calls “Ubongo!”, which stops everybody: a right call scores 10, a
wrong one nothing; the others score a point a card if they have laid no card wrongly. Each deal is
played twice, with the white side of the cards and then with the black one.

Nothing stops a player from laying wrongly: only cards on top of each other are refused.
[Brackets] cite the sections of the rule sheet; cards.py holds rule no. 2, how cards may touch, and
layable.py tells whether a hand is playable; RULES.md tells the game and our rulings.
"""

from collections.abc import MutableSequence

from ludotheque.engine import CHANCE, Record, choice, flag, grid, number, row, whole
from ludotheque.games.ubongo.cards import (
    APART,
    GOOD,
    HEIGHT,
    OVERLAP,
    STANDS,
    TURNS,
    WIDTH,
    stand_of,
    touch,
)
from ludotheque.games.ubongo.layable import HAND, SEVEN, can_lay_seven, matches
from ludotheque.games.ubongo.parts import PILE, PILES

VERSION = 1
SEATS = range(1, 5)
MAX_SEATS = 4

# [Contenu]: PILES of PILE cards; card // PILE is its pile
SIDES = 2  # white and black
ROUNDS = PILES * SIDES

TEN = 10  # points for a right call
SAME_TIME = 250  # milliseconds after the first call in which others count as simultaneous
RICHEST, POOREST = 3, 2  # a fair deal: no hand has more than 3/2 the matches of another
MAX_REDEALS = 20

# A place is a turn, a row and a column of the field: (turn * FIELD + y) * FIELD + x.
FIELD = 32  # columns, and rows
FIELD_PLACES = TURNS * FIELD * FIELD
SHIFTS = (-FIELD, 1, FIELD, -1)  # of a place, by a cell up, right, down, left
IN_HAND = -1  # the place of a card that is not laid
SOMEWHERE = -2  # the place of a card that another has laid, as it is seen before the count

# Moves: lay card i of the hand on a place (i * FIELD_PLACES + place), and these.
TAKE_BACK = HAND * FIELD_PLACES  # + the card of the hand
UNLISTED_MOVES = TAKE_BACK  # laying is tried rather than listed
SHIFT = TAKE_BACK + HAND  # + the direction: up, right, down, left
CALL = SHIFT + 4
STOP = CALL + 1  # agree to end the round early
READY = STOP + 1
MOVES = READY + 1

# Outcomes: deal a card of the pile of the round, and this.
CLOSE = PILE  # count the points when time is up
OUTCOMES = CLOSE + 1

# The names of the draws in a round: every card of every attempt to deal, and the closing
ROUND_NAMES = (1 + MAX_REDEALS) * PILE + 1

MEAN_MOVE_MS = 2000
PLAYOUT_OPTIONS = {"time_limit": 60}
RACE_MOVES = 300  # far more than are made at this pace in a race of 60 seconds
MAX_MATCH_MOVES = PILES * PILE * (1 + MAX_REDEALS) + ROUNDS * (MAX_SEATS + RACE_MOVES + 1)

READYING, DEALING, RACING = 0, 1, 2  # the phases of a round
WHITE, BLACK = 0, 1
AUTO, ON, OFF = 0, 1, 2  # the option `assist`
NO_CARD = -1  # in a hand: a card not dealt, or hidden in a view
NOT_CONNECTED = 7  # a fault like those between two cards: the cards form more than one group
FOREVER = (1 << 53) - 1  # milliseconds

# How a layout may fail, by the numbers of the faults.
FAULTS = ("", "", "overlap", "one_cell", "three_cells", "unequal", "crossed", "not_connected")

ALLOWED, NOT_NOW, TOO_LATE, CALLED, OUTSIDE, COVERED, NOT_LAID, TOO_FEW, ALREADY = range(9)
OBJECTIONS = (
    "",
    "not_now",
    "too_late",
    "called",
    "outside",
    "covered",
    "not_laid",
    "too_few",
    "already",
)
OPTIONS = (
    whole("time_limit", 0, 3600, 0),
    choice("assist", "auto", "on", "off"),
    flag("fair_hands", True),
)


class State(Record):
    seats: int = number(0, MAX_SEATS)
    time_limit: int = number(0, 3600)  # seconds a round, 0 for none
    assist: int = number(0, 2)  # AUTO, ON or OFF
    fair_hands: int = number(0, 1)
    clock: int = number(0, FOREVER)  # milliseconds since the match began
    started_at: int = number(0, FOREVER)  # the clock when the race of the round began
    called_at: int = number(0, FOREVER)  # the clock at the first call, if there are callers
    times: list[int] = row(ROUNDS, 0, FOREVER)  # times[round − 1]: milliseconds the race took
    phase: int = number(0, 2)  # READYING, DEALING or RACING
    rounds: int = number(0, ROUNDS)  # begun
    dealt: int = number(0, MAX_SEATS * HAND)  # cards of this deal
    redeals: int = number(0, MAX_REDEALS)  # deals of this round that were not fair
    ready: int = number(0, (1 << MAX_SEATS) - 1)  # bit s is set when seat s is ready for a round
    callers: int = number(0, (1 << MAX_SEATS) - 1)  # bit s is set when seat s has called
    stoppers: int = number(0, (1 << MAX_SEATS) - 1)  # bit s is set when seat s agrees to stop
    hands: list[list[int]] = grid(
        MAX_SEATS, HAND, NO_CARD, PILES * PILE - 1
    )  # cards, laid ones too
    # places[seat][i]: where card i of the hand lies, IN_HAND, or SOMEWHERE in a view
    places: list[list[int]] = grid(MAX_SEATS, HAND, SOMEWHERE, FIELD_PLACES - 1)
    points: list[list[int]] = grid(MAX_SEATS, ROUNDS, 0, TEN)  # points[seat][round − 1]


def setup(s: State) -> None:  # [Préparation du jeu]
    clear_hands(s)
    clear_places(s)


def clear_hands(s: State) -> None:
    for seat in range(MAX_SEATS):
        for i in range(HAND):
            s.hands[seat][i] = NO_CARD
    s.dealt = 0


def clear_places(s: State) -> None:
    for seat in range(MAX_SEATS):
        for i in range(HAND):
            s.places[seat][i] = IN_HAND


# Time


def wait(s: State, milliseconds: int) -> None:
    s.clock += milliseconds


def alarm(s: State) -> int:
    if awaits(s, CHANCE):
        return 0
    if s.phase != RACING or time_limit(s) == FOREVER:
        return -1
    return time_limit(s) - s.clock


def time_limit(s: State) -> int:
    """The clock until which a race lasts: moves that come later are too late."""
    if s.callers != 0:
        return s.called_at + SAME_TIME
    if s.time_limit != 0:
        return s.started_at + s.time_limit * 1000
    return FOREVER


# Whose move it is


def awaits(s: State, seat: int) -> bool:
    if seat == CHANCE:
        return s.phase == DEALING or (s.phase == RACING and s.clock >= time_limit(s))
    if s.phase == READYING:
        return objection_to_ready(s, seat) == ALLOWED
    if s.phase != RACING or s.clock > time_limit(s):
        return False
    if s.callers != 0:
        return objection_to_call(s, seat) == ALLOWED
    return s.stoppers >> seat & 1 == 0


def legal_bits(s: State, seat: int) -> int:
    """The outcomes of chance; it is not asked for seats, which have too many moves."""
    if not awaits(s, CHANCE):
        return 0
    return undealt(s) if s.phase == DEALING else 1 << CLOSE


def draw_name(s: State) -> int:
    """The round, and in it the attempt and the number of the card, or the closing."""
    first = (s.rounds - 1) * ROUND_NAMES
    if s.phase == DEALING:
        return first + s.redeals * PILE + s.dealt
    return first + ROUND_NAMES - 1


def is_legal(s: State, seat: int, move: int) -> bool:
    return objection(s, seat, move) == ALLOWED


def objection(s: State, seat: int, move: int) -> int:
    if seat == CHANCE:
        return ALLOWED if legal_bits(s, CHANCE) >> move & 1 == 1 else NOT_NOW
    if move == READY:
        return objection_to_ready(s, seat)
    now = objection_to_any(s)
    if move == CALL and (now == ALLOWED or now == CALLED):
        return objection_to_call(s, seat)
    if now != ALLOWED:
        return now
    if move == STOP:
        return ALREADY if s.stoppers >> seat & 1 == 1 else ALLOWED
    if move < TAKE_BACK:
        return objection_to_laying(s, seat, move // FIELD_PLACES, move % FIELD_PLACES)
    if move < SHIFT:
        return NOT_LAID if s.places[seat][move - TAKE_BACK] == IN_HAND else ALLOWED
    return objection_to_shift(s, seat, move - SHIFT)


def objection_to_any(s: State) -> int:
    """Why nobody may lay cards now."""
    if s.phase != RACING:
        return NOT_NOW
    if s.clock > time_limit(s):
        return TOO_LATE
    return CALLED if s.callers != 0 else ALLOWED


def legal_moves(s: State, seat: int, moves: MutableSequence[int]) -> int:
    count = 0
    if seat == CHANCE:
        bits = legal_bits(s, CHANCE)
        for outcome in range(OUTCOMES):
            moves[count] = outcome
            count += bits >> outcome & 1
        return count
    if objection_to_any(s) == ALLOWED:
        for i in range(HAND):
            count = list_places(s, seat, i, moves, count)
    for move in range(TAKE_BACK, MOVES):
        if is_legal(s, seat, move):
            moves[count] = move
            count += 1
    return count


def list_places(s: State, seat: int, i: int, moves: MutableSequence[int], count: int) -> int:
    """Write every way to lay a card of the hand, row by row."""
    before = count
    for turn in range(TURNS // 2):
        columns = FIELD + 1 - WIDTH[turn]
        covered = covered_columns(s, seat, i, turn)
        for y in range(FIELD + 1 - HEIGHT[turn]):
            first = i * FIELD_PLACES + (turn * FIELD + y) * FIELD
            if covered[y] == 0:
                for x in range(columns):
                    moves[count + x] = first + x
                count += columns
            else:
                for x in range(columns):
                    moves[count] = first + x
                    count += covered[y] >> x & 1 == 0
    written = count - before
    for n in range(before, count):  # a card turned by half lies on the same cells
        moves[n + written] = moves[n] + TURNS // 2 * FIELD * FIELD
    return count + written


def covered_columns(s: State, seat: int, i: int, turn: int) -> list[int]:
    """The columns, as bits, in which a card laid in each row would overlap another."""
    covered = [0] * FIELD
    for other in range(HAND):
        place = s.places[seat][other]
        if other == i or place < 0:
            continue
        width = WIDTH[turn] + WIDTH[turn_of(place)] - 1
        columns = ((1 << width) - 1) << column_of(place) >> (WIDTH[turn] - 1)
        top = max(0, row_of(place) - HEIGHT[turn] + 1)
        for y in range(top, row_of(place) + HEIGHT[turn_of(place)]):
            covered[y] |= columns
    return covered


def column_of(place: int) -> int:
    return place % FIELD


def row_of(place: int) -> int:
    return place // FIELD % FIELD


def turn_of(place: int) -> int:
    return place // (FIELD * FIELD)


def play(s: State, seat: int, move: int) -> None:
    if seat == CHANCE:
        if move != CLOSE:
            deal(s, move)
    elif move < TAKE_BACK:
        s.places[seat][move // FIELD_PLACES] = move % FIELD_PLACES
    elif move < SHIFT:
        s.places[seat][move - TAKE_BACK] = IN_HAND
    elif move < CALL:
        shift(s, seat, move - SHIFT)
    elif move == CALL:
        call(s, seat)
    elif move == STOP:
        s.stoppers |= 1 << seat
    else:
        be_ready(s, seat)
    if s.phase == RACING and ((seat == CHANCE and move == CLOSE) or s.stoppers == everybody(s)):
        end_round(s)


def objection_to_ready(s: State, seat: int) -> int:
    if s.phase != READYING or is_over(s):
        return NOT_NOW
    return ALREADY if s.ready >> seat & 1 == 1 else ALLOWED


def be_ready(s: State, seat: int) -> None:
    s.ready |= 1 << seat
    if s.ready == everybody(s):
        begin_round(s)


def everybody(s: State) -> int:
    return (1 << s.seats) - 1


def begin_round(s: State) -> None:  # [Le jeu] [4. Tours suivants]
    s.rounds += 1
    s.ready = s.callers = s.stoppers = 0
    s.called_at = 0
    s.redeals = 0
    clear_places(s)
    if side_of(s) == WHITE:
        clear_hands(s)
        s.phase = DEALING
    else:
        start_race(s)


def side_of(s: State) -> int:
    """The side of the cards that this round is played with: WHITE or BLACK."""
    return (s.rounds - 1) % SIDES


def pile_of(s: State) -> int:
    return (s.rounds - 1) // SIDES


# [1. Distribution des cartes]


def undealt(s: State) -> int:
    """The cards left in the pile of the round, as bits; they have no order."""
    left = (1 << PILE) - 1
    for n in range(s.dealt):
        left ^= 1 << s.hands[n % s.seats][n // s.seats] % PILE
    return left


def receiver(s: State) -> int:
    """Who gets the next card: one each in turn."""
    return s.dealt % s.seats


def deal(s: State, outcome: int) -> None:
    s.hands[receiver(s)][s.dealt // s.seats] = pile_of(s) * PILE + outcome
    s.dealt += 1
    if s.dealt < s.seats * HAND:
        return
    if s.fair_hands == 0 or s.redeals == MAX_REDEALS or is_fair(s):
        start_race(s)
    else:
        clear_hands(s)
        s.redeals += 1


def is_fair(s: State) -> bool:
    """Whether, on both sides, the hands are alike and seven cards of each can be laid."""
    for side in range(SIDES):
        if not are_alike(s, side):
            return False
    for seat in range(s.seats):
        for side in range(SIDES):
            if not can_lay_seven(s.hands[seat], side):
                return False
    return True


def are_alike(s: State, side: int) -> bool:
    poorest = richest = matches(s.hands[0], side)
    for seat in range(1, s.seats):
        count = matches(s.hands[seat], side)
        poorest, richest = min(poorest, count), max(richest, count)
    return richest * POOREST <= poorest * RICHEST


# [2. Disposer les cartes]


def start_race(s: State) -> None:
    s.phase = RACING
    s.started_at = s.clock


def objection_to_laying(s: State, seat: int, i: int, place: int) -> int:
    """A card that lies already may be moved or turned; only cards never lie on each other."""
    turn, x, y = turn_of(place), column_of(place), row_of(place)
    if x + WIDTH[turn] > FIELD or y + HEIGHT[turn] > FIELD:
        return OUTSIDE
    for other in range(HAND):
        at = s.places[seat][other]
        if at >= 0 and other != i:
            stands = stand_of(turn, x, y, turn_of(at), column_of(at), row_of(at))
            if STANDS[stands][0] == OVERLAP:
                return COVERED
    return ALLOWED


def objection_to_shift(s: State, seat: int, direction: int) -> int:
    if count_laid(s, seat) == 0:
        return NOT_LAID
    for i in range(HAND):
        if s.places[seat][i] != IN_HAND and is_at_edge(s.places[seat][i], direction):
            return OUTSIDE
    return ALLOWED


def is_at_edge(place: int, direction: int) -> bool:
    if direction == 0:
        return row_of(place) == 0
    if direction == 1:
        return column_of(place) + WIDTH[turn_of(place)] == FIELD
    if direction == 2:
        return row_of(place) + HEIGHT[turn_of(place)] == FIELD
    return column_of(place) == 0


def shift(s: State, seat: int, direction: int) -> None:  # [Règle n° 1]
    """Move all cards by a cell, so that the field is never too small."""
    for i in range(HAND):
        if s.places[seat][i] != IN_HAND:
            s.places[seat][i] += SHIFTS[direction]


def count_laid(s: State, seat: int) -> int:
    count = 0
    for i in range(HAND):
        count += s.places[seat][i] != IN_HAND
    return count


def contact(s: State, seat: int, a: int, b: int) -> int:  # [Règle n° 2]
    """How two cards of a layout stand to each other: APART, GOOD or a fault."""
    one, other = s.places[seat][a], s.places[seat][b]
    if one < 0 or other < 0:
        return APART
    stands = stand_of(
        turn_of(one),
        column_of(one),
        row_of(one),
        turn_of(other),
        column_of(other),
        row_of(other),
    )
    return touch(s.hands[seat][a], s.hands[seat][b], side_of(s), stands)


def stray(laid: int, beside: list[int]) -> int:  # [Règle n° 3]
    """A laid card that does not hang together with the others, or HAND; cards are bits."""
    group = laid & -laid
    for _ in range(HAND):
        for i in range(HAND):
            if beside[i] & group != 0:
                group |= 1 << i
    for i in range(HAND):
        if (laid & ~group) >> i & 1 == 1:
            return i
    return HAND


# [3. Compte des points]


def verdict(s: State, seat: int) -> tuple[int, int, int]:
    """The first fault of a layout and the two cards that make it, or GOOD.

    If the cards do not hang together, the card told twice is one that stands away.
    """
    laid = 0
    beside = [0] * HAND  # the cards that each touches rightly, as bits
    for a in range(HAND):
        laid |= (s.places[seat][a] != IN_HAND) << a
        for b in range(a):
            found = contact(s, seat, a, b)  # APART is 0, GOOD is 1
            if found > GOOD:
                return found, b, a
            beside[a] |= found << b
            beside[b] |= found << a
    alone = stray(laid, beside)
    return (GOOD, 0, 0) if alone == HAND else (NOT_CONNECTED, alone, alone)


def objection_to_call(s: State, seat: int) -> int:
    if s.callers >> seat & 1 == 1:
        return ALREADY
    return TOO_FEW if count_laid(s, seat) < SEVEN else ALLOWED


def call(s: State, seat: int) -> None:
    if s.callers == 0:
        s.called_at = s.clock
    s.callers |= 1 << seat


def end_round(s: State) -> None:
    """A call ends the round, or the limit, or the agreement of all."""
    ended_at = s.called_at if s.callers != 0 else min(s.clock, time_limit(s))
    s.times[s.rounds - 1] = ended_at - s.started_at
    for seat in range(s.seats):
        s.points[seat][s.rounds - 1] = worth(s, seat)
    s.phase = READYING


def worth(s: State, seat: int) -> int:
    """The points for a layout: all its cards must lie rightly, or it is worth nothing."""
    if verdict(s, seat)[0] != GOOD:
        return 0
    return TEN if s.callers >> seat & 1 == 1 else count_laid(s, seat)


# [Fin du jeu]


def is_over(s: State) -> bool:
    return s.rounds == ROUNDS and s.phase == READYING


def score(s: State, seat: int) -> int:
    total = 0
    for n in range(ROUNDS):
        total += s.points[seat][n]
    return total


def tens(s: State, seat: int) -> int:
    """The rounds in which this seat scored 10."""
    count = 0
    for n in range(ROUNDS):
        count += s.points[seat][n] == TEN
    return count


def rank(s: State, seat: int) -> int:
    return score(s, seat) * (ROUNDS + 1) + tens(s, seat)


def wins(s: State, seat: int) -> bool:
    best = 0
    for other in range(s.seats):
        best = max(best, rank(s, other))
    return rank(s, seat) == best


# What is seen


def assists(s: State) -> bool:
    """Whether a board should mark wrong contacts at once."""
    return s.assist == ON or (s.assist == AUTO and s.seats == 1)


def hide(s: State, viewer: int) -> None:
    """In a race everyone sees how many cards the others have laid, but neither which nor where."""
    if s.phase == READYING:
        return
    for seat in range(s.seats):
        if seat != viewer:
            hide_seat(s, seat)


def hide_seat(s: State, seat: int) -> None:
    laid = count_laid(s, seat)
    for i in range(HAND):
        s.hands[seat][i] = NO_CARD
        s.places[seat][i] = SOMEWHERE if i < laid else IN_HAND


def sees(s: State, viewer: int, seat: int, move: int) -> bool:
    if seat == CHANCE:
        return move == CLOSE or receiver(s) == viewer
    return seat == viewer or move >= CALL
