"""What is stored of a table, held against all that its clients were told."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from faults.clients import Client, Told
from homes import Home
from ludotheque.engine.match import Entry
from ludotheque.server.events import AnyEvent, Cleared, Moved, Said, Started, decode
from ludotheque.server.owner import UNCERTAIN, replayed
from ludotheque.server.store import Stored
from ludotheque.server.table import Table

ONCE = (Moved, Said, Started, Cleared)  # of which one request leads to one at most


class Size(NamedTuple):
    """How much there is of a table."""

    match: int  # which one lies there, 0 for none
    lines: int
    said: int


class Ledger:
    """The events of one table, read from storage again and again."""

    def __init__(self, home: Home, table: str) -> None:
        self.lost: list[str] = []  # what clients were told and is not stored so, as sentences
        self.doubled: list[str] = []  # what is stored twice
        self._home = home
        self._id = table
        self._rows: list[tuple[int, str, str]] = []  # place, request, body
        self._table = Table(table)
        self._sizes = [Size(0, 0, 0)]  # after this many events
        self._logs: dict[int, list[Entry]] = {}  # by match
        self._said: list[Said] = []
        self._requests: dict[str, list[AnyEvent]] = {}  # by guest and id
        self._announced: Counter[int] = Counter()  # lines, by match
        self._checked: Counter[Client] = Counter()  # updates
        self._settled: Counter[Client] = Counter()  # requests that are done

    @property
    def announced(self) -> int:
        """Lines of the log that at least one client was told."""
        return sum(self._announced.values())

    def __len__(self) -> int:
        return len(self._rows)

    def check(self, clients: list[Client]) -> None:
        """Read what is new, and check what clients were told since the last time."""
        self.read()
        for client in clients:
            for told in client.told[self._checked[client] :]:
                self._check_told(told)
            for id_ in client.done[self._settled[client] :]:
                self._check_done(client, id_)
            self._checked[client] = len(client.told)
            self._settled[client] = len(client.done)

    def check_refusals(self, client: Client) -> None:
        """Note what was refused and is stored all the same; some clients were told to look."""
        for id_, error in client.refused:
            if error != UNCERTAIN and f"{client.person.id} {id_}" in self._requests:
                self.doubled.append(f"table {self._id}: {id_} is stored, and refused with {error}")

    def read(self) -> None:
        chosen = 'SELECT place, request, body FROM events WHERE "table" = ? ORDER BY place'
        rows = self._home.read(chosen, self._id)
        known = len(self._rows)
        if rows[:known] != self._rows:
            self.lost.append(f"table {self._id}: what had been stored is no longer there")
        for row in rows[known:]:
            self._add(row)

    def replay(self, version: int) -> Table:
        """The table that its first events make."""
        stored = [Stored(request, decode(body)) for _, request, body in self._rows[:version]]
        return replayed(self._id, stored)

    # Reading

    def _add(self, row: tuple[int, str, str]) -> None:
        place, request, body = row
        if place != len(self._rows):
            self.lost.append(f"table {self._id}: event {len(self._rows)} is missing")
        event = decode(body)
        if request:
            self._note_request(request, event)
        self._rows.append(row)
        self._table.apply(event)
        if isinstance(event, Said):
            self._said.append(event)
        self._note_size()

    def _note_request(self, text: str, event: AnyEvent) -> None:
        key = text.rpartition(" ")[0]
        events = self._requests.setdefault(key, [])
        is_apart = bool(events) and self._rows[-1][1] != text
        is_again = isinstance(event, ONCE) and any(type(e) is type(event) for e in events)
        if is_apart or is_again:
            self.doubled.append(f"table {self._id}: the request {key} led to {event} again")
        events.append(event)

    def _note_size(self) -> None:
        match, number = self._table.match, self._table.matches
        if match is None:
            self._sizes.append(Size(0, 0, len(self._said)))
        else:
            self._logs[number] = match.log
            self._sizes.append(Size(number, len(match.log), len(self._said)))

    # Checking

    def _check_told(self, told: Told) -> None:
        lines = told.first + len(told.lines)
        size = Size(told.match, lines, told.said)
        if told.version >= len(self._sizes) or self._sizes[told.version] != size:
            self.lost.append(f"table {self._id}: version {told.version} was told as {size}")
            return
        self._announced[told.match] = max(self._announced[told.match], lines)
        for place, line in enumerate(told.lines, told.first):
            self._check_line(told, place, line)
        first = told.said - len(told.chat)
        for said, line in zip(self._said[first : told.said], told.chat, strict=True):
            if {f: getattr(said, f) for f in ("guest", "name", "avatar", "text", "phrase")} != line:
                self.lost.append(f"table {self._id}: {line} was told, {said} is stored")

    def _check_line(self, told: Told, place: int, line: dict[str, Any]) -> None:
        entry = self._logs[told.match][place]
        is_seen = told.is_over or told.viewer in entry.seen_by
        expected = (entry.seat, entry.move if is_seen else None, entry.at)
        if (line["seat"], line["move"], line["at"]) != expected:
            self.lost.append(
                f"table {self._id}: line {place} of match {told.match} is {entry}, "
                f"seat {told.viewer} was told {line}"
            )

    def _check_done(self, client: Client, id_: str) -> None:
        events = self._requests.get(f"{client.person.id} {id_}", [])
        if not any(_fits(client.asked[id_], event) for event in events):
            self.lost.append(f"table {self._id}: {id_} was done, but {events} is stored of it")


def _fits(command: dict[str, Any], event: AnyEvent) -> bool:
    """Whether this is what the command asked for."""
    match command["do"], event:
        case "play", Moved(moves=[(seat, move, _), *_]):
            return (seat, move) == (command["seat"], command["move"])
        case "say", Said(text=text):
            return bool(text == command["text"])
        case ("start", Started()) | ("again", Cleared()):
            return True
    return False
