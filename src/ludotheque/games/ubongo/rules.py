"""Ubongo, the card game, by Grzegorz Rejchtman: a race of 1–4 seats in six rounds.

Every player holds nine cards and tries to lay seven of them; all play at the same time, as fast as
they can. Cards that touch must show exactly two pairs of equal symbols along their border, and all
of them form one group. A player who has laid seven cards calls “Ubongo!”, and everybody stops. A
correct call scores 10, a wrong one nothing; the others score a point a card if all their cards are
laid correctly. Each deal is played twice, with the white side of the cards and then the black one.

The rules let players lay cards wrongly: they only refuse cards on top of each other. A race of
several players begins with a countdown: while it runs nobody lays a card, and no time passes in
the race.
[Brackets] cite the sections of the rule sheet. cards.py holds rule no. 2, how cards may touch;
field.py where they lie; layable.py whether a deal is fair. RULES.md has the game and our rulings.
"""

from collections.abc import MutableSequence

from ludotheque.engine import (
    CHANCE,
    Record,
    by_seat,
    choice,
    flag,
    number,
    one_of,
    row,
    row_of,
    set_of_seats,
    whole,
)
from ludotheque.games.ubongo.cards import APART, GOOD, touch
from ludotheque.games.ubongo.field import (
    FIELD_PLACES,
    IN_HAND,
    SHIFTS,
    SOMEWHERE,
    is_at_edge,
    is_covered,
    is_inside,
    list_free_places,
    relation_of,
)
from ludotheque.games.ubongo.layable import HAND, SIDES, SPARE, is_fair
from ludotheque.games.ubongo.parts import PILE, PILES

VERSION = 2
SEATS = range(1, 5)
RACE = True
MAX_SEATS = 4

# [Contenu]: PILES of PILE cards; card // PILE is its pile
ROUNDS = PILES * SIDES

FEWEST_CARDS = 4  # of the option `cards`: two to lay, and two to spare
TEN = 10  # points for a correct call
SCORES = range(ROUNDS * TEN + 1)
SAME_TIME_MS = 250  # a call so soon after the first one counts as simultaneous
MAX_REDEALS = 20  # then even an unfair deal is played

# Moves: lay card i of the hand on a place (i * FIELD_PLACES + place), and these.
TAKE_BACK = HAND * FIELD_PLACES  # + the card of the hand
UNLISTED_MOVES = TAKE_BACK  # laying is tried rather than listed
SHIFT = TAKE_BACK + HAND  # + the direction: up, right, down, left
CALL = SHIFT + 4
STOP = CALL + 1  # agree to end the round early
READY = STOP + 1
MOVES = READY + 1

# Outcomes: deal a card of the round's pile, and this.
CLOSE = PILE  # count the points when time is up, or nobody goes on
GO = CLOSE + 1  # start the race when the countdown is over
OUTCOMES = GO + 1

# The names of the draws in a round: every card of every attempt to deal, and one for GO and CLOSE,
# where there is nothing to choose.
ROUND_NAMES = (1 + MAX_REDEALS) * PILE + 1

MEAN_MOVE_MS = 2000  # between two moves in playouts
PLAYOUT_OPTIONS = {"time_limit": 60}
RACE_MOVES = 300  # far more than a race of 60 seconds has at this pace
MAX_MATCH_MOVES = PILES * PILE * (1 + MAX_REDEALS) + ROUNDS * (MAX_SEATS + RACE_MOVES + 2)

READYING, DEALING, STARTING, RACING = 0, 1, 2, 3  # the phases of a round
WHITE, BLACK = 0, 1
AUTO, ON, OFF = 0, 1, 2  # the option `assist`
ENDS_THE_ROUND, CALLER_IS_OUT = 0, 1  # the option `wrong_call`
NO_CARD = -1  # in a hand: a card not dealt, or hidden in a view
NOT_CONNECTED = 7  # a fault like those between two cards: there is more than one group
FOREVER = (1 << 53) - 1  # milliseconds

# The names of the faults, by their numbers.
FAULTS = ("", "", "overlap", "one_cell", "three_cells", "unequal", "crossed", "not_connected")

