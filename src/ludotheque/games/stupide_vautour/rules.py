"""Stupide Vautour, by Alex Randolph: sealed bids, 2–5 seats, fifteen rounds.

Everyone holds the same cards, 1 to 15. Each round a point card is turned up: a meerkat worth 1 to
10 goes to the highest bid, a vulture worth −1 to −5 to the lowest. Equal bids knock each other out.
[Brackets] cite the sections of the rule sheet; RULES.md tells the game and our rulings.
"""

from ludotheque.engine import (
    CHANCE,
    NOBODY,
    Record,
    a_seat,
    by_seat,
    choice,
    flag,
    number,
    one_of,
    set_of,
    set_of_seats,
    whole,
)

VERSION = 1
SEATS = range(2, 6)
MAX_SEATS = 5

# [Contenu]
POINTS = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
CARDS = 15  # in a series, valued 1 to 15; and as many point cards

MOVES = CARDS + 1  # a move is the value of the card bid; 0 is not a card
OUTCOMES = CARDS  # chance turns up POINTS[outcome]
MAX_MATCH_MOVES = CARDS * (MAX_SEATS + 1)
SCORES = range(-15, 56)  # from all vultures to all meerkats

VULTURES = 5  # among the point cards, which begin with them
FEWEST_CARDS = 2  # of the option `cards`, for short matches and for research
FACE_DOWN = -1  # a bid as others see it before the reveal
UNKNOWN = -99  # a score as others see it
UNMATCHED = 1  # the option `ties` when the best unmatched card takes the stake

OBJECTIONS = ("", "not_now", "not_held")
ALLOWED, NOT_NOW, NOT_HELD = range(len(OBJECTIONS))
OPTIONS = (
    choice("ties", "second best", "unmatched"),
    flag("open_discards"),
    flag("open_scores"),
    whole("cards", FEWEST_CARDS, CARDS, CARDS),
)


class State(Record):
    seats: int = number(0, MAX_SEATS)
    ties: int = number(0, 1)
    open_discards: int = number(0, 1)
    open_scores: int = number(0, 1)
    cards: int = number(0, CARDS)  # in a series, and as many point cards
    rounds: int = number(0, CARDS)  # begun
    waiting: int = number(0, MAX_SEATS)  # seats that have not bid in this round
    stake: int = number(-15, 55)  # the sum of the point cards on the table
    taker: int = a_seat(MAX_SEATS, NOBODY)  # who took the stake of the last round
    pile: int = set_of(CARDS)  # bit i is set while POINTS[i] lies face down
    table: int = set_of(CARDS)  # bit i is set while POINTS[i] is played for
    hands: list[int] = by_seat(MAX_SEATS, set_of(MOVES))  # bit v is set while the card v is held
    # bids[seat]: laid in this round, 0 for none yet
    bids: list[int] = by_seat(MAX_SEATS, one_of(FACE_DOWN, CARDS))
    # tops[seat]: the last card each has played, 0 for none
    tops: list[int] = by_seat(MAX_SEATS, one_of(0, CARDS))
    struck: int = set_of_seats(MAX_SEATS)  # bit s is set if a tie knocked tops[s] out
    scores: list[int] = by_seat(MAX_SEATS, number(UNKNOWN, 55))


def setup(s: State) -> None:  # [Préparation]
    s.taker = NOBODY
    s.pile = point_cards(s)
    for seat in range(s.seats):
        s.hands[seat] = series(s)


def series(s: State) -> int:
    """A full hand: bit v stands for the card of value v."""
    return (1 << s.cards + 1) - 2


def point_cards(s: State) -> int:
    """The point cards that are played for: a third of them vultures, the smallest of each kind."""
    return (1 << s.cards) - 1 << VULTURES - s.cards // 3


def awaits(s: State, seat: int) -> bool:
    if seat == CHANCE:
        return s.waiting == 0 and s.rounds < s.cards
    return s.waiting > 0 and s.bids[seat] == 0


def legal_bits(s: State, seat: int) -> int:
    if not awaits(s, seat):
        return 0
    return s.pile if seat == CHANCE else s.hands[seat]


