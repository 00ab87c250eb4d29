"""Stupide Vautour, by Alex Randolph: sealed bids, 2–5 seats, fifteen rounds.

Everyone holds the same cards, 1 to 15. Each round a point card is turned up: a meerkat worth 1 to
10 goes to the highest bid, a vulture worth −1 to −5 to the lowest. Equal bids knock each other out.
[Brackets] cite the sections of the rule sheet; RULES.md tells the game and our rulings.
"""

from ludotheque.engine import CHANCE, NOBODY, Record, choice, flag, number, row

VERSION = 1
SEATS = range(2, 6)
MAX_SEATS = 5

# [Contenu]
POINTS = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
CARDS = 15  # in a series, valued 1 to 15; and as many point cards

MOVES = CARDS + 1  # a move is the value of the card bid; 0 is no card
OUTCOMES = CARDS  # chance turns up POINTS[outcome]
MAX_MATCH_MOVES = CARDS * (MAX_SEATS + 1)

SERIES = (1 << MOVES) - 2  # a full hand: bit v stands for the card of value v
FACE_DOWN = -1  # a bid as others see it before the reveal
UNKNOWN = -99  # a score as others see it
UNMATCHED = 1  # the option `ties` when the best unmatched card takes the stake

OBJECTIONS = ("", "not_now", "not_held")
OPTIONS = (choice("ties", "second best", "unmatched"), flag("open_discards"), flag("open_scores"))


class State(Record):
    seats: int = number(0, MAX_SEATS)
    ties: int = number(0, 1)
    open_discards: int = number(0, 1)
    open_scores: int = number(0, 1)
    rounds: int = number(0, CARDS)  # begun
    waiting: int = number(0, MAX_SEATS)  # seats that have not bid in this round
    stake: int = number(-15, 55)  # the sum of the point cards on the table
    taker: int = number(NOBODY, MAX_SEATS - 1)  # who took the stake of the last round
    pile: int = number(0, (1 << CARDS) - 1)  # bit i is set while POINTS[i] lies face down
    table: int = number(0, (1 << CARDS) - 1)  # bit i is set while POINTS[i] is played for
    hands: list[int] = row(MAX_SEATS, 0, SERIES)  # bit v is set while the card v is held
    bids: list[int] = row(MAX_SEATS, FACE_DOWN, CARDS)  # laid in this round, 0 for none yet
    tops: list[int] = row(MAX_SEATS, 0, CARDS)  # the last card each has played, 0 for none
    struck: int = number(0, (1 << MAX_SEATS) - 1)  # bit s is set if a tie knocked tops[s] out
    scores: list[int] = row(MAX_SEATS, UNKNOWN, 55)


def setup(s: State) -> None:  # [Préparation]
    s.taker = NOBODY
    s.pile = (1 << CARDS) - 1
    for seat in range(s.seats):
        s.hands[seat] = SERIES


def awaits(s: State, seat: int) -> bool:
    if seat == CHANCE:
        return s.waiting == 0 and s.rounds < CARDS
    return s.waiting > 0 and s.bids[seat] == 0


def legal_bits(s: State, seat: int) -> int:
    if not awaits(s, seat):
        return 0
    return s.pile if seat == CHANCE else s.hands[seat]


def is_legal(s: State, seat: int, move: int) -> bool:
    return legal_bits(s, seat) >> move & 1 == 1


def objection(s: State, seat: int, move: int) -> int:
    if not awaits(s, seat):
        return 1
    return 0 if is_legal(s, seat, move) else 2


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
    return s.rounds == CARDS and s.waiting == 0


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