OBJECTIONS = (
    "",
    "not_now",
    "not_yet",
    "too_late",
    "out",
    "called",
    "outside",
    "covered",
    "not_laid",
    "too_few",
    "already",
    "not_held",
    "too_few_of_hand",
)
(
    ALLOWED,
    NOT_NOW,
    NOT_YET,
    TOO_LATE,
    OUT,
    CALLED,
    OUTSIDE,
    COVERED,
    NOT_LAID,
    TOO_FEW,
    ALREADY,
    NOT_HELD,
    TOO_FEW_OF_HAND,
) = range(len(OBJECTIONS))
OPTIONS = (
    whole("time_limit", 0, 3600, 0),
    choice("assist", "auto", "on", "off"),
    flag("fair_hands", True),
    whole("countdown", 0, 10, 3, absent=0),
    choice("wrong_call", "ends the round", "caller is out"),
    whole("cards", FEWEST_CARDS, HAND, HAND),
)


class State(Record):
    seats: int = number(0, MAX_SEATS)
    time_limit: int = number(0, 3600)  # seconds a round, 0 for none
    assist: int = number(0, 2)  # AUTO, ON or OFF
    fair_hands: int = number(0, 1)
    countdown: int = number(0, 10)  # seconds before a race of several seats
    wrong_call: int = number(0, 1)  # ENDS_THE_ROUND or CALLER_IS_OUT
    cards: int = number(0, HAND)  # of a hand
    clock: int = number(0, FOREVER)  # milliseconds since the match began
    started_at: int = number(0, FOREVER)  # the clock when the race of the round began, or will
    called_at: int = number(0, FOREVER)  # the clock at the first call, if there are callers
    # calls[seat]: the clock at the call of each of the callers
    calls: list[int] = by_seat(MAX_SEATS, number(0, FOREVER))
    times: list[int] = row(ROUNDS, 0, FOREVER)  # times[round − 1]: milliseconds the race took
    phase: int = one_of(0, 3)  # READYING, DEALING, STARTING or RACING
    rounds: int = number(0, ROUNDS)  # begun
    dealt: int = number(0, MAX_SEATS * HAND)  # cards of this deal
    redeals: int = number(0, MAX_REDEALS)  # deals of this round that were not fair
    ready: int = set_of_seats(MAX_SEATS)  # bit s is set when seat s is ready for a round
    callers: int = set_of_seats(MAX_SEATS)  # bit s is set when seat s has called
    stoppers: int = set_of_seats(MAX_SEATS)  # bit s is set when seat s agrees to stop
    out: int = set_of_seats(MAX_SEATS)  # bit s is set when seat s is out of the round
    # hands[seat]: cards, laid or not
    hands: list[list[int]] = by_seat(MAX_SEATS, row_of(HAND, one_of(NO_CARD, PILES * PILE - 1)))
    # places[seat][i]: where card i of the hand lies, IN_HAND, or SOMEWHERE in a view
    places: list[list[int]] = by_seat(MAX_SEATS, row(HAND, SOMEWHERE, FIELD_PLACES - 1))
    points: list[list[int]] = by_seat(MAX_SEATS, row(ROUNDS, 0, TEN))  # points[seat][round − 1]
    # verdicts[seat] after a round, or out of it: what `verdict` found, GOOD or a fault, two cards
    verdicts: list[list[int]] = by_seat(MAX_SEATS, row_of(3, one_of(0, HAND - 1)))


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


def clear_verdicts(s: State) -> None:
    for seat in range(MAX_SEATS):
        write_verdict(s, seat, (0, 0, 0))


def write_verdict(s: State, seat: int, found: tuple[int, int, int]) -> None:
    s.verdicts[seat][0], s.verdicts[seat][1], s.verdicts[seat][2] = found


# Time


def wait(s: State, milliseconds: int) -> None:
    s.clock += milliseconds


def alarm(s: State) -> int:
    if awaits(s, CHANCE):
        return 0
    if s.phase == STARTING:
        return s.started_at - s.clock
    if s.phase != RACING or time_limit(s) == FOREVER:
        return -1
    return time_limit(s) - s.clock


