"""What happens at the table: the card turned over, who takes it, rows, and how near the end is.

To remember which cell was turned to which face is the players' business: the history keeps what
was taken, and the turnings only where the option `open_memory` shows them anyway.
"""

from ludotheque.engine.seats import CHANCE
from ludotheque.engine.story import Decided, Fact
from ludotheque.games.whats_up.notation import (
    COLOUR_NAMES,
    cell_text,
    ending,
    face_text,
    quiet_rounds_left,
)
from ludotheque.games.whats_up.rules import (
    AGREE,
    CALM_TURNS,
    CARDS,
    EIGHT_TURNS,
    FULL,
    GOAL,
    HOLE,
    NAMING,
    State,
    birds_of,
    calm_turns,
    cards,
    colour_of,
    complete_rows,
    face_of,
    is_over,
    is_vote_open,
    score,
    votes,
    wins,
)


def is_told(before: State, seat: int, move: int) -> bool:
    """Cards are laid out without a word; then it is told who begins."""
    return seat != CHANCE or move >= NAMING or opens_play(before)


def is_turn(seat: int, move: int) -> bool:
    return seat != CHANCE and move != AGREE


def opens_play(before: State) -> bool:
    """Whether the next card is the last one, after which a seat that is set begins."""
    return before.first != CHANCE and before.dealt == CARDS - 1


def tell(before: State, seat: int, move: int | None, after: State) -> list[Fact]:
    if seat == CHANCE:
        return [Fact("begin", "begins", {"seat": after.turn})] if after.turn != CHANCE else []
    if move is None:
        return []
    if move == AGREE:
        return [agreed(seat, after), *ended(after)]
    took = [taken(seat, after)] if after.taken != HOLE else []
    return [turned(seat, move, after), *took, *stall(before, after), *ended(after)]


def turned(seat: int, cell: int, after: State) -> Fact:
    """The face that comes up, and why its card stays if it does."""
    face = after.taken if after.taken != HOLE else after.up[cell]
    values: dict[str, object] = {"seat": seat, "cell": cell_text(cell), "face": face_text(face)}
    key, reach = "turned", after.rows[seat][colour_of(face)]
    if after.taken == HOLE and birds_of(face) <= reach:
        key = "stays_held"
    elif after.taken == HOLE:
        key, values["needed"] = "stays_early", face_text(face_of(colour_of(face), reach + 1))
    return Fact("turn", key, values, lasting=after.open_memory == 1)


def taken(seat: int, after: State) -> Fact:
    """The card that goes to a row; the last one completes it, and may win."""
    if birds_of(after.taken) < FULL:
        return Fact("place", "taken", {"seat": seat, "face": face_text(after.taken)})
    row = f"{COLOUR_NAMES[colour_of(after.taken)]}_row"
    count, goal = complete_rows(after, seat), GOAL[after.seats]
    values = {"seat": seat, "row": row, "count": count, "goal": goal}
    return Fact("gain", "row_wins" if count == goal else "row", values)


def stall(before: State, after: State) -> list[Fact]:
    """How much is left while nobody takes a card, by whole rounds or, from half on, by turns."""
    if is_over(after):
        return []
    if after.quiet == 0:
        return [Fact("vote", "vote_closed", {})] if is_vote_open(before) else []
    if after.stall == EIGHT_TURNS:
        left = CALM_TURNS - after.quiet
        return [Fact("warning", "turns_left", {"turns": left})] if 2 * left <= CALM_TURNS else []
    if not is_vote_open(after) or after.quiet % after.seats != 0:
        return []
    key = "vote_opens" if after.quiet == calm_turns(after) else "rounds_left"
    return [Fact("warning", key, {"rounds": quiet_rounds_left(after)})]


def agreed(seat: int, after: State) -> Fact:
    values = {"seat": seat, "votes": votes(after), "voters": after.seats}
    return Fact("vote", "agreed", values)


def ended(after: State) -> list[Fact]:
    """Why the match is over; a row that wins says it itself."""
    if not is_over(after) or ending(after) == "goal":
        return []
    return [Fact("warning", ending(after), {})]


def decided(facts: list[tuple[int, Fact]], end: State) -> Decided:
    """The row that won, or what the winner had when the match ended without one."""
    winners = [seat for seat in range(end.seats) if wins(end, seat)]
    if ending(end) == "goal":
        _, row = facts[-1]
        return Decided("goal", row.values)
    if len(winners) > 1:
        return Decided("shared", {"seats": winners})
    winner = winners[0]
    others = [seat for seat in range(end.seats) if seat != winner]
    if any(score(end, seat) == score(end, winner) for seat in others):
        return Decided("fewest", {"seat": winner, "cards": cards(end, winner)})
    return Decided(ending(end), {"seat": winner})
