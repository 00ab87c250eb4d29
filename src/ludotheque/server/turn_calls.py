"""Who is called to their turn at a table because they are away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable

from ludotheque.server.table import Person, Table
from ludotheque.server.turn import Turn, turn_of

GRACE_S = 30.0  # people who come back by themselves are not called
LAST_LOOK_S = 90.0  # a phone that was just locked seems to be connected for a while
SHORT_CLOCK_S = 3600  # on a shorter one people stay at the table, or would be called too late


class TurnCalls:
    """Looks at the turns of one table; each is called once at most.

    Not in a race nor on a short clock, and only where several people play: who plays against bots
    alone never waits long. `here` tells which guests are connected, `call` calls a guest.
    """

    def __init__(
        self, table: Table, here: Callable[[], Collection[str]], call: Callable[[str], object]
    ) -> None:
        self._here = here
        self._call = call
        self._looks: dict[Turn, list[float]] = {}  # when to look who is away, for each turn
        self._turns = _turns_at(table)  # known already: a table that wakes calls nobody
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nobody might have to be called to a turn that has begun."""
        return not self._looks

    @property
    def uncalled(self) -> frozenset[Turn]:
        """The turns to which somebody might have to be called."""
        return frozenset(self._looks)

    def resume(self, table: Table, uncalled: Iterable[Turn]) -> None:
        """Look at turns to which the one before has called nobody."""
        for turn in uncalled:
            self._turns.pop(turn, None)
        self.look(table)

    def look(self, table: Table) -> None:
        """The table may have changed."""
        turns = _turns_at(table)
        if turns == self._turns:
            return
        now = asyncio.get_running_loop().time()
        kept = {turn: looks for turn, looks in self._looks.items() if turn in turns}
        new = turns.keys() - self._turns.keys()
        self._looks = kept | {turn: [now + GRACE_S, now + LAST_LOOK_S] for turn in new}
        self._turns = turns
        self._plan()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _plan(self) -> None:
        """Look when the next look is due, or before that if it was planned so already."""
        due = min((looks[0] for looks in self._looks.values()), default=None)
        if due is not None and (self._timer is None or self._timer.when() > due):
            self.stop()
            self._timer = asyncio.get_running_loop().call_at(due, self._strike)

    def _strike(self) -> None:
        self._timer = None
        now, here = asyncio.get_running_loop().time(), self._here()
        due = [turn for turn, looks in self._looks.items() if looks[0] <= now]
        away = {guest for turn in due if (guest := self._turns[turn]) not in here}
        for turn in due:
            self._looks[turn].pop(0)
            if self._turns[turn] in away or not self._looks[turn]:
                del self._looks[turn]
        for guest in away:
            self._call(guest)
        self._plan()


def _turns_at(table: Table) -> dict[Turn, str]:
    """The turns that the table waits for, each with the guest whose turn it is."""
    match = table.match
    if match is None or match.is_over or match.game.timed:
        return {}
    if 0 < table.settings.move_seconds < SHORT_CLOCK_S or len(table.guests) < 2:
        return {}
    people = {
        seat: person.guest
        for seat, person in enumerate(table.seats)
        if isinstance(person, Person) and person.keeper is None
    }
    return {
        turn_of(table.matches, match, seat): people[seat]
        for seat in match.awaited()
        if seat in people
    }
