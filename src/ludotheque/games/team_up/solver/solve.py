"""The best score that an order of the cards allows, its placements, and a proof if there is one.

A problem is a match file, or a JSON object:

    cards     numbers of cards as printed, from 1, in the order in which they come
    neutral   where the neutral box stands, as in the notation: n-a1-123; where the puzzle has it
              if this is null or left out
    placed    optional: the first placements, as in the notation: cube.red.a1
    options   optional: clones and ceiling, as at a table

A match that has ended is solved from its beginning, with the cards that were drawn. Of a match that
has not ended the rest is solved, if the order of the cards to come is known: from the deal in the
file, or because it is the puzzle.
"""

from math import inf
from typing import Any, NamedTuple

from ludotheque.engine.game import Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import replay
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.words import Words
from ludotheque.games.team_up.parts import read_int, read_list
from ludotheque.games.team_up.rules import DECIDE, DRAW, NEUTRAL_PLACES, PLACE, PREPARE, State
from ludotheque.games.team_up.solver.optimise import Optimiser, before_card
from ludotheque.search.deadline import Deadline

SLUG = "team_up"
KEYS = ("cards", "neutral", "placed", "options")
CHOICES = ("clones", "ceiling")
PERFECT, COMPLETE, BOUND, NONE = "perfect", "complete", "bound", "none"  # the kinds of proof


class Problem(NamedTuple):
    game: Game
    state: State  # before a card
    order: tuple[int, ...]  # the cards to come, from 0


class Turn(NamedTuple):
    card: int  # from 0
    move: int | None  # None if the card is lost


class Solution(NamedTuple):
    problem: Problem
    points: int
    turns: tuple[Turn, ...]  # after the last of them the team stops
    proof: str  # why there is no better solution; NONE if there may be one
    bound: int  # no placements can bring more points

    def to_json(self) -> dict[str, Any]:
        notation = self.problem.game.notation
        return {
            "score": self.points,
            "proof": self.proof,
            "bound": self.bound,
            "turns": [
                {"card": card + 1, "move": None if move is None else notation(0, move)}
                for card, move in self.turns
            ],
        }

    def lines(self, language: str) -> list[str]:
        words = Words(self.problem.game, language)
        lines = [
            words.text("hints", "solved", score=self.points),
            words.text("hints", f"proof_{self.proof}", score=self.points, bound=self.bound),
        ]
        for card, move in self.turns:
            told = words.text("hints", "lost") if move is None else words.move(0, move)
            lines.append(words.text("hints", "turn", number=card + 1, move=told))
        return lines


# Solving


def solve(problem: Problem, seconds: float = inf, attempts: float = inf) -> Solution:
    """The best found in this time, or in this many attempts, which give the same result anywhere.

    Without a limit the search runs until nothing better is possible.
    """
    optimiser = Optimiser(*problem)
    optimiser.warm_up()  # compiling does not count as searching
    best = optimiser.run(Deadline(seconds), attempts)
    bound = optimiser.bound()
    turns = played(problem, best.placements)
    return Solution(problem, best.points, turns, proof(problem, best, bound), bound)


def proof(problem: Problem, best: Any, bound: int) -> str:
    if best.points == problem.game.rule("PERFECT"):
        return PERFECT
    if best.points == bound:
        return BOUND
    return COMPLETE if best.is_complete else NONE


def played(problem: Problem, placements: list[int]) -> tuple[Turn, ...]:
    """The turns for these placements, by the rules; the team stops after the last one."""
    game, state, cards = problem.game, problem.state.copy(), iter(problem.order)
    turns = []
    for move in placements:
        while state.phase != PLACE:
            card = next(cards)
            draw(game, state, card)
            turns.append(Turn(card, move if state.phase == PLACE else None))
        game.play(state, state.turn, move)
    return tuple(turns)


def draw(game: Game, state: State, card: int) -> None:
    game.play(state, state.turn, DRAW)
    game.play(state, CHANCE, NEUTRAL_PLACES + card)


# Reading


