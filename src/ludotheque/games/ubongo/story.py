"""What happens in a round: the start, who calls, the cards checked one player after the other.

A race is counted down before it starts. A wrong call that ends nothing is judged at once.

Laying is never told: a race has no time for it, and the others see only how many cards lie there.
The layouts lie open when the points are counted, so all of that lasts. [3. Compte des points]
"""

from ludotheque.engine.bits import numbers
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.story import Decided, Fact, lead_taken
from ludotheque.games.ubongo.cards import GOOD
from ludotheque.games.ubongo.notation import side_name
from ludotheque.games.ubongo.rules import (
    CALL,
    CLOSE,
    FAULTS,
    GO,
    RACING,
    READY,
    READYING,
    ROUNDS,
    STARTING,
    STOP,
    State,
    count_laid,
    everybody,
    is_abandoned,
    is_out,
    tens,
    wins,
)


def is_told(before: State, seat: int, move: int) -> bool:
    """The last of all who get ready, or the last card dealt, may start a race."""
    if seat == CHANCE:
        return move in (CLOSE, GO) or before.dealt == before.seats * before.cards - 1
    if move == READY:
        return before.ready | 1 << seat == everybody(before)
    return move in (CALL, STOP)


def chapter(view: State) -> int:
    return view.rounds


def tell(before: State, seat: int, move: int | None, after: State) -> list[Fact]:
    if before.phase == STARTING:
        return [Fact("begin", "go", {}, lasting=False)]
    if before.phase != RACING:
        return [begun(after)] if after.phase in (STARTING, RACING) else []
    if after.phase == READYING:
        return [ended(seat, after), *photo_finish(after), *judged(after), scored(after)]
    if move == CALL:
        key = "called" if before.callers == 0 else "called_too"
        judgement = [out(after, seat)] if is_out(after, seat) else []
        return [Fact("call", key, {"seat": seat}), *judgement]
    return [Fact("vote", "agreed", {"seat": seat})] if move == STOP else []


def begun(after: State) -> Fact:
    """A race starts, or is counted down."""
    values = {"number": after.rounds, "side": side_name(after.rounds)}
    key = "countdown" if after.phase == STARTING else "started"
    return Fact("begin", key, values, lasting=False)


def ended(seat: int, after: State) -> Fact:
    """Why the cards are checked now; after a call that has been told."""
    if after.callers != 0:
        return Fact("begin", "checked", {"seats": list(numbers(after.callers))}, lasting=False)
    if after.out == everybody(after):
        return Fact("begin", "all_out", {})
    if seat == CHANCE and not is_abandoned(after):
        return Fact("begin", "time_up", {})
    if after.seats > 1:
        return Fact("begin", "all_agreed", {})
    return Fact("begin", "gave_up", {"seat": seat})


def photo_finish(after: State) -> list[Fact]:
    """By how much those who called at the same time missed each other, the earliest first.

    A call may be told before an earlier one that had a longer way: only this is the order.
    """
    callers = sorted(numbers(after.callers), key=lambda seat: after.calls[seat])
    if len(callers) < 2:
        return []
    gaps = [(seat, after.calls[seat] - after.called_at) for seat in callers]
    best = "tied" if gaps[1][1] == 0 else "first"
    by_seat = [[seat, ["later", {"gap": gap}] if gap else [best, {}]] for seat, gap in gaps]
    return [Fact("call", "photo_finish", {"by_seat": by_seat})]


def judged(after: State) -> list[Fact]:
    """What is found in each layout, those of the callers first; those without cards together."""
    callers = numbers(after.callers)
    others = [seat for seat in range(after.seats) if seat not in callers]
    facts = [found(after, seat) for seat in (*callers, *others) if count_laid(after, seat) > 0]
    empty = [seat for seat in others if count_laid(after, seat) == 0]
    return [*facts, Fact("verdict", "nothing", {"seats": empty})] if empty else facts


def found(after: State, seat: int) -> Fact:
    if after.verdicts[seat][0] == GOOD:
        return Fact("verdict", "right", {"seat": seat, "count": count_laid(after, seat)})
    return mistake(after, seat, "wrong", "astray")


def out(after: State, seat: int) -> Fact:
    return mistake(after, seat, "out", "out_astray")


def mistake(after: State, seat: int, wrong: str, astray: str) -> Fact:
    """The fault of a layout, told by the first key; by the second if one card stands alone."""
    fault, a, b = after.verdicts[seat]
    if a == b:
        return Fact("verdict", astray, {"seat": seat, "a": a + 1})
    return Fact("verdict", wrong, {"seat": seat, "a": a + 1, "b": b + 1, "fault": FAULTS[fault]})


def scored(after: State) -> Fact:
    points = [after.points[seat][after.rounds - 1] for seat in range(after.seats)]
    by_seat = [[seat, f"+{won}" if won else "0"] for seat, won in enumerate(points)]
    return Fact("score", "scored", {"by_seat": by_seat})


def decided(facts: list[tuple[int, Fact]], end: State) -> Decided:
    """The round in which the winner went into the lead for good, or the calls that broke a tie."""
    winners = [seat for seat in range(end.seats) if wins(end, seat)]
    if len(winners) > 1:
        return Decided("shared", {})
    winner = winners[0]
    if end.seats == 1:
        return Decided("solo", {"tens": tens(end, winner), "rounds": ROUNDS})
    gains = [[end.points[seat][number] for seat in range(end.seats)] for number in range(ROUNDS)]
    turn = lead_taken(gains, winner)
    if turn < 0:
        return Decided("tens", {"seat": winner, "tens": tens(end, winner)})
    values = {"seat": winner, "number": turn + 1, "points": gains[turn][winner]}
    return Decided("took_lead", values)
