"""What happens in a turn: the card drawn, the box placed, complete layers, losses, votes to stop.

Everything lies open. The history leaves out the cards drawn while the match runs: the box or the
loss that follows tells enough. [Tour de jeu], [Fin de la partie]

`points` is what a fact adds to the score, so that a board can count along with what it is told.
"""

from ludotheque.engine.seats import CHANCE
from ludotheque.engine.story import Decided, Fact
from ludotheque.games.team_up.notation import COLOUR_NAMES, corner, move_words, shape_name
from ludotheque.games.team_up.parts import COLOUR_CARD, LAYERS
from ludotheque.games.team_up.rules import (
    AGREE,
    CARDS,
    DRAW,
    LAYER_POINTS,
    PERFECT,
    PLACEMENTS,
    PREPARE,
    REFUSE,
    State,
    boxes_left,
    complete_layers,
    is_over,
    score,
)


def is_told(before: State, seat: int, move: int) -> bool:
    """To draw is told with the card that comes."""
    return seat == CHANCE or move != DRAW


def chapter(view: State) -> int:
    """The round in which everyone draws a card; one player alone has no rounds."""
    drawn = len(CARDS) - view.deck.bit_count()
    return 0 if drawn == 0 or view.seats == 1 else (drawn - 1) // view.seats + 1


def tell(before: State, seat: int, move: int | None, after: State) -> list[Fact]:
    if move is None or not is_told(before, seat, move):
        return []
    if seat == CHANCE and before.phase == PREPARE:
        return [Fact("begin", "neutral", {"corner": corner(move)})]
    if seat == CHANCE:
        facts = [drawn(before.turn, after), *lost(before.turn, after)]
    elif move < PLACEMENTS:
        facts = [placed(seat, move), *layers(before, after)]
    else:
        facts = votes(seat, move, after)
    return [*facts, *ended(after)]


def drawn(seat: int, after: State) -> Fact:
    """The card and what it asks for. One that will be lost is looked at before it goes."""
    kind, first, second = CARDS[after.card]
    values: dict[str, object] = {"seat": seat, "number": after.card + 1}
    if kind == COLOUR_CARD:
        key, order = "drawn_colour", {"colour": COLOUR_NAMES[first]}
    elif first == second:
        key, order = "drawn_shape", {"shape": shape_name(first)}
    else:
        key, order = "drawn_either", {"first": shape_name(first), "second": shape_name(second)}
    return Fact("turn" if after.is_lost else "begin", key, values | order, lasting=False)


def lost(seat: int, after: State) -> list[Fact]:
    return [Fact("loss", "lost", {"seat": seat, "points": -1})] if after.is_lost else []


def placed(seat: int, move: int) -> Fact:
    """A box on the pallet no longer costs its point."""
    _, box = move_words(move)
    return Fact("place", "placed", {"seat": seat, "move": move, "points": 1, **box})


def layers(before: State, after: State) -> list[Fact]:
    """One fact for each layer that the box completed, from below."""
    return [
        Fact("gain", "layer", {"layer": layer + 1, "points": LAYER_POINTS})
        for layer in range(complete_layers(before), complete_layers(after))
    ]


def votes(seat: int, move: int, after: State) -> list[Fact]:
    """A player who is alone asks nobody."""
    if after.seats == 1:
        return []
    key = "agreed" if move == AGREE else "refused" if move == REFUSE else "proposed"
    return [Fact("vote", key, {"seat": seat})]


def ended(after: State) -> list[Fact]:
    """Why it is over, and with how many points."""
    if not is_over(after):
        return []
    left = boxes_left(after)
    key = "ended_boxes" if left == 0 else "ended_cards" if after.deck == 0 else "ended_stop"
    return [Fact("score", key, {"left": left, "score": score(after, 0)})]


def decided(facts: list[tuple[int, Fact]], end: State) -> Decided:
    """What the next layer lacked; with all of them complete, whether anything was lost."""
    complete = complete_layers(end)
    if complete == LAYERS:
        return Decided("perfect" if score(end, 0) == PERFECT else "losses", {})
    missing = sum(height <= complete for height in end.heights)
    return Decided("missing", {"cells": missing, "layer": complete + 1, "points": LAYER_POINTS})
