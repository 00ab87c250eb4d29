"""What stays true of every state, and what each viewer may not know."""

from collections.abc import Iterator
from random import Random

from ludotheque.engine import NOBODY
from ludotheque.engine.bits import numbers
from ludotheque.games.up_and_down.rules import (
    ALL_CANCELLED,
    CHANGING,
    CHOOSING,
    DEALING,
    HIGHEST,
    LOWEST,
    NO_CARD,
    NONE_FITS,
    OVER,
    ROLLING,
    ROSE,
    State,
    hand_size,
    is_over,
    own_suit,
    pack,
    tricks_played,
    trump,
    value_of,
)


def faults(s: State) -> Iterator[str]:
    yield from _card_faults(s)
    yield from _trick_faults(s)
    yield from _table_faults(s)


def _card_faults(s: State) -> Iterator[str]:
    """No card is in two places, and everyone holds a card for each trick to come."""
    cards = [card for seat in range(s.seats) for card in _held(s, seat)]
    cards += [card for card in s.laid if card != NO_CARD]
    if _tricks_done(s) > 0:
        cards += s.trick[: s.seats]
    if len(cards) != len(set(cards)):
        yield "a card is in two places"
    for seat in range(s.seats):
        holds = len(_held(s, seat)) + (s.laid[seat] != NO_CARD)
        if holds != _cards_due(s, seat):
            yield f"seat {seat} holds {holds} cards"
    if any(not pack(s) >> card & 1 for card in cards):
        yield "a card is played that was left out"
    if any(s.hands[s.seats :]):
        yield "an absent seat holds cards"


def _trick_faults(s: State) -> Iterator[str]:
    """No trick is made or lost, except a pot at the end of a deal."""
    size = hand_size(s)
    columns = [sum(column) for column in zip(*s.tricks, strict=True)]
    if any(column > size for column in columns[: s.deal]) or any(columns[s.deal + 1 :]):
        yield "a deal has tricks that were not played"
    if s.phase == OVER and columns[s.deal - 1] + s.pot != size:
        yield "the last deal was not played out"
    if s.phase <= ROLLING and trump(s) == 0 and s.pot:
        yield "a pot was carried into another deal"
    if (s.taker == NOBODY) != (s.verdict in (0, ALL_CANCELLED, NONE_FITS)):
        yield "the verdict does not fit who took the trick"


def _table_faults(s: State) -> Iterator[str]:
    if s.phase >= CHANGING and not LOWEST <= trump(s) <= HIGHEST:
        yield "there is no trump"
    if s.phase != CHOOSING and any(card != NO_CARD for card in s.laid):
        yield "cards lie on the table before the rules are changed"
    if s.phase == CHANGING and _tricks_done(s) == 0 and own_suit(s, s.leader) != ROSE:
        yield "the rose does not point at the first leader of a deal"


def reseal(s: State, viewer: int, rng: Random) -> None:
    """Others hold and lay any cards but the viewer's own and those of the trick just shown."""
    known = set(s.trick) if _tricks_done(s) > 0 else set()
    if viewer >= 0:
        known |= {*_held(s, viewer), s.laid[viewer]}
    unknown = [card for card in numbers(pack(s)) if card not in known]
    rng.shuffle(unknown)
    for seat in range(s.seats):
        if seat != viewer:
            s.hands[seat] = sum(1 << unknown.pop() for _ in _held(s, seat))
            if s.laid[seat] != NO_CARD:
                s.laid[seat] = unknown.pop()


def interesting_move(s: State, seat: int, rng: Random) -> int | None:
    """A card that cancels one already laid, so that the pot fills and matches end in ties."""
    if seat < 0 or s.phase != CHOOSING or s.laid[seat] != NO_CARD:
        return None
    values = {value_of(card) for card in s.laid if card != NO_CARD}
    equals = [card for card in _held(s, seat) if value_of(card) in values]
    return rng.choice(equals) if equals else None


def _held(s: State, seat: int) -> tuple[int, ...]:
    return numbers(s.hands[seat])


def _tricks_done(s: State) -> int:
    """The tricks played in this deal; none when the match is over."""
    return 0 if is_over(s) else tricks_played(s)


def _cards_due(s: State, seat: int) -> int:
    if is_over(s):
        return 0
    if s.phase == DEALING:
        return len(range(seat, s.dealt, s.seats))
    return hand_size(s) - _tricks_done(s)
