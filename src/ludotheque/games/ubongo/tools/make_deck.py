"""Makes deck.json: `python -m ludotheque.games.ubongo.tools.make_deck [seed]`, some minutes.

Each side of each pile is made on its own. A side is easy if its cards match often: the *matches* of
a hand are the ways in which two of its cards can touch, summed over its pairs. Their mean falls
from round to round. A side is fair if there are few hands that cannot be laid. So there are three
steps:

1. shape: anneal random faces towards the wanted matches, spread evenly over pairs of cards and over
   ports;
2. tune: anneal them until few sets of cards of a random sample cannot be laid;
3. census: decide all 94,143,280 hands exactly, from their sets of seven.
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

from ludotheque.games.ubongo.layable import HAND, SEVEN
from ludotheque.games.ubongo.parts import PILE
from ludotheque.games.ubongo.solver.arrange import (
    BIT_NUMBER,
    Ints,
    count_bits,
    link,
    link_pair,
    new_buffers,
    search,
)
from ludotheque.search.jit import jit

SEED = 1
NAMES = ["anchor", "bell", "crown", "drop", "eye", "fish"]
NAMES += ["heart", "key", "leaf", "moon", "star", "wave"]
MIN_SYMBOL_SHARE = 0.6  # of the mean: how often the rarest symbol of a side comes at least
MATCHES_TOLERANCE = 0.1  # by which the mean of the matches may miss the plan
SAMPLE_HANDS = 1001  # whose arrangements are counted for the median

Bools = NDArray[np.bool_]

CHOOSE = np.array([[comb(n, k) for k in range(HAND + 1)] for n in range(PILE + 1)])


class Plan(NamedTuple):
    symbols: int
    matches: float  # wanted mean per hand
    set_size: int  # cards in a set of the tuning sample: few enough that many cannot be laid
    tuning_steps: int
    temperature: float = 0.006  # of the first step, as a share of the sets that cannot be laid


PLANS = (
    Plan(6, 43.8, 7, 8_000),
    Plan(6, 36.2, 7, 12_000, 0.03),
    Plan(7, 29.5, 7, 12_000),
    Plan(8, 24.6, 7, 36_000),
    Plan(9, 20.0, 8, 24_000),
    Plan(9, 16.6, 8, 50_000),
)


class Effort(NamedTuple):
    """How much to try; the tests need less."""

    shapes: int = 3  # of which the best is tuned
    shaping_steps: int = 300_000
    sets: int = 12_000  # in the tuning sample


# Faces


def random_faces(rng: np.random.Generator, symbols: int) -> Ints:
    """Faces on which no symbol comes more than twice."""
    twice = np.repeat(np.arange(symbols), 2)
    return np.array([rng.permutation(twice)[:6] for _ in range(PILE)])


@jit
def is_valid(faces: Ints, card: int, symbols: int) -> bool:
    """Whether no symbol comes three times on the card, none is rare, and no other card is equal.

    A face turned by 180 degrees reads backwards.
    """
    for symbol in faces[card]:
        if np.sum(faces[card] == symbol) > 2:
            return False
    if (
        np.bincount(faces.ravel(), minlength=symbols).min()
        < MIN_SYMBOL_SHARE * faces.size / symbols
    ):
        return False
    for other in range(len(faces)):
        same = np.all(faces[other] == faces[card]) or np.all(faces[other] == faces[card][::-1])
        if same and other != card:
            return False
    return True


@jit
def change(rng: np.random.Generator, faces: Ints, symbols: int) -> int:
    """Give one cell another symbol, or swap two cells of a card; return the card."""
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
def cost_of(links: Ints, wanted: float) -> float:
    """Low if there are as many matches as wanted, and they are spread evenly.

    The first match of two cards helps most, each further one half as much. A card with few
    neighbours is worse than two that lack a few. Many matches at one port are of little use: it
    takes only one card.
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
                at_port[BIT_NUMBER[(contacts & -contacts) % 37] // 6] += 1
                contacts &= contacts - 1
                share /= 2
            lack += share
        total += lack**2 + 2 * np.sum((at_port - per_port) ** 2)
    off = max(0.0, abs(mean_matches(links) - wanted) - MATCHES_TOLERANCE / 2)
    return float(total / cards + 200 * off**2)


@jit
def shape(rng: np.random.Generator, faces: Ints, symbols: int, wanted: float, steps: int) -> None:
    links = link(faces)
    cost = cost_of(links, wanted)
    for step in range(steps):
        temperature = 3.0 * 0.01 ** (step / steps)
        before = faces.copy()
        card = change(rng, faces, symbols)
        if not is_valid(faces, card, symbols):
            faces[:] = before
            continue
        relink(links, faces, card)
        changed_cost = cost_of(links, wanted)
        if changed_cost <= cost + temperature * rng.standard_exponential():
            cost = changed_cost
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
def find_failures(links: Ints, sets: Ints, limit: float, laid: Ints, candidates: Ints) -> Bools:
    """The sets of which seven cards cannot be laid; stops as soon as they exceed the limit."""
    failed = np.zeros(len(sets), np.bool_)
    count = 0
    for i in range(len(sets)):
        failed[i] = search(links, sets[i], SEVEN, 1, laid, candidates) == 0
        count += failed[i]
        if count > limit:
            break
    return failed


@jit
def failed_first(sets: Ints, failed: Bools) -> Ints:
    """The failed sets first: a bad change then exceeds the limit soon."""
    return np.concatenate((sets[failed[sets]], sets[~failed[sets]]))


@jit
def tune(
    rng: np.random.Generator, faces: Ints, plan: Plan, sets: Ints, laid: Ints, candidates: Ints
) -> int:
    """Lower the number of sets of which seven cards cannot be laid; return how many are left."""
    links = link(faces)
    failed = find_failures(links, sets, len(sets), laid, candidates)
    first = plan.temperature * float(np.sum(failed))
    holders = [np.nonzero(np.sum(sets == card, axis=1))[0] for card in range(PILE)]
    for step in range(plan.tuning_steps):
        temperature = first * (1 - step / plan.tuning_steps)
        before = faces.copy()
        card = change(rng, faces, plan.symbols)
        holder = failed_first(holders[card], failed)
        limit = float(np.sum(failed[holder])) + temperature * rng.standard_exponential()
        if not is_valid(faces, card, plan.symbols):
            faces[:] = before
            continue
        relink(links, faces, card)
        if abs(mean_matches(links) - plan.matches) > MATCHES_TOLERANCE:
            limit = -1.0
        failures = find_failures(links, sets[holder], limit, laid, candidates)
        if np.sum(failures) <= limit:
            failed[holder] = failures
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
def unlayable_sevens(links: Ints, laid: Ints, candidates: Ints) -> Bools:
    """For each set of seven cards, by rank, whether they cannot all be laid.

    The rank of cards a < b < c... is C(a, 1) + C(b, 2) + C(c, 3)...
    """
    unlayable = np.zeros(CHOOSE[len(links), SEVEN], np.bool_)
    cards = np.arange(SEVEN)
    for rank in range(len(unlayable)):
        unlayable[rank] = search(links, cards, SEVEN, 1, laid, candidates) == 0
        advance(cards)
    return unlayable


@jit
def widen(unlayable: Bools, size: int, deck: int) -> Bools:
    """The unlayable sets of one card more: all their sets of `size` cards are unlayable."""
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
    """The number of hands of which seven cards cannot be laid."""
    sevens = unlayable_sevens(link(faces), *new_buffers(HAND))
    return int(widen(widen(sevens, 7, len(faces)), 8, len(faces)).sum())


def median_arrangements(rng: np.random.Generator, faces: Ints) -> int:
    links = link(faces)
    counts = [
        search(links, hand, SEVEN, sys.maxsize, *new_buffers(HAND))
        for hand in draw_sets(rng, SAMPLE_HANDS, HAND)
    ]
    return int(np.median(counts))


# The deck


class Side(NamedTuple):
    faces: list[str]
    census: dict[str, float]


def make_faces(rng: np.random.Generator, plan: Plan, effort: Effort) -> Ints:
    sets = draw_sets(rng, effort.sets, plan.set_size)
    buffers = new_buffers(HAND)
    shapes = []
    for _ in range(effort.shapes):
        faces = random_faces(rng, plan.symbols)
        shape(rng, faces, plan.symbols, plan.matches, effort.shaping_steps)
        shapes.append((int(find_failures(link(faces), sets, len(sets), *buffers).sum()), faces))
    before, faces = min(shapes, key=lambda shaped: shaped[0])
    after = tune(rng, faces, plan, sets, *buffers)
    print(f"tuned from {before} to {after} of {len(sets)} sets that cannot be laid", flush=True)
    return faces


def make_side(seed: int, number: int) -> Side:
    """The side for a round. Each round has its own random stream and its own symbols."""
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
