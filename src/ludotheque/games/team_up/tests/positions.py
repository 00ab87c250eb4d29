"""Matches at the moments that tests start from, and short ways to play on."""

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import CHANCE
from ludotheque.games.team_up import parts
from ludotheque.games.team_up.rules import CARDS, DRAW, NEUTRAL_PLACES, OBJECTIONS, OVER, placement

GAME = load("team_up")
STANDING = "n-a1-123"  # the neutral box on a1 and a2, three high
LYING = "n-a1-231"  # on a1 to b3, one high


def new_match(seats: int = 2, neutral: str = STANDING, **options: object) -> Match:
    match = Match(GAME, seats, options)
    match.play(CHANCE, GAME.parse(CHANCE, neutral))
    return match


def order_of(card: int) -> str:
    """What a card asks for: `red`, `post`, `post plank`."""
    kind, first, second = CARDS[card]
    names = parts.DEFAULT_NAMES.colours if kind == parts.COLOUR_CARD else parts.DEFAULT_NAMES.shapes
    return names[first] if first == second else f"{names[first]} {names[second]}"


def draw(match: Match, order: str) -> None:
    """The player whose turn it is draws the first card left that asks for this."""
    deck = match.state.deck
    card = next(i for i in range(36) if deck >> i & 1 and order_of(i) == order)
    match.play(match.state.turn, DRAW)
    match.play(CHANCE, NEUTRAL_PLACES + card)


def place(match: Match, text: str) -> None:
    match.play(match.state.turn, GAME.parse(0, text))


def build(match: Match, *texts: str) -> Match:
    """Each box is placed on a card for its colour, or for its shape where those are used up."""
    for text in texts:
        shape, colour, _ = text.split(".")
        deck = [order_of(i) for i in range(36) if match.state.deck >> i & 1]
        draw(match, colour if colour in deck else shape)
        place(match, text)
    return match


def refused(match: Match, text: str) -> str:
    """The objection to a box that the player whose turn it is would place; empty if none."""
    return OBJECTIONS[GAME.objection(match.state, match.state.turn, GAME.parse(0, text))]


def boxes_offered(match: Match) -> set[tuple[str, str]]:
    """The shapes and colours that may be placed now."""
    names = [GAME.notation(0, move).split(".") for move in match.legal_moves(match.state.turn)]
    return {(shape, colour) for shape, colour, _ in names}


def play_solution(match: Match) -> None:
    for p in parts.solution(parts.DEFAULT_DATA):
        match.play(match.state.turn, DRAW)
        match.play(CHANCE, NEUTRAL_PLACES + p.card - 1)
        match.play(match.state.turn, placement(p.shape, p.colour, p.turned, p.x, p.y))


def scored(heights: list[int], left: int, lost: int, **options: object) -> Match:
    """A finished match with these heights, so many boxes left and so many cards lost."""
    match = new_match(**options)  # type: ignore[arg-type]
    match.state.phase = OVER
    match.state.heights = heights
    match.state.lost = lost
    kept = [(shape, colour) for shape in range(9) for colour in range(3)][:left]
    for shape in range(9):
        match.state.left[shape] = [int((shape, colour) in kept) for colour in range(3)]
    return match


def three_masts_gone() -> Match:
    return build(new_match(neutral=LYING), "mast.red.a1", "mast.blue.b2", "mast.white.a3")
