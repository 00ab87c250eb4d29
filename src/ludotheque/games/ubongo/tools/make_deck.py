"""Makes deck.json: `python -m ludotheque.games.ubongo.tools.make_deck [seed]`, some minutes.

Each side of each pile is made on its own. What makes it easy is how often two cards match: the
*matches* of a hand are the ways in which two of its cards can touch, summed over its pairs. Their
mean falls from round to round. What makes it fair is that few hands cannot be laid at all, and so:

1. shape: random faces are annealed towards the wanted matches, spread evenly over pairs of cards
   and over ports;
2. tune: annealed on until few sets of cards from a random sample cannot be laid;
3. census: all 94,143,280 hands are decided exactly, by way of their sets of seven.
"""

import json
import sys
import time
from collections.abc import Iterable, Sequence
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.ubongo.layable import HAND
from ludotheque.games.ubongo.parts import PILE
from ludotheque.games.ubongo.solver.arrange import (
    BIT,
    CALL,
    Ints,
    buffers,
    count_bits,
    link,
    link_pair,
    search,
)
from ludotheque.search.jit import jit

SEED = 1
NAMES = ["anchor", "bell", "crown", "drop", "eye", "fish"]
NAMES += ["heart", "key", "leaf", "moon", "star", "wave"]
EVENNESS = 0.6  # the rarest symbol of a side comes at least so often, as a share of the mean
SLACK = 0.1  # by which the matches may miss the plan
SAMPLE = 1001  # hands whose arrangements are counted for the median

Bools = NDArray[np.bool_]

CHOOSE = np.array([[comb(n, k) for k in range(HAND + 1)] for n in range(PILE + 1)])


class Plan(NamedTuple):
    symbols: int
    matches: float  # wanted mean per hand
    drawn: int  # cards in a set of the tuning sample: few enough that many cannot be laid
    tune: int  # steps of tuning
    heat: float = 0.006  # by which the first may spoil the sample, as a share of its failures


PLANS = (
    Plan(6, 43.8, 7, 8_000),
    Plan(6, 36.2, 7, 12_000, 0.03),
    Plan(7, 29.5, 7, 12_000),
    Plan(8, 24.6, 7, 36_000),
    Plan(9, 20.0, 8, 24_000),
    Plan(9, 16.6, 8, 50_000),
)


class Effort(NamedTuple):
    """How much to try; the tests make do with less."""

    shapes: int = 3  # of which the best is tuned
    steps: int = 300_000  # of shaping
    sets: int = 12_000  # in the tuning sample


# Faces


def deal_faces(rng: np.random.Generator, symbols: int) -> Ints:
    """Random faces on which no symbol comes more than twice."""
    twice = np.repeat(np.arange(symbols), 2)
    return np.array([rng.permutation(twice)[:6] for _ in range(PILE)])


@jit
def is_sound(faces: Ints, card: int, symbols: int) -> bool:
    """No symbol thrice on the card, none rare on the side, and no other card alike.

    A face turned by 180 degrees reads backwards.
    """
    for symbol in faces[card]:
        if np.sum(faces[card] == symbol) > 2:
            return False
    if np.bincount(faces.ravel(), minlength=symbols).min() < EVENNESS * faces.size / symbols:
        return False
    for other in range(len(faces)):
        same = np.all(faces[other] == faces[card]) or np.all(faces[other] == faces[card][::-1])
        if same and other != card:
            return False
    return True


@jit
def change(rng: np.random.Generator, faces: Ints, symbols: int) -> int:
    """Give one cell another symbol, or swap two cells of a card; say which card."""
    card = int(rng.integers(0, len(faces)))
    cell, other = rng.integers(0, 6), rng.integers(0, 6)
    if rng.random() < 0.5:
        faces[card, cell] = rng.integers(0, symbols)
    else:
        faces[card, cell], faces[card, other] = faces[card, other], faces[card, cell]
    return card


@jit
def relink(links: Ints, faces: Ints, card: int) -> None:
    for other in range(len(faces)):
        if other != card:
            links[card, other] = link_pair(faces[card], faces[other])
            links[other, card] = link_pair(faces[other], faces[card])


@jit
def mean_matches(links: Ints) -> float:
    """Matches per hand: two given cards are together in 72 of 1260 hands."""
    total = 0
    for bits in links.ravel():
        total += count_bits(int(bits))
    return total / 2 * (HAND * (HAND - 1)) / (PILE * (PILE - 1))


# 1. Shape


