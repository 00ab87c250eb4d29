"""What happens in a deal: dice and toss, the leader's change, the cards, and who takes the trick.

Only the last trick lies open: the history keeps who took a trick, not the cards of it. Card and
dice are public at any time, so it keeps every change of theirs. [Déroulement]
"""

from ludotheque.engine.seats import CHANCE, NOBODY
from ludotheque.engine.story import Decided, Fact, lead_taken
from ludotheque.games.up_and_down.notation import SUIT_NAMES, card_words, fate, has_trump
from ludotheque.games.up_and_down.rules import (
    ALL_CANCELLED,
    BY_HIGHEST,
    BY_LOWEST,
    BY_TRUMP,
    CHANGING,
    DEALING,
    FLIP,
    NONE_FITS,
    OVER,
    REROLL,
    ROLL,
    TOSS,
    UP,
    State,
    best_score,
    hand_size,
    own_suit,
    planned_deals,
    score,
    still_choosing,
    tricks_played,
    trump,
    value_of,
    wins,
)

REASONS = {
    BY_TRUMP: "trump",
    BY_HIGHEST: "highest",
    BY_LOWEST: "lowest",
    ALL_CANCELLED: "all_cancelled",
    NONE_FITS: "none_fits",
}


def is_told(before: State, seat: int, move: int) -> bool:
    """Cards are dealt and laid in silence; a reroll is told with what the dice show then."""
    if seat == CHANCE:
        return move >= ROLL
    return FLIP <= move < REROLL or (move < FLIP and still_choosing(before) == 1)


def chapter(view: State) -> int:
    """The deal; its last trick belongs to it, though the next deal is due."""
    is_between = view.phase == OVER or (view.phase == DEALING and view.dealt == 0)
    return view.deal if is_between else view.deal + 1


def tell(before: State, seat: int, move: int | None, after: State) -> list[Fact]:
    if seat == CHANCE:
        return chance(before, move, after)
    if move is not None and FLIP <= move < REROLL:
        return changed(seat, move, after)
    return settled(before, after) if still_choosing(before) == 1 else []


def chance(before: State, outcome: int | None, after: State) -> list[Fact]:
    if outcome is None or outcome < ROLL:
        return []
    if outcome >= TOSS:
        return [side(after), suits(after), Fact("begin", "rose_leads", {"seat": after.leader})]
    if trump(before) == 0:
        return [deal(after), rolled(after)]
    return [Fact("begin", "rerolled", {"seat": after.leader}), rolled(after)]


# The rules of the trick


def deal(after: State) -> Fact:
    """How many cards everyone has, and how many tricks from the deals before."""
    if after.deal == planned_deals(after):
        first = [seat for seat in range(after.seats) if score(after, seat) == best_score(after)]
        return Fact("begin", "extra_deal", {"seats": first})
    cards = hand_size(after)
    if after.deal == 0:
        return Fact("begin", "first_deal", {"cards": cards})
    tricks = [[seat, str(score(after, seat))] for seat in range(after.seats)]
    return Fact("begin", "next_deal", {"cards": cards, "by_seat": tricks})


def rolled(after: State) -> Fact:
    low, high = after.dice
    key = "rolled" if has_trump(after) else "rolled_none"
    return Fact("begin", key, {"low": low, "high": high, "trump": trump(after)})


def side(after: State) -> Fact:
    return Fact("begin", "side_up" if after.side == UP else "side_down", {})


def suits(after: State) -> Fact:
    pairs = [[seat, SUIT_NAMES[own_suit(after, seat)]] for seat in range(after.seats)]
    return Fact("begin", "suits", {"by_seat": pairs})


def changed(seat: int, move: int, after: State) -> list[Fact]:
    """[1) Changer les règles de pli] who changed what, and what holds now."""
    if move == FLIP:
        return [Fact("begin", "flipped", {"seat": seat}), side(after)]
    return [Fact("begin", "turned", {"seat": seat}), suits(after)]


# The trick


def settled(before: State, after: State) -> list[Fact]:
    facts = [revealed(after), *struck(before, after)]
    facts += taken(before, after) if after.taker != NOBODY else left(before, after)
    if after.phase == CHANGING:
        facts.append(Fact("begin", "leads", {"seat": after.leader}, lasting=False))
    return facts


def revealed(after: State) -> Fact:
    cards = [[seat, ["card", card_words(after.trick[seat])]] for seat in range(after.seats)]
    return Fact("reveal", "revealed", {"by_seat": cards}, lasting=False)


def struck(before: State, after: State) -> list[Fact]:
    """One fact for each value that occurs more than once, in the order in which they would win."""
    seats_by_value: dict[int, list[int]] = {}
    for seat in range(after.seats):
        seats_by_value.setdefault(value_of(after.trick[seat]), []).append(seat)
    return [
        Fact("cancel", "struck", {"value": value, "seats": seats_by_value[value]}, lasting=False)
        for value in sorted(seats_by_value, reverse=before.side == UP)
        if len(seats_by_value[value]) > 1
    ]


def taken(before: State, after: State) -> list[Fact]:
    """Who takes the trick, and the pot with it, and why."""
    taking = {"seat": after.taker, "tricks": 1 + before.pot}
    why = card_words(after.trick[after.taker]) | {"idle": idle(after)}
    key = f"won_{REASONS[after.verdict]}"
    return [
        Fact("award", key, taking | why, lasting=False),
        Fact("note", "took", taking | number_of(before)),
    ]


def left(before: State, after: State) -> list[Fact]:
    """[Cas spécial: pas de meilleure carte] the pot grows; the last trick of a deal loses it."""
    where = "lost" if after.deal > before.deal else "pot"
    values = {"tricks": 1 + before.pot}
    key = f"{where}_{REASONS[after.verdict]}"
    return [
        Fact("carry", key, values | {"idle": idle(after)}, lasting=False),
        Fact("note", where, values | number_of(before)),
    ]


def number_of(before: State) -> dict[str, int]:
    """Which trick of the deal it was: the history keeps little else of it."""
    return {"number": tricks_played(before) + 1}


def idle(after: State) -> list[int]:
    """The seats whose cards were neither trump nor in their own suit."""
    return [seat for seat in range(after.seats) if fate(after, seat) == "idle"]


# The match


def decided(facts: list[tuple[int, Fact]], end: State) -> Decided:
    """The deal, or the trick of an only deal, in which the winner went into the lead for good."""
    winners = [seat for seat in range(end.seats) if wins(end, seat)]
    if len(winners) > 1:
        return Decided("shared", {})
    if end.deal == 1:
        return decided_by_trick([fact for _, fact in facts], end.seats, winners[0])
    gains = [[end.tricks[seat][deal] for seat in range(end.seats)] for deal in range(end.deal)]
    turn = lead_taken(gains, winners[0])
    key = "extra_deal" if turn == planned_deals(end) else "took_lead"
    values = {"seat": winners[0], "number": turn + 1, "tricks": gains[turn][winners[0]]}
    return Decided(key, values)


def decided_by_trick(facts: list[Fact], seats: int, winner: int) -> Decided:
    tricks = [fact for fact in facts if fact.kind in ("award", "carry")]
    gains = [
        [fact.values["tricks"] if fact.values.get("seat") == seat else 0 for seat in range(seats)]
        for fact in tricks
    ]
    turn = lead_taken(gains, winner)
    values = {"seat": winner, "trick": turn + 1, "tricks": gains[turn][winner]}
    return Decided("trick", values)
