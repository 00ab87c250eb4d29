"""What the master advises, and why: whether to draw, and where to place a box."""

from ludotheque.engine.game import Game
from ludotheque.games.team_up.bot.goals import is_short_of_target
from ludotheque.games.team_up.bot.greedy import NEIGHBOURS, decision
from ludotheque.games.team_up.bot.planner import Estimate
from ludotheque.games.team_up.rules import PERFECT, State, boxes_left
from ludotheque.search.advice import Advice

MAX_HINTS = 3
# Masters place better than playouts do. Of the points that playouts miss, they get half at first,
# and later this share for each box left but the last ones: so masters ended who were watched.
MAX_SHARE = 0.5
SHARE_PER_BOX = 0.022
LAST_BOXES = 2


def decision_hints(
    game: Game, view: State, drawing: Estimate, is_drawing_better: bool
) -> list[Advice]:
    """To draw and to stop, the better one first. Each tells its own result, and no other one."""
    now, score = game.score(view, 0), expected_score(view, drawing)
    draw, stop = decision(view, True), decision(view, False)
    stop_now = Advice(stop, "stop_now", {"now": now})
    if is_short_of_target(view, now):
        return [Advice(draw, "short", {"target": view.target}), stop_now]
    if is_drawing_better:
        return [Advice(draw, "draw", {"score": score}), stop_now]
    # Masters would stop here, so they expect no more than that of the cards to come.
    return [Advice(stop, "stop", {"now": now}), Advice(draw, "draw_on", {"score": min(score, now)})]


def placement_hint(game: Game, view: State, seat: int, move: int, estimate: Estimate) -> Advice:
    """A placement with its best reason: it completes a layer, it smooths the pile, or neither."""
    after = view.copy()
    game.play(after, seat, move)
    values: dict[str, object] = {"score": expected_score(after, estimate)}
    layers = game.rule("complete_layers")
    if layers(after) > layers(view):
        return Advice(move, "completes", values | {"layer": layers(after)})
    if unevenness(after) < unevenness(view):
        return Advice(move, "smooths", values)
    cards = after.deck.bit_count()
    return Advice(move, "open", values | {"usable": usable_cards(game, after), "cards": cards})


def unevenness(state: State) -> int:
    """The cells by which neighbouring columns differ, each pair of them counted twice."""
    heights = state.heights
    return sum(
        abs(heights[column] - heights[neighbour])
        for column, neighbours in enumerate(NEIGHBOURS)
        for neighbour in neighbours
    )


def expected_score(state: State, estimate: Estimate) -> int:
    """What a team of masters ends with, about, where playouts end with this estimate."""
    share = SHARE_PER_BOX * max(0, boxes_left(state) - LAST_BOXES)
    return round(estimate.points + min(MAX_SHARE, share) * (PERFECT - estimate.points))


def usable_cards(game: Game, state: State) -> int:
    """The number of cards to come that would find a place now."""
    drawn = state.copy()
    usable = 0
    for card in range(len(game.rule("CARDS"))):
        if state.deck >> card & 1:
            drawn.card = card
            usable += game.rule("can_place")(drawn)
    return usable
