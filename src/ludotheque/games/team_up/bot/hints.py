"""What the master advises, and why: whether to draw, and where to place a box."""

from ludotheque.engine.game import Game
from ludotheque.games.team_up.bot.goals import is_short_of_target
from ludotheque.games.team_up.bot.greedy import decision, pile_cost
from ludotheque.games.team_up.bot.planner import Estimate
from ludotheque.games.team_up.rules import State
from ludotheque.search.advice import Advice

MAX_HINTS = 3


def decision_hints(
    game: Game, view: State, drawing: Estimate, is_drawing_better: bool
) -> list[Advice]:
    """To draw and to stop, each with its result, the better one first."""
    points = game.score(view, 0)
    values: dict[str, object] = {"score": round(drawing.points), "now": points}
    draw = Advice(decision(view, True), "draw", values)
    stop = Advice(decision(view, False), "stop", values)
    if is_short_of_target(view, points):
        short: dict[str, object] = {"now": points, "target": view.target}
        return [draw._replace(reason="short", values=short), stop]
    return [draw, stop] if is_drawing_better else [stop, draw]


def placement_hint(game: Game, view: State, seat: int, move: int, estimate: Estimate) -> Advice:
    """A placement with its best reason: it completes a layer, it smooths the pile, or neither."""
    after = view.copy()
    game.play(after, seat, move)
    values: dict[str, object] = {"score": round(estimate.points)}
    layers = game.rule("complete_layers")
    if layers(after) > layers(view):
        return Advice(move, "completes", values | {"layer": layers(after)})
    if pile_cost(after.heights) < pile_cost(view.heights):
        return Advice(move, "smooths", values)
    cards = after.deck.bit_count()
    return Advice(move, "open", values | {"usable": usable_cards(game, after), "cards": cards})


def usable_cards(game: Game, state: State) -> int:
    """The number of cards to come that would find a place now."""
    drawn = state.copy()
    usable = 0
    for card in range(len(game.rule("CARDS"))):
        if state.deck >> card & 1:
            drawn.card = card
            usable += game.rule("can_place")(drawn)
    return usable