def is_legal(s: State, seat: int, move: int) -> bool:
    return legal_bits(s, seat) >> move & 1 == 1


def objection(s: State, seat: int, move: int) -> int:
    if not awaits(s, seat):
        return NOT_NOW
    return ALLOWED if is_legal(s, seat, move) else NOT_HELD


def draw_name(s: State) -> int:
    """The round."""
    return s.rounds


def play(s: State, seat: int, move: int) -> None:
    if seat == CHANCE:
        reveal(s, move)
    else:
        bid(s, seat, move)


def reveal(s: State, card: int) -> None:  # [1. Révéler une carte Points]
    s.pile ^= 1 << card
    s.table |= 1 << card
    s.stake += POINTS[card]
    s.rounds += 1
    s.waiting = s.seats


def bid(s: State, seat: int, value: int) -> None:  # [2. Jouer une carte]
    s.hands[seat] ^= 1 << value
    s.bids[seat] = value
    s.waiting -= 1
    if s.waiting == 0:
        award(s)
        stack(s)


def award(s: State) -> None:  # [3. Attribution de la carte Points]
    s.taker = best_bidder(s)
    if s.taker != NOBODY:
        s.scores[s.taker] += s.stake
        s.stake = 0
        s.table = 0


def best_bidder(s: State) -> int:  # [En cas d'égalité !]
    """The seat whose card takes the stake, or NOBODY if ties leave none; tied cards are struck."""
    s.struck = 0
    for _ in range(MAX_SEATS if s.ties == UNMATCHED else 2):
        holder = strongest(s)
        if holder != NOBODY:
            return holder
    return NOBODY


def strongest(s: State) -> int:
    """The seat with the best card that is not struck, or NOBODY if several tie: they are struck."""
    sign = 1 if s.stake >= 0 else -1
    best, holder, tied = -MOVES, NOBODY, 0
    for seat in range(s.seats):
        rank = sign * s.bids[seat]
        if s.struck >> seat & 1 == 0 and rank >= best:
            tied = tied | 1 << seat if rank == best else 1 << seat
            holder = NOBODY if rank == best else seat
            best = rank
    if holder == NOBODY:
        s.struck |= tied
    return holder


def stack(s: State) -> None:  # [4. Fin de la manche]
    for seat in range(s.seats):
        s.tops[seat] = s.bids[seat]
        s.bids[seat] = 0


def is_over(s: State) -> bool:  # [Fin de la partie]
    return s.rounds == s.cards and s.waiting == 0


def score(s: State, seat: int) -> int:
    return s.scores[seat]


def wins(s: State, seat: int) -> bool:
    """The best score that one player holds alone wins; if there is none, the leaders share."""
    unshared = best_unshared_score(s)
    if unshared == UNKNOWN:
        return s.scores[seat] == best_score(s)
    return s.scores[seat] == unshared


def best_score(s: State) -> int:
    best = s.scores[0]
    for seat in range(1, s.seats):
        best = max(best, s.scores[seat])
    return best


def best_unshared_score(s: State) -> int:
    best = UNKNOWN
    for seat in range(s.seats):
        holders = 0
        for other in range(s.seats):
            holders += s.scores[other] == s.scores[seat]
        if holders == 1 and s.scores[seat] > best:
            best = s.scores[seat]
    return best


def hide(s: State, viewer: int) -> None:
    """Bids lie face down until all are in; of what was played only the last card shows."""
    if is_over(s):
        return
    if s.open_scores == 0:
        s.pile = 0
    for seat in range(s.seats):
        if seat != viewer:
            if s.bids[seat] > 0:
                s.hands[seat] |= 1 << s.bids[seat]
                s.bids[seat] = FACE_DOWN
            if s.open_scores == 0:
                s.scores[seat] = UNKNOWN
            if s.open_discards == 0:
                s.hands[seat] = 0


def shows_score(s: State, seat: int) -> bool:
    return s.open_scores == 1 or is_over(s)


def sees(s: State, viewer: int, seat: int, move: int) -> bool:
    return seat == viewer or seat == CHANCE