def time_limit(s: State) -> int:
    """The clock at which a race ends: moves that come later are too late."""
    if s.callers != 0:
        return s.called_at + SAME_TIME_MS
    if s.time_limit != 0:
        return s.started_at + s.time_limit * 1000
    return FOREVER


# Whose move it is


def awaits(s: State, seat: int) -> bool:
    if seat == CHANCE:
        return awaits_chance(s)
    if s.phase == READYING:
        return objection_to_ready(s, seat) == ALLOWED
    now = objection_to_any(s, seat)
    if now == CALLED:
        return objection_to_call(s, seat) == ALLOWED
    return now == ALLOWED and s.stoppers >> seat & 1 == 0


def awaits_chance(s: State) -> bool:
    if s.phase == RACING:
        return s.clock >= time_limit(s) or is_abandoned(s)
    return s.phase == DEALING or (s.phase == STARTING and s.clock >= s.started_at)


def is_out(s: State, seat: int) -> bool:
    """Whether a wrong call has taken this seat out of the round."""
    return s.out >> seat & 1 == 1


def is_abandoned(s: State) -> bool:
    """Whether everybody is out of the round or agrees to stop."""
    return s.out | s.stoppers == everybody(s)


def legal_bits(s: State, seat: int) -> int:
    """The outcomes of chance; a seat has more moves than a number has bits."""
    if not awaits(s, CHANCE):
        return 0
    if s.phase == DEALING:
        return undealt(s)
    return 1 << (GO if s.phase == STARTING else CLOSE)


