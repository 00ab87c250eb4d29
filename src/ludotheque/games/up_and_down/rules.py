"""Up & Down, published by Ludolux: tricks with rules that change before each one, 2–4 seats.

The UP & DOWN card in the middle says whether the highest or the lowest card is wanted, and points
one of its four suits at each player; two dice give the value that is trump. Before a trick its
leader changes one of the three. Then all lay a card face down and show them together. Equal values
cancel each other; of the rest only a card of its player's own suit, or a trump, takes the trick.
[Brackets] cite the sections of the rule sheet; RULES.md tells the game and our rulings.
"""

from collections.abc import MutableSequence

from ludotheque.engine import (
    CHANCE,
    NOBODY,
    Record,
    a_seat,
    by_seat,
    choice,
    count_or,
    number,
    one_of,
    row,
    set_of,
    set_of_seats,
    whole,
)

VERSION = 2
SEATS = range(2, 5)
MAX_SEATS = 4

# [Règles de jeu]
SUITS = 4  # rose, feather, monocle, hat
LOWEST = 2  # value of a suit …
HIGHEST = 12  # … with all values between
VALUES = HIGHEST - LOWEST + 1
CARDS = SUITS * VALUES  # card c has suit c // VALUES and value c % VALUES + LOWEST
PACK = (1 << CARDS) - 1
PAIRS = tuple((low, high) for low in range(1, 7) for high in range(low, 7))  # what two dice show

# [La carte Up & Down]: the suits stand on it clockwise, and alike on both sides
UP = 0
DOWN = 1
ROSE = 0

