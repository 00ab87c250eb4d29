"""What stays true of every state, and what each viewer may not know."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

from ludotheque.games.team_up.pallet import COLUMNS, SHAPES
from ludotheque.games.team_up.parts import COLOURS, WIDTH
from ludotheque.games.team_up.rules import (
    AGREE,
    BOXES,
    CARDS,
    DECIDE,
    DRAW,
    OVER,
    PLACE,
    PLAIN,
    PREPARE,
    REFUSE,
    VOTE,
    State,
    awaits,
)


def faults(s: State) -> Iterator[str]:
    """Boxes and cards are conserved, and the boxes that stand fill the columns without a gap."""
    yield from _box_faults(s)
    yield from _card_faults(s)
    full = {(i % WIDTH, i // WIDTH, z): 1 for i in range(COLUMNS) for z in range(s.heights[i])}
    if Counter(_cells(s)) != full:
        yield "the boxes do not fill each cell of the columns once"
    if s.phase == VOTE and s.agreed == 0:
        yield "there is a vote on a stop that nobody proposed"
    if s.agreed and s.phase not in (VOTE, OVER):
        yield "a seat agrees to a stop that was not proposed"


def _box_faults(s: State) -> Iterator[str]:
    for shape, counts in enumerate(BOXES):
        for colour in range(COLOURS):
            standing = [
                b for b in range(s.placed) if (s.box_shape[b], s.box_colour[b]) == (shape, colour)
            ]
            if s.left[shape][colour] + len(standing) != counts[colour]:
                yield f"boxes of shape {shape} and colour {colour} were made or lost"
            for b in standing:
                sides = sorted((s.box_width[b], s.box_depth[b]))
                if (*sides, s.box_height[b]) != (*sorted(SHAPES[shape][:2]), SHAPES[shape][2]):
                    yield f"box {b} does not measure what its shape does"
    if s.phase != PREPARE and s.box_shape[: s.placed].count(PLAIN) != 1:
        yield "there is not exactly one neutral box"


def _card_faults(s: State) -> Iterator[str]:
    drawn = len(CARDS) - s.deck.bit_count()
    answered = drawn - (s.phase == PLACE)
    if max(s.placed - 1, 0) + s.lost != answered:
        yield "cards drawn are not those that placed a box or were lost"
    if s.face_down.bit_count() != s.lost or s.face_down & s.deck:
        yield "the cards face down on the discard are not those that were lost"
    if (s.card >= 0) != (drawn > 0) or (s.card >= 0 and s.deck >> s.card & 1):
        yield "the card drawn last is not one that was drawn"
    if s.phase != OVER and s.turn != answered % s.seats:
        yield "turns do not go round"


def _cells(s: State) -> Iterator[tuple[int, int, int]]:
    for b in range(s.placed):
        x, y, z = s.box_x[b], s.box_y[b], s.box_level[b]
        yield from product(
            range(x, x + s.box_width[b]),
            range(y, y + s.box_depth[b]),
            range(z, z + s.box_height[b]),
        )


def reseal(s: State, viewer: int, rng: Random) -> None:
    """Nobody has a secret: the deck has no order, and everything else lies open."""


def interesting_move(s: State, seat: int, rng: Random) -> int | None:
    """Random teams stop after a few cards; with this some of them play to the end."""
    if not awaits(s, seat):
        return None
    if s.phase == DECIDE:
        return DRAW
    if s.phase == VOTE:
        return REFUSE if rng.random() < 0.8 else AGREE
    return None