def draw_name(s: State) -> int:
    """The round; within it the attempt and the number of the card, or that of GO and CLOSE."""
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
    now = objection_to_any(s, seat)
    if move == CALL and (now == ALLOWED or now == CALLED):
        return objection_to_call(s, seat)
    if now != ALLOWED:
        return now
    if move == STOP and s.callers != 0:
        return CALLED  # it comes late, and a call that was told stands
    if move == STOP:
        return ALREADY if s.stoppers >> seat & 1 == 1 else ALLOWED
    if move < TAKE_BACK:
        return objection_to_laying(s, seat, move // FIELD_PLACES, move % FIELD_PLACES)
    if move < SHIFT:
        return NOT_LAID if s.places[seat][move - TAKE_BACK] == IN_HAND else ALLOWED
    return objection_to_shift(s, seat, move - SHIFT)


def objection_to_any(s: State, seat: int) -> int:
    """Why a seat may not lay cards now."""
    if s.phase != RACING:
        return NOT_YET if s.phase == STARTING else NOT_NOW
    if s.clock < s.started_at:
        return NOT_YET
    if s.clock > time_limit(s):
        return TOO_LATE
    if is_out(s, seat):
        return OUT
    return CALLED if is_called(s) else ALLOWED


def is_called(s: State) -> bool:
    """Whether somebody has called by now; the clock may have been turned back for a late move."""
    return s.callers != 0 and s.clock >= s.called_at


def legal_moves(s: State, seat: int, moves: MutableSequence[int]) -> int:
    count = 0
    if seat == CHANCE:
        bits = legal_bits(s, CHANCE)
        for outcome in range(OUTCOMES):
            moves[count] = outcome
            count += bits >> outcome & 1
        return count
    if objection_to_any(s, seat) == ALLOWED:
        for i in range(s.cards):
            count = list_free_places(s.places[seat], i, moves, count)
    for move in range(TAKE_BACK, MOVES):
        if is_legal(s, seat, move):
            moves[count] = move
            count += 1
    return count


def play(s: State, seat: int, move: int) -> None:
    if seat == CHANCE:
        if move < CLOSE:
            deal(s, move)
        elif move == GO:
            start_race(s)
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
    s.ready = s.callers = s.stoppers = s.out = 0
    s.called_at = 0
    for seat in range(MAX_SEATS):
        s.calls[seat] = 0
    s.redeals = 0
    clear_places(s)
    clear_verdicts(s)
    if side_of(s) == WHITE:
        clear_hands(s)
        s.phase = DEALING
    else:
        count_down(s)


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
    """The seat that gets the next card: one each in turn."""
    return s.dealt % s.seats


def deal(s: State, outcome: int) -> None:
    s.hands[receiver(s)][s.dealt // s.seats] = pile_of(s) * PILE + outcome
    s.dealt += 1
    if s.dealt < s.seats * s.cards:
        return
    if s.fair_hands == 0 or s.redeals == MAX_REDEALS or is_fair(s.hands, s.seats, s.cards):
        count_down(s)
    else:
        clear_hands(s)
        s.redeals += 1


# [2. Disposer les cartes]


def count_down(s: State) -> None:
    """Start the race, or count down to it: one player alone needs no signal."""
    if s.countdown == 0 or s.seats == 1:
        start_race(s)
    else:
        s.phase = STARTING
        s.started_at = s.clock + s.countdown * 1000


def start_race(s: State) -> None:
    s.phase = RACING
    s.started_at = s.clock


def objection_to_laying(s: State, seat: int, i: int, place: int) -> int:
    """A laid card may be moved or turned, but no card may lie on another."""
    if i >= s.cards:
        return NOT_HELD
    if not is_inside(place):
        return OUTSIDE
    return COVERED if is_covered(s.places[seat], i, place) else ALLOWED


def objection_to_shift(s: State, seat: int, direction: int) -> int:
    if count_laid(s, seat) == 0:
        return NOT_LAID
    for i in range(HAND):
        if s.places[seat][i] != IN_HAND and is_at_edge(s.places[seat][i], direction):
            return OUTSIDE
    return ALLOWED


def shift(s: State, seat: int, direction: int) -> None:  # [Règle n° 1]
    """Move all laid cards by a cell, so that the field is never too small."""
    for i in range(HAND):
        if s.places[seat][i] != IN_HAND:
            s.places[seat][i] += SHIFTS[direction]


def count_laid(s: State, seat: int) -> int:
    count = 0
    for i in range(HAND):
        count += s.places[seat][i] != IN_HAND
    return count


def contact(s: State, seat: int, a: int, b: int) -> int:  # [Règle n° 2]
    """How two cards of a layout touch: APART, GOOD or a fault."""
    place, other = s.places[seat][a], s.places[seat][b]
    if place < 0 or other < 0:
        return APART
    return touch(s.hands[seat][a], s.hands[seat][b], side_of(s), relation_of(place, other))


def stray(laid: int, beside: list[int]) -> int:  # [Règle n° 3]
    """A laid card outside the group of the first one, or HAND if there is none; cards are bits."""
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

    If there is more than one group, both cards are the same one, outside the first group.
    """
    laid = 0
    beside = [0] * HAND  # the cards that each touches correctly, as bits
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
    if count_laid(s, seat) >= call_needs(s):
        return ALLOWED
    return TOO_FEW if s.cards == HAND else TOO_FEW_OF_HAND


def call_needs(s: State) -> int:
    """How many cards must be laid before a call: all but SPARE."""
    return s.cards - SPARE


def call(s: State, seat: int) -> None:
    """A call stops all, but a wrong one only the caller if the table has chosen so."""
    if s.wrong_call == CALLER_IS_OUT and not is_called(s) and verdict(s, seat)[0] != GOOD:
        write_verdict(s, seat, verdict(s, seat))
        s.out |= 1 << seat
        return
    if not is_called(s):
        s.called_at = s.clock
    s.calls[seat] = s.clock
    s.callers |= 1 << seat


def end_round(s: State) -> None:
    """A call, the time limit or the agreement of all who are left ends the round."""
    ended_at = s.called_at if s.callers != 0 else min(s.clock, time_limit(s))
    s.times[s.rounds - 1] = ended_at - s.started_at
    for seat in range(s.seats):
        write_verdict(s, seat, verdict(s, seat))
        s.points[seat][s.rounds - 1] = worth(s, seat)
    s.phase = READYING


def worth(s: State, seat: int) -> int:
    """The points for a layout; a single fault makes it worthless."""
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
    """In a race, players see how many cards the others have laid, but not which or where."""
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
        return move >= CLOSE or receiver(s) == viewer
    return seat == viewer or move >= CALL