# [1. Distribuer des cartes à chaque joueur]
HAND_SIZE = (0, 0, 15, 14, 11)  # by the number of seats
# The option `values` leaves out values at both ends, the highest first.
# All cards are dealt that can be dealt evenly; two seats leave as large a share of them aside.
FEWEST_VALUES = 2
PACKS = tuple(  # by the number of values: the cards that are played with, as bits
    sum(((1 << n) - 1) << suit * VALUES + (VALUES - n) // 2 for suit in range(SUITS))
    for n in range(VALUES + 1)
)
HAND_SIZES = tuple(  # by the number of values, and of seats
    (0, 0, n * HAND_SIZE[2] // VALUES, SUITS * n // 3, n) for n in range(VALUES + 1)
)
MAX_TRICKS = 15  # in a deal
MAX_PLANNED_DEALS = 10
MAX_DEALS = MAX_PLANNED_DEALS + 1  # one more after a tie

# A move is a card to lay, or one of the leader's changes:
FLIP = CARDS
TURN = FLIP + 1  # + the suit that is to point at the leader
REROLL = TURN + SUITS
MOVES = REROLL + 1
CHANGES = (1 << MOVES) - (1 << FLIP)  # all of them, as bits

# An outcome is a card dealt, a roll of the dice, or a toss of the UP & DOWN card:
ROLL = CARDS  # + the place in PAIRS
TOSS = ROLL + len(PAIRS)  # + side * SUITS + the suit that points at place 0
OUTCOMES = TOSS + 2 * SUITS
MAX_WEIGHT = 2

# The names of the draws in a deal: a card by its number, the toss, the first roll, and further
# rolls, + the tricks played before
TOSS_NAME = CARDS
ROLL_NAME = TOSS_NAME + 1
REROLL_NAME = ROLL_NAME + 1
DEAL_NAMES = REROLL_NAME + MAX_TRICKS

# Four seats have the longest matches; a trick takes a change, perhaps a roll, and their cards
MAX_MATCH_MOVES = MAX_DEALS * (CARDS + 2 + HAND_SIZE[MAX_SEATS] * (2 + MAX_SEATS))
SCORES = range(MAX_DEALS * MAX_TRICKS + 1)

# Phases; chance moves in the first three
DEALING = 0
ROLLING = 1
TOSSING = 2
CHANGING = 3  # the leader changes a rule
CHOOSING = 4  # all lay a card
OVER = 5

# The moves or outcomes that belong to each phase, as the bounds of a range
SPANS = ((0, ROLL), (ROLL, TOSS), (TOSS, OUTCOMES), (FLIP, MOVES), (0, CARDS), (0, 0))

NO_CARD = -1
FACE_DOWN = -2  # a card as others see it before all are laid

# Why the last trick went where it went
BY_TRUMP = 1
BY_HIGHEST = 2
BY_LOWEST = 3
ALL_CANCELLED = 4  # nobody's: every card had its equal
NONE_FITS = 5  # nobody's: what was left was neither trump nor in its player's suit

BEST = HIGHEST + 1  # the strength of a trump: more than any value, from whichever end it counts

ONE_PER_SEAT = 0  # the option `deals`; any other value is their number
EXTRA_DEAL = 0  # the option `ties`
OPTIONS = (
    count_or("deals", "one per seat", MAX_PLANNED_DEALS, former=(("one", 1),)),
    choice("ties", "extra deal", "shared"),
    whole("values", FEWEST_VALUES, VALUES, VALUES),
)

OBJECTIONS = (
    "",
    "not_now",
    "change_first",
    "changed_already",
    "not_leader",
    "same_suit",
    "laid_already",
    "not_held",
    "dealt_already",
    "same_trump",
    "rose_at_nobody",
)
(
    ALLOWED,
    NOT_NOW,
    CHANGE_FIRST,
    CHANGED_ALREADY,
    NOT_LEADER,
    SAME_SUIT,
    LAID_ALREADY,
    NOT_HELD,
    DEALT_ALREADY,
    SAME_TRUMP,
    ROSE_AT_NOBODY,
) = range(len(OBJECTIONS))


class State(Record):
    seats: int = number(0, MAX_SEATS)
    deals: int = number(0, MAX_PLANNED_DEALS)  # to be played, or ONE_PER_SEAT
    ties: int = number(0, 1)
    values: int = number(0, VALUES)  # that each suit has
    phase: int = one_of(0, OVER)  # DEALING … OVER
    deal: int = number(0, MAX_DEALS)  # deals finished; also the column of `tricks` for this deal
    dealt: int = number(0, CARDS)  # cards dealt in this deal, one by one round the table
    side: int = number(0, 1)  # of the UP & DOWN card that shows: UP or DOWN
    facing: int = one_of(0, SUITS - 1)  # the suit at place 0; the others follow clockwise
    leader: int = a_seat(MAX_SEATS)
    pot: int = number(0, MAX_TRICKS)  # tricks of this deal that nobody has won
    taker: int = a_seat(MAX_SEATS, NOBODY)  # of the last trick; NOBODY if it went into the pot
    verdict: int = one_of(0, NONE_FITS)  # why, as listed above; 0 before the first trick
    dice: list[int] = row(2, 0, 6)  # 0 before the first roll of a deal
    laid: list[int] = by_seat(MAX_SEATS, one_of(FACE_DOWN, CARDS - 1))  # for this trick, or NO_CARD
    # trick[seat]: the last trick, a card a seat
    trick: list[int] = by_seat(MAX_SEATS, one_of(NO_CARD, CARDS - 1))
    able: int = set_of_seats(MAX_SEATS)  # bit s is set if trick[s] could have taken it
    tricks: list[list[int]] = by_seat(MAX_SEATS, row(MAX_DEALS, 0, MAX_TRICKS))  # by seat and deal
    hands: list[int] = by_seat(MAX_SEATS, set_of(CARDS))  # bit c is set while card c is held


def suit_of(card: int) -> int:
    return card // VALUES


def value_of(card: int) -> int:
    return card % VALUES + LOWEST


def pack(s: State) -> int:
    """The cards that are played with, as bits."""
    return PACKS[s.values]


def hand_size(s: State) -> int:
    """The cards that a seat is dealt, and the tricks of a deal."""
    return HAND_SIZES[s.values][s.seats]


def setup(s: State) -> None:
    """A blank state is ready to deal, except that 0 is a card and a seat."""
    s.taker = NOBODY
    for seat in range(MAX_SEATS):
        s.laid[seat] = NO_CARD
        s.trick[seat] = NO_CARD


def awaits(s: State, seat: int) -> bool:
    if seat == CHANCE:
        return s.phase <= TOSSING
    if s.phase == CHANGING:
        return seat == s.leader
    return s.phase == CHOOSING and s.laid[seat] == NO_CARD


def is_legal(s: State, seat: int, move: int) -> bool:
    if seat == CHANCE:
        return is_possible(s, move)
    return legal_bits(s, seat) >> move & 1 == 1


def legal_bits(s: State, seat: int) -> int:
    """[1) Changer les règles de pli] a turn must bring a new suit; [2)] any card may be laid."""
    if not awaits(s, seat):
        return 0
    if s.phase == CHOOSING:
        return s.hands[seat]
    return CHANGES ^ 1 << TURN + own_suit(s, seat)


def is_possible(s: State, outcome: int) -> bool:
    """A card is dealt once, a reroll brings a new trump, and a toss points the rose at a seat."""
    if outcome < ROLL:
        return s.phase == DEALING and undealt(s) >> outcome & 1 == 1
    if outcome < TOSS:
        return s.phase == ROLLING and total(outcome - ROLL) != trump(s)
    return s.phase == TOSSING and rose_seat(s, (outcome - TOSS) % SUITS) != NOBODY


def weight(s: State, outcome: int) -> int:
    """Two different dice fall in two ways, a double in one."""
    if ROLL <= outcome < TOSS:
        pair = outcome - ROLL
        return 1 if PAIRS[pair][0] == PAIRS[pair][1] else 2
    return 1


def draw_name(s: State) -> int:
    """The deal, and in it the number of the card, the toss, or the trick that the dice are for."""
    return s.deal * DEAL_NAMES + draw_in_deal(s)


def draw_in_deal(s: State) -> int:
    if s.phase == DEALING:
        return s.dealt
    if s.phase == TOSSING:
        return TOSS_NAME
    return ROLL_NAME if trump(s) == 0 else REROLL_NAME + tricks_played(s)


def legal_moves(s: State, seat: int, moves: MutableSequence[int]) -> int:
    """Try only the moves and outcomes that belong to the phase."""
    if not awaits(s, seat):
        return 0
    if s.phase == DEALING:
        return list_cards(undealt(s), moves)
    count = 0
    for move in range(SPANS[s.phase][0], SPANS[s.phase][1]):
        if is_legal(s, seat, move):
            moves[count] = move
            count += 1
    return count


def list_cards(cards: int, moves: MutableSequence[int]) -> int:
    """A random match spends most of its time here, so there is no branch: a card that does not
    belong here is overwritten by the next one."""
    count = 0
    for card in range(CARDS):
        moves[count] = card
        count += cards >> card & 1
    return count


def objection(s: State, seat: int, move: int) -> int:
    if is_legal(s, seat, move):
        return ALLOWED
    if seat == CHANCE:
        return objection_to_outcome(s, move)
    if s.phase == CHANGING:
        return objection_to_change(s, seat, move)
    if s.phase == CHOOSING:
        return objection_to_card(s, seat, move)
    return NOT_NOW


def objection_to_change(s: State, seat: int, move: int) -> int:
    if move < FLIP:
        return CHANGE_FIRST
    return SAME_SUIT if seat == s.leader else NOT_LEADER


def objection_to_card(s: State, seat: int, move: int) -> int:
    if move >= FLIP:
        return CHANGED_ALREADY
    return NOT_HELD if s.laid[seat] == NO_CARD else LAID_ALREADY


def objection_to_outcome(s: State, outcome: int) -> int:
    if not SPANS[s.phase][0] <= outcome < SPANS[s.phase][1] or not awaits(s, CHANCE):
        return NOT_NOW
    if s.phase == DEALING:
        return DEALT_ALREADY
    return SAME_TRUMP if s.phase == ROLLING else ROSE_AT_NOBODY


def play(s: State, seat: int, move: int) -> None:
    if seat != CHANCE:
        if move < FLIP:
            lay(s, seat, move)
        else:
            change(s, move)
    elif move < ROLL:
        deal_card(s, move)
    elif move < TOSS:
        roll_dice(s, move - ROLL)
    else:
        toss(s, (move - TOSS) // SUITS, (move - TOSS) % SUITS)


def deal_card(s: State, card: int) -> None:  # [1. Distribuer des cartes à chaque joueur]
    s.hands[receiver(s)] |= 1 << card
    s.dealt += 1
    if s.dealt == s.seats * hand_size(s):
        s.phase = ROLLING


def receiver(s: State) -> int:
    """The seat that the next card is dealt to."""
    return s.dealt % s.seats


def undealt(s: State) -> int:
    """While cards are dealt: those that nobody has; the rest is put aside in the end."""
    cards = pack(s)
    for seat in range(s.seats):
        cards &= ~s.hands[seat]
    return cards


def roll_dice(s: State, pair: int) -> None:  # [2. Lancer les deux dés pour définir l'atout]
    """The first roll of a deal is followed by the toss, a later one by the trick."""
    s.phase = TOSSING if trump(s) == 0 else CHOOSING
    s.dice[0] = PAIRS[pair][0]
    s.dice[1] = PAIRS[pair][1]


def total(pair: int) -> int:
    return PAIRS[pair][0] + PAIRS[pair][1]


def trump(s: State) -> int:
    """The value that is trump; 0 before the dice are rolled."""
    return s.dice[0] + s.dice[1]


def toss(s: State, side: int, facing: int) -> None:  # [3. Définir la position de début]
    s.side = side
    s.facing = facing
    s.leader = rose_seat(s, facing)
    s.phase = CHANGING


def place(s: State, seat: int) -> int:
    """The side of the table, 0 to 3 clockwise: two sit face to face, three leave the last empty."""
    return 2 * seat if s.seats == 2 else seat


def own_suit(s: State, seat: int) -> int:
    """The suit that points at this seat."""
    return (s.facing + place(s, seat)) % SUITS


def rose_seat(s: State, facing: int) -> int:
    """The seat that the rose points at when `facing` is the suit at place 0, or NOBODY."""
    for seat in range(s.seats):
        if (facing + place(s, seat)) % SUITS == ROSE:
            return seat
    return NOBODY


def change(s: State, move: int) -> None:  # [1) Changer les règles de pli]
    if move == REROLL:
        s.phase = ROLLING
        return
    if move == FLIP:
        flip(s)
    else:
        turn(s, move - TURN)
    s.phase = CHOOSING


def flip(s: State) -> None:
    s.side = DOWN if s.side == UP else UP


def turn(s: State, suit: int) -> None:
    """Turn the card until this suit points at the leader."""
    s.facing = (suit + SUITS - place(s, s.leader)) % SUITS


def lay(s: State, seat: int, card: int) -> None:  # [2) Choisir une carte]
    s.hands[seat] ^= 1 << card
    s.laid[seat] = card
    if still_choosing(s) == 0:
        award(s)
        clear(s)
        pass_the_lead(s)


def still_choosing(s: State) -> int:
    """How many seats have not laid a card yet."""
    count = 0
    for seat in range(s.seats):
        count += s.laid[seat] == NO_CARD
    return count


def award(s: State) -> None:  # [3) Qui gagne le pli?]
    s.able = able_seats(s)
    s.taker = best_seat(s)
    s.verdict = reason(s)
    if s.taker == NOBODY:  # [Cas spécial: pas de meilleure carte]
        s.pot += 1
    else:
        s.tricks[s.taker][s.deal] += 1 + s.pot
        s.pot = 0


def able_seats(s: State) -> int:
    """Which seats have laid a card that could take the trick, as bits."""
    bits = 0
    for seat in range(s.seats):
        bits |= (strength_of(s, seat) > 0) << seat
    return bits


def best_seat(s: State) -> int:
    """The seat that has laid the best card, or NOBODY."""
    best, holder = 0, NOBODY
    for seat in range(s.seats):
        strength = strength_of(s, seat)
        if strength > best:
            best, holder = strength, seat
    return holder


def strength_of(s: State, seat: int) -> int:  # [Déterminer la meilleure carte]
    """The strength of the card that this seat has laid; 0 if it cannot take the trick."""
    if is_cancelled(s, seat):
        return 0
    value = value_of(s.laid[seat])
    if value == trump(s):
        return BEST
    if suit_of(s.laid[seat]) != own_suit(s, seat):
        return 0
    return value if s.side == UP else HIGHEST + LOWEST - value


def is_cancelled(s: State, seat: int) -> bool:
    """Whether another seat has laid a card of the same value."""
    for other in range(s.seats):
        if other != seat and value_of(s.laid[other]) == value_of(s.laid[seat]):
            return True
    return False


def reason(s: State) -> int:
    """Why `taker` has won the trick, or why nobody has."""
    if s.taker == NOBODY:
        return ALL_CANCELLED if survivors(s) == 0 else NONE_FITS
    if value_of(s.laid[s.taker]) == trump(s):
        return BY_TRUMP
    return BY_HIGHEST if s.side == UP else BY_LOWEST


def survivors(s: State) -> int:
    """How many of the cards laid have no equal."""
    count = 0
    for seat in range(s.seats):
        count += not is_cancelled(s, seat)
    return count


def clear(s: State) -> None:
    for seat in range(s.seats):
        s.trick[seat] = s.laid[seat]
        s.laid[seat] = NO_CARD


def pass_the_lead(s: State) -> None:  # [4) Nouveau chef de pli]
    s.leader = (s.leader + 1) % s.seats
    s.phase = CHANGING
    if s.hands[0] == 0:
        end_deal(s)


def end_deal(s: State) -> None:
    s.deal += 1
    if s.deal < planned_deals(s) or is_extra_deal_due(s):
        begin_deal(s)
    else:
        s.phase = OVER


def planned_deals(s: State) -> int:
    return s.seats if s.deals == ONE_PER_SEAT else s.deals


def is_extra_deal_due(s: State) -> bool:
    return s.ties == EXTRA_DEAL and s.deal == planned_deals(s) and leaders(s) > 1


def begin_deal(s: State) -> None:
    """A pot that nobody won in the last deal is lost."""
    s.phase = DEALING
    s.dealt = 0
    s.pot = 0
    s.dice[0] = 0
    s.dice[1] = 0


def is_over(s: State) -> bool:
    return s.phase == OVER


def tricks_played(s: State) -> int:
    """The tricks of this deal: each was taken or lies in the pot."""
    count = s.pot
    for seat in range(s.seats):
        count += s.tricks[seat][s.deal]
    return count


def score(s: State, seat: int) -> int:
    """The tricks of all deals."""
    tricks = 0
    for deal in range(MAX_DEALS):
        tricks += s.tricks[seat][deal]
    return tricks


def wins(s: State, seat: int) -> bool:  # [But du jeu]
    return score(s, seat) == best_score(s)


def best_score(s: State) -> int:
    best = 0
    for seat in range(s.seats):
        best = max(best, score(s, seat))
    return best


def leaders(s: State) -> int:
    """How many seats share the first place."""
    count = 0
    for seat in range(s.seats):
        count += score(s, seat) == best_score(s)
    return count


def hide(s: State, viewer: int) -> None:
    """Hands are secret, and cards lie face down until all are laid."""
    for seat in range(s.seats):
        if seat != viewer:
            s.hands[seat] = 0
            if s.laid[seat] != NO_CARD:
                s.laid[seat] = FACE_DOWN


def sees(s: State, viewer: int, seat: int, move: int) -> bool:
    """Only its receiver sees a dealt card, only its owner a laid one; all the rest is open."""
    return move >= CARDS or viewer == (receiver(s) if seat == CHANCE else seat)
