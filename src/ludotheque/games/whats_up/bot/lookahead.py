"""A tree of what may happen next, grown one simulated match at a time.

Everybody sees the same, so a place in the tree is what has happened since the root: which cards
were turned, and what came up. Every simulation lays the unknown backs out anew. It goes down the
tree, where whoever is to move weighs what has won so far against what was hardly tried (first what
a quick player would turn), and from the first new place quick players finish the match. Cards that
look the same to all, by their front and their back if it is known, count as one move.

Written as rules are: plain functions, compiled beside them.
"""

from typing import Any, NamedTuple

from ludotheque.engine.rulebook import is_over, play, wins
from ludotheque.games.whats_up.bot.layouts import lay_out
from ludotheque.games.whats_up.bot.policy import LOWEST, playout_move, prize_of, take_notes
from ludotheque.games.whats_up.rules import CARDS, HOLE, UNKNOWN

__kernels__ = ("look_ahead",)

EXPLORATION = 1.5
DOUBT = 12_000.0  # a prize so far below the highest makes the wish to try a card a quarter
FAR = 60_000  # below the highest prize: it does not get less likely from there
BEHIND = 16  # places behind a branch, by the face that came up
MAX_DEPTH_MOVES = 200  # of a simulation into the tree


class Bench(NamedTuple):
    """What a seat knows when it looks ahead, and what it simulates matches with."""

    states: Any  # as it recalls the match, and as one may go on from there
    unknown: int  # the cells under which it does not know the face, as bits
    unmet: int  # the cards that may lie there, as bits
    desk: Any  # on which `layouts` has counted in how many ways they may
    dice: Any
    pad: Any  # of `policy`


class Tree(NamedTuple):
    """The arrays that a tree grows in. Place 0 is the root; behind a branch 0 stands for none."""

    used: Any  # how many places, how many branches
    visits: Any  # by place
    first: Any  # by place: its first branch
    count: Any  # by place: its branches, none before it is visited a second time
    cells: Any  # by branch: the card to be turned
    wishes: Any  # by branch: how likely a quick player turns it
    tries: Any  # by branch
    gains: Any  # by branch: shares of the victory in all, of the seat to move
    behind: Any  # by branch and face that comes up: the place after it
    path: Any  # branch and seat of every move in the simulation under way


def look_ahead(bench: Any, tree: Any, simulations: int) -> None:
    """Simulate so many matches, and let the tree grow by them."""
    for _ in range(simulations):
        bench.states[1] = bench.states[0]
        s = bench.states[1]
        lay_out(s, bench.unknown, bench.unmet, bench.desk, bench.dice)
        depth = descend(s, tree, bench.pad)
        while not is_over(s):
            play(s, s.turn, playout_move(s, s.turn, bench.dice, bench.pad))
        reward(s, tree, depth)


def descend(s: Any, tree: Any, pad: Any) -> int:
    """Play down to a new place, or to the end; return how many moves the path has."""
    place = 0
    for depth in range(MAX_DEPTH_MOVES):
        tree.visits[place] += 1
        if tree.count[place] == 0 and (place == 0 or tree.visits[place] > 1):
            branch_out(s, place, tree, pad)
        if tree.count[place] == 0:
            return depth
        branch = favourite(place, tree)
        tree.path[depth, 0], tree.path[depth, 1] = branch, s.turn
        face = s.down[tree.cells[branch]]
        play(s, s.turn, tree.cells[branch])
        if is_over(s):
            return depth + 1
        place = place_behind(branch, face, tree)
        if place == 0:
            return depth + 1
    return MAX_DEPTH_MOVES


def place_behind(branch: int, face: int, tree: Any) -> int:
    """Where this face leads to, a new place if there is room for one; or 0."""
    if tree.behind[branch, face] == 0 and tree.used[0] < len(tree.visits):
        tree.behind[branch, face] = tree.used[0]
        tree.used[0] += 1
    return int(tree.behind[branch, face])


def branch_out(s: Any, place: int, tree: Any, pad: Any) -> None:
    """Give a place a branch for every kind of card, if there is room."""
    if tree.used[1] + CARDS > len(tree.cells):
        return
    take_notes(s, s.turn, pad)
    first, last, highest = tree.used[1], tree.used[1], LOWEST
    for cell in range(CARDS):
        if s.up[cell] != HOLE and is_first_of_its_kind(s, cell):
            tree.cells[last] = cell
            prize = prize_of(s, s.turn, cell, pad)
            tree.wishes[last] = prize
            highest = max(highest, prize)
            last += 1
    tree.first[place], tree.count[place], tree.used[1] = first, last - first, last
    share_wishes(first, last, highest, tree)


def is_first_of_its_kind(s: Any, cell: int) -> bool:
    for other in range(cell):
        if s.up[other] == s.up[cell] and known_back(s, other) == known_back(s, cell):
            return False
    return True


def known_back(s: Any, cell: int) -> int:
    return int(s.down[cell]) if s.seen >> cell & 1 == 1 else UNKNOWN


def share_wishes(first: int, last: int, highest: int, tree: Any) -> None:
    """Turn prizes into wishes that add up to 1."""
    total = 0.0
    for branch in range(first, last):
        behind = min(highest - tree.wishes[branch], FAR)
        tree.wishes[branch] = (1.0 + behind / DOUBT) ** -2
        total += tree.wishes[branch]
    for branch in range(first, last):
        tree.wishes[branch] /= total


def favourite(place: int, tree: Any) -> int:
    """The branch to try next: what it has gained, and the more the less it was tried."""
    first, last = tree.first[place], tree.first[place] + tree.count[place]
    tries, gains = 0, 0.0
    for branch in range(first, last):
        tries += tree.tries[branch]
        gains += tree.gains[branch]
    usual = gains / tries if tries > 0 else 0.5
    eager = EXPLORATION * (tries + 1) ** 0.5
    choice, highest = first, -1.0
    for branch in range(first, last):
        tried = tree.tries[branch]
        value = tree.gains[branch] / tried if tried > 0 else usual
        value += eager * tree.wishes[branch] / (1 + tried)
        if value > highest:
            choice, highest = branch, value
    return int(choice)


def reward(s: Any, tree: Any, depth: int) -> None:
    """Credit every move of the path with its seat's share of the victory."""
    winners = 0
    for seat in range(s.seats):
        winners += wins(s, seat)
    for step in range(depth):
        branch, seat = tree.path[step, 0], tree.path[step, 1]
        tree.tries[branch] += 1
        tree.gains[branch] += wins(s, seat) / winners
