"""Whether to agree to the end of a match in which nothing is taken any more.

An agreement costs no turn and stands until a card is taken, so it can only end a match as it stands
now. A seat that would win alone agrees at once, and a seat that would lose never does.
"""

from ludotheque.games.whats_up.rules import State, is_ahead, wins


def share_if_ended(view: State, seat: int) -> float:
    """The seat's share of the victory if the match ended now."""
    winners = sum(wins(view, other) for other in range(view.seats))
    return wins(view, seat) / winners


def wins_alone(view: State, seat: int) -> bool:
    return all(is_ahead(view, seat, other) for other in range(view.seats) if other != seat)