@jit
def stress(links: Ints, wanted: float) -> float:
    """Low if the matches are as wanted and well spread.

    The first match of two cards helps most, each further one half as much; a card with few
    neighbours is worse than two that miss a few; and matches that crowd on one port are of little
    use, for it takes one card only.
    """
    cards = len(links)
    per_port = wanted * (PILE * (PILE - 1)) / (HAND * (HAND - 1)) * 2 / (6 * PILE)
    at_port = np.zeros(6, np.int64)
    total = 0.0
    for card in range(cards):
        lack = 0.0
        at_port[:] = 0
        for other in range(cards):
            share = 1.0
            contacts = links[card, other]
            while contacts:
                at_port[BIT[(contacts & -contacts) % 37] // 6] += 1
                contacts &= contacts - 1
                share /= 2
            lack += share
        total += lack**2 + 2 * np.sum((at_port - per_port) ** 2)
    off = max(0.0, abs(mean_matches(links) - wanted) - SLACK / 2)
    return float(total / cards + 200 * off**2)


@jit
def shape(rng: np.random.Generator, faces: Ints, symbols: int, wanted: float, steps: int) -> None:
    links = link(faces)
    now = stress(links, wanted)
    for step in range(steps):
        heat = 3.0 * 0.01 ** (step / steps)
        before = faces.copy()
        card = change(rng, faces, symbols)
        if not is_sound(faces, card, symbols):
            faces[:] = before
            continue
        relink(links, faces, card)
        then = stress(links, wanted)
        if then <= now + heat * rng.standard_exponential():
            now = then
        else:
            faces[:] = before
            relink(links, faces, card)


# 2. Tune


@jit
def draw_sets(rng: np.random.Generator, count: int, size: int) -> Ints:
    sets = np.empty((count, size), np.int64)
    cards = np.arange(PILE)
    for i in range(count):
        for j in range(size):
            k = rng.integers(j, PILE)
            cards[j], cards[k] = cards[k], cards[j]
        sets[i] = cards[:size]
    return sets


@jit
def fails(links: Ints, sets: Ints, limit: float, laid: Ints, seats: Ints) -> Bools:
    """In which sets seven cards cannot be laid; broken off as soon as these exceed the limit."""
    failed = np.zeros(len(sets), np.bool_)
    count = 0
    for i in range(len(sets)):
        failed[i] = search(links, sets[i], CALL, 1, laid, seats) == 0
        count += failed[i]
        if count > limit:
            break
    return failed


@jit
def failed_first(sets: Ints, failed: Bools) -> Ints:
    """So that the limit is passed soon if a change is bad."""
    return np.concatenate((sets[failed[sets]], sets[~failed[sets]]))


@jit
def tune(
    rng: np.random.Generator, faces: Ints, plan: Plan, sets: Ints, laid: Ints, seats: Ints
) -> int:
    """Lower the number of sets in which seven cards cannot be laid; say how many are left."""
    links = link(faces)
    failed = fails(links, sets, len(sets), laid, seats)
    start = plan.heat * float(np.sum(failed))
    holders = [np.nonzero(np.sum(sets == card, axis=1))[0] for card in range(PILE)]
    for step in range(plan.tune):
        spoil = start * (1 - step / plan.tune)
        before = faces.copy()
        card = change(rng, faces, plan.symbols)
        holder = failed_first(holders[card], failed)
        limit = float(np.sum(failed[holder])) + spoil * rng.standard_exponential()
        if not is_sound(faces, card, plan.symbols):
            faces[:] = before
            continue
        relink(links, faces, card)
        if abs(mean_matches(links) - plan.matches) > SLACK:
            limit = -1.0
        verdict = fails(links, sets[holder], limit, laid, seats)
        if np.sum(verdict) <= limit:
            failed[holder] = verdict
        else:
            faces[:] = before
            relink(links, faces, card)
    return int(np.sum(failed))


# 3. Census


@jit
def advance(cards: Ints) -> None:
    """The next set of cards, in the order of their ranks."""
    i = 0
    while i + 1 < len(cards) and cards[i] + 1 == cards[i + 1]:
        cards[i] = i
        i += 1
    cards[i] += 1


@jit
def unlayable_sevens(links: Ints, laid: Ints, seats: Ints) -> Bools:
    """For each set of seven cards, by rank, whether they cannot all be laid.

    The rank of cards a < b < c... is C(a, 1) + C(b, 2) + C(c, 3)...
    """
    unlayable = np.zeros(CHOOSE[len(links), CALL], np.bool_)
    cards = np.arange(CALL)
    for rank in range(len(unlayable)):
        unlayable[rank] = search(links, cards, CALL, 1, laid, seats) == 0
        advance(cards)
    return unlayable


@jit
def widen(unlayable: Bools, size: int, deck: int) -> Bools:
    """The unlayable sets of one card more: those without a layable set of `size` cards."""
    wider = np.zeros(CHOOSE[deck, size + 1], np.bool_)
    cards = np.arange(size)
    for rank in range(len(unlayable)):
        if unlayable[rank]:
            for last in range(cards[-1] + 1, deck):
                below = rank
                above = CHOOSE[last, size]
                for i in range(size - 1, -1, -1):
                    below -= CHOOSE[cards[i], i + 1]
                    if not unlayable[below + above]:
                        break
                    above += CHOOSE[cards[i], i]
                else:
                    wider[rank + CHOOSE[last, size + 1]] = True
        advance(cards)
    return wider


def count_unlayable(faces: Ints) -> int:
    """Of all hands, how many in which seven cards cannot be laid."""
    sevens = unlayable_sevens(link(faces), *buffers(HAND))
    return int(widen(widen(sevens, 7, len(faces)), 8, len(faces)).sum())


def median_arrangements(rng: np.random.Generator, faces: Ints) -> int:
    links = link(faces)
    counts = [
        search(links, hand, CALL, sys.maxsize, *buffers(HAND))
        for hand in draw_sets(rng, SAMPLE, HAND)
    ]
    return int(np.median(counts))


# The deck


class Side(NamedTuple):
    faces: list[str]
    census: dict[str, float]


def make_faces(rng: np.random.Generator, plan: Plan, effort: Effort) -> Ints:
    sets = draw_sets(rng, effort.sets, plan.drawn)
    room = buffers(HAND)
    shapes = []
    for _ in range(effort.shapes):
        faces = deal_faces(rng, plan.symbols)
        shape(rng, faces, plan.symbols, plan.matches, effort.steps)
        shapes.append((int(fails(link(faces), sets, len(sets), *room).sum()), faces))
    before, faces = min(shapes, key=lambda shaped: shaped[0])
    after = tune(rng, faces, plan, sets, *room)
    print(f"tuned from {before} to {after} of {len(sets)} sets that cannot be laid", flush=True)
    return faces


def make_side(seed: int, number: int) -> Side:
    """The side for a round. Each round draws from its own stream, and its own symbols."""
    rng = np.random.default_rng([seed, number])
    plan = PLANS[number - 1]
    started = time.monotonic()
    letters = [name[0] for name in rng.permutation(NAMES)[: plan.symbols]]
    faces = make_faces(rng, plan, Effort())
    census = {
        "round": number,
        "symbols": plan.symbols,
        "matches": round(mean_matches(link(faces)), 2),
        "unlayable": count_unlayable(faces),
        "arrangements": median_arrangements(rng, faces),
    }
    print(f"{census} in {time.monotonic() - started:.0f} s", flush=True)
    return Side(["".join(letters[symbol] for symbol in face) for face in faces], census)


def lines(entries: Iterable[str], indent: str) -> str:
    """A JSON list with one entry per line."""
    return "[\n" + ",\n".join(f"{indent}  {entry}" for entry in entries) + f"\n{indent}]"


def write(path: Path, seed: int, sides: Sequence[Side]) -> None:
    piles = [
        [
            json.dumps({"white": w, "black": b})
            for w, b in zip(white.faces, black.faces, strict=True)
        ]
        for white, black in zip(sides[::2], sides[1::2], strict=True)
    ]
    symbols = [json.dumps({"letter": name[0], "name": name}) for name in NAMES]
    entries = {
        "seed": str(seed),
        "hands": str(comb(PILE, HAND)),
        "census": lines((json.dumps(side.census) for side in sides), "  "),
        "symbols": lines(symbols, "  "),
        "piles": lines((lines(pile, "    ") for pile in piles), "  "),
    }
    body = ",\n".join(f'  "{key}": {entry}' for key, entry in entries.items())
    path.write_text(f"{{\n{body}\n}}\n", encoding="utf-8")


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else SEED
    sides = [make_side(seed, number) for number in range(1, len(PLANS) + 1)]
    write(Path(__file__).parents[1] / "data" / "deck.json", seed, sides)


if __name__ == "__main__":
    main()
