"""What happens in a round: the stake, the cards turned up, ties, and who takes it.

Bids and points are left out of the history unless the table itself shows them: played cards are
covered by the next ones, and points won lie face down. [Fin de la manche]
"""

from ludotheque.engine.bits import numbers
from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.engine.story import Decided, Fact, lead_taken
from ludotheque.games.stupide_vautour.notation import signed, tied_seats
from ludotheque.games.stupide_vautour.rules import POINTS, State, is_over, wins


def is_told(before: State, seat: int, move: int) -> bool:
    """Chance turns up a stake; the last bid settles the round. Other bids are sealed."""
    return seat == CHANCE or before.waiting == 1


def chapter(view: State) -> int:
    return view.rounds


def tell(before: State, seat: int, move: int | None, after: State) -> list[Fact]:
    if seat == CHANCE and move is not None:
        return [stake(move, after)]
    if after.waiting > 0:
        return []
    return [revealed(after), *struck(before, after), *settled(before, after)]


def stake(outcome: int, after: State) -> Fact:
    """The card turned up, and which bid takes all that lies there now."""
    kind = "meerkat" if POINTS[outcome] > 0 else "vulture"
    rule = "high" if after.stake >= 0 else "low"
    values = {"card": kind, "worth": signed(POINTS[outcome]), "total": signed(after.stake)}
    several = after.table & (after.table - 1) != 0
    key = f"stake_joins_{rule}" if several else f"stake_{rule}"
    return Fact("begin", key, values, lasting=after.open_scores == 1)


def revealed(after: State) -> Fact:
    bids = [[seat, str(after.tops[seat])] for seat in range(after.seats)]
    return Fact("reveal", "revealed", {"by_seat": bids}, lasting=after.open_discards == 1)


def struck(before: State, after: State) -> list[Fact]:
    """One fact for each value that a tie knocked out, in the order in which they would win."""
    seats_by_value: dict[int, list[int]] = {}
    for seat in numbers(after.struck):
        seats_by_value.setdefault(after.tops[seat], []).append(seat)
    return [
        Fact("cancel", "struck", {"value": value, "seats": seats_by_value[value]}, lasting=False)
        for value in sorted(seats_by_value, reverse=before.stake >= 0)
    ]


def settled(before: State, after: State) -> list[Fact]:
    """Who takes the stake; if nobody does it stays, or is lost in the last round."""
    points = signed(before.stake)
    if after.taker == NOBODY:
        key = "lost" if is_over(after) else "carried"
        return [
            Fact("carry", key, {"worth": points}, lasting=after.open_scores == 1),
            _kept(after),
        ]
    kind = "award" if before.stake >= 0 else "penalty"
    values = {"seat": after.taker, "worth": points, "value": after.tops[after.taker]}
    return [Fact(kind, kind, values, lasting=after.open_scores == 1), _kept(after)]


def _kept(after: State) -> Fact:
    """What the history says where points are hidden."""
    is_hidden = after.open_scores == 0
    if after.taker == NOBODY:
        return Fact("note", "nobody_took", {}, lasting=is_hidden)
    return Fact("note", "took", {"seat": after.taker}, lasting=is_hidden)


def decided(facts: list[tuple[int, Fact]], end: State) -> Decided:
    """The stake with which the winner went into the lead for good, or a tie that decided it."""
    winners = [seat for seat in range(end.seats) if wins(end, seat)]
    if len(winners) > 1:
        return Decided("shared", {})
    if tied := tied_seats(end):
        return Decided("tied", {"seats": tied})
    takings = [(number, fact) for number, fact in facts if fact.kind in ("award", "penalty")]
    gains = [_gain(fact, end.seats) for _, fact in takings]
    number, turn = takings[lead_taken(gains, winners[0])]
    key = "took_lead" if turn.values["seat"] == winners[0] else "fell_back"
    return Decided(key, turn.values | {"number": number, "seats": winners})


def _gain(taking: Fact, seats: int) -> list[int]:
    """What each seat gains by this."""
    points = int(taking.values["worth"].replace("−", "-"))
    return [points if seat == taking.values["seat"] else 0 for seat in range(seats)]
