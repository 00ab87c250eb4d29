"""What stays true of every state, and what each viewer may not know."""

from collections.abc import Iterator
from random import Random

from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.games.whats_up.rules import (
    CARDS,
    COLOURS,
    DECK,
    FACES,
    HOLE,
    LEFTOVER,
    State,
    face_of,
    fits,
    is_vote_open,
    quiet_limit,
)


def faults(s: State) -> Iterator[str]:
    """Cards are conserved, and every field agrees with the table."""
    yield from _card_faults(s)
    yield from _turn_faults(s)


def _card_faults(s: State) -> Iterator[str]:
    lying = [c for c in range(CARDS) if s.up[c] != HOLE]
    pairs = [tuple(sorted((s.up[c], s.down[c]))) for c in lying]
    if not set(pairs) <= set(DECK) or len(set(pairs)) != len(pairs):
        yield "a card on the table is not of the deck, or lies there twice"
    if any(s.undealt >> DECK.index(pair) & 1 for pair in pairs if pair in DECK):
        yield "a card lies on the table and is still to be dealt"
    if s.undealt.bit_count() != CARDS - s.dealt:
        yield "the deck does not shrink by one card a cell"
    taken = [
        face_of(colour, birds)
        for row in s.rows
        for colour in range(COLOURS)
        for birds in range(1, row[colour] + 1)
    ]
    if len(lying) + len(taken) != s.dealt:
        yield "cards were made or lost"
    faces = taken + [face for pair in pairs for face in pair]
    if any(faces.count(face) > sum(face in card for card in DECK) for face in FACES):
        yield "a face shows more often than the deck has it"
    for cell in range(CARDS):
        if (s.up[cell] == HOLE) != (s.down[cell] == HOLE):
            yield f"cell {cell} has one face only"
        if s.up[cell] == HOLE and s.seen >> cell & 1:
            yield f"cell {cell} is empty, but what lies under it was seen"


def _turn_faults(s: State) -> Iterator[str]:
    if s.turn >= s.seats:
        yield f"it is the turn of seat {s.turn}, which nobody has"
    if s.turn != CHANCE and s.dealt < CARDS:
        yield "the match goes on before all cards are dealt"
    if any(s.agreed) and not is_vote_open(s):
        yield "a seat has agreed to the end without a vote"
    if s.turned >= 0 and (s.up[s.turned] == HOLE) != (s.taken != HOLE):
        yield "the card turned last is neither where it was nor taken"
    if s.turned >= 0 and (s.quiet == 0) != (s.taken != HOLE):
        yield "the turns since the last taking are miscounted"
    if any(any(row) for row in s.rows[s.seats :]) or any(s.agreed[s.seats :]):
        yield "an absent player has cards or a vote"
    if s.turn >= 0 and CARDS - s.up.count(HOLE) <= LEFTOVER:
        yield "the match goes on with three cards on the table"
    if s.turn >= 0 and s.quiet >= quiet_limit(s):
        yield "the match goes on without takings"


def reseal(s: State, viewer: int, rng: Random) -> None:
    """Draw every unknown under face again: any face that is on a card with the one that shows."""
    if s.turn == NOBODY:
        return
    s.undealt = sum(1 << i for i in rng.sample(range(CARDS), CARDS - s.dealt))
    for cell in range(CARDS):
        if s.up[cell] != HOLE and not (s.open_memory and s.seen >> cell & 1):
            s.down[cell] = rng.choice(_partners(s.up[cell]))
    if not s.open_memory:
        s.seen = rng.getrandbits(CARDS)


def _partners(face: int) -> list[int]:
    return [sum(card) - face for card in DECK if face in card]


def interesting_move(s: State, seat: int, rng: Random) -> int | None:
    """A card whose under face the seat would take, as if it saw through the cards."""
    if seat == CHANCE or s.turn != seat:
        return None
    takes = [c for c in range(CARDS) if fits(s, seat, s.down[c])]
    return rng.choice(takes) if takes else None
