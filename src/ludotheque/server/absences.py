"""How long people who play have been away, and who wants a bot to play for them meanwhile.

Nothing of this is stored: after a restart everyone has just left.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection

VOTED_AFTER_S = 15.0  # before that they may only have lost their connection for a moment
REPLACED_AFTER_S = 120.0  # stated in docs/players.md and in the words of the page


class Absences:
    """`news` is called when somebody has been away for so long that a bot may take over."""

    def __init__(
        self,
        news: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._news = news
        self._clock = clock
        self._since: dict[str, float] = {}  # by guest
        self._votes: dict[str, frozenset[str]] = {}  # by the guest who is away
        self._timer: asyncio.TimerHandle | None = None

    def is_long(self, guest: str) -> bool:
        """Whether this guest has been away for so long that a bot may take over."""
        since = self._since.get(guest)
        return since is not None and self._clock() - since >= REPLACED_AFTER_S

    def is_brief(self, guest: str) -> bool:
        """Whether this guest may be back in a moment, as after a lost connection."""
        since = self._since.get(guest)
        return since is None or self._clock() - since < VOTED_AFTER_S

    def votes(self, guest: str) -> frozenset[str]:
        return self._votes.get(guest, frozenset())

    def vote(self, guest: str, voter: str) -> frozenset[str]:
        """Note a vote for a bot in the place of a guest; all votes so far."""
        self._votes[guest] = self.votes(guest) | {voter}
        return self._votes[guest]

    def hear(self, guest: str) -> None:
        """A guest has asked for something, if not over a socket."""
        if guest in self._since:
            self._since[guest] = self._clock()
            self._votes.pop(guest, None)

    def look(self, players: Collection[str], here: Collection[str]) -> None:
        """These guests play, and these are connected."""
        away = set(players) - set(here)
        now = self._clock()
        self._since = {guest: self._since.get(guest, now) for guest in away}
        self._votes = {guest: votes for guest, votes in self._votes.items() if guest in away}
        self._plan()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _plan(self) -> None:
        self.stop()
        now = self._clock()
        due = [since + REPLACED_AFTER_S - now for since in self._since.values()]
        left = min((seconds for seconds in due if seconds > 0), default=None)
        if left is not None:
            self._timer = asyncio.get_running_loop().call_later(left, self._strike)

    def _strike(self) -> None:
        self._timer = None
        self._news()
        self._plan()