def read(data: object, boxes: object = None) -> Problem:
    """A parsed problem file, with boxes and cards of our set or a host's.

    ValueError says what is wrong and what was expected.
    """
    if not isinstance(data, dict):
        raise ValueError("the problem is no object, expected one with cards, or a match file")
    try:
        if "moves" in data:
            return from_match(replay(data))
        return from_cards(data, load(SLUG) if boxes is None else Game(SLUG, boxes))
    except Refused as error:
        raise ValueError(str(error)) from None


def from_cards(data: dict[str, Any], game: Game) -> Problem:
    for key in data:
        if key not in KEYS:
            raise ValueError(f"the problem has {key!r}, expected only {', '.join(KEYS)}")
    order = read_order(data.get("cards"), len(game.rule("CARDS")))
    state = game.start(1, read_options(data.get("options", {})))
    game.play(state, CHANCE, read_neutral(game, state, data.get("neutral")))
    rest = place_all(game, state, order, read_list(data.get("placed", []), "placed", 0, len(order)))
    return Problem(game, state, tuple(rest))


def read_order(value: object, count: int) -> list[int]:
    cards = [
        read_int(card, f"cards, entry {place}", 1, count) - 1
        for place, card in enumerate(read_list(value, "cards", 1, count), 1)
    ]
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise ValueError(f"cards: {card + 1} comes twice, expected every card once")
    return cards


def read_options(value: object) -> dict[str, object]:
    if not isinstance(value, dict) or not set(value) <= set(CHOICES):
        raise ValueError(f"options is {value!r}, expected an object with {' and '.join(CHOICES)}")
    return value


def read_neutral(game: Game, state: State, place: object) -> int:
    """The outcome that places the neutral box; null is its place in the puzzle."""
    places = {game.notation(CHANCE, place): place for place in game.legal_moves(state, CHANCE)}
    if place is None:
        puzzle = game.start(1, {"mode": "puzzle"})
        return game.legal_moves(puzzle, CHANCE)[0]
    if place not in places:
        raise ValueError(f"neutral is {place!r}, expected null or one of {', '.join(places)}")
    return places[str(place)]


def place_all(game: Game, state: State, order: list[int], placed: list[object]) -> list[int]:
    """Play the first placements; return the cards that come after them."""
    rest = list(order)
    for number, text in enumerate(placed, 1):
        where = f"placed, entry {number}"
        if not isinstance(text, str):
            raise ValueError(f"{where} is {text!r}, expected a placement such as cube.red.a1")
        while state.phase == DECIDE and rest:
            draw(game, state, rest.pop(0))
        if state.phase != PLACE:
            raise ValueError(f"{where} is {text!r}, expected no more: no card is left for it")
        move = game.parse(0, text)
        reason = game.objections[game.objection(state, 0, move)].replace("_", " ")
        if reason:
            card = f"card{state.card + 1}"
            raise ValueError(f"{where} is {text!r}, expected what {card} allows: {reason}")
        game.play(state, 0, move)
    return rest


def from_match(match: Match) -> Problem:
    """The rest of a match, or all of one that is over."""
    game = match.game
    if game.slug != "team_up":
        raise ValueError(f"the match is one of {game.slug}, expected team_up")
    outcomes = [entry.move for entry in match.log if entry.seat == CHANCE]
    coming = match.deal[len(outcomes) :]
    if match.is_over or match.state.phase == PREPARE:
        outcomes += coming
        if not outcomes:
            raise ValueError("nothing is dealt in the match, expected its deal or some moves")
        state = game.start(match.seats, match.options)
        game.play(state, CHANCE, outcomes[0])
        return Problem(game, state, tuple(card - NEUTRAL_PLACES for card in outcomes[1:]))
    state = before_card(match.state)
    order = [card - NEUTRAL_PLACES for card in coming]
    if match.state.phase == PLACE:  # the open card comes first
        order.insert(0, state.card)
    if game.rule("is_puzzle")(state):
        order = [card for card in range(len(game.rule("CARDS"))) if state.deck >> card & 1]
    if not order:
        raise ValueError(
            "the match does not tell the cards to come, expected its deal or the puzzle"
        )
    return Problem(game, state, tuple(order))
