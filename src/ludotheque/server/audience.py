"""Who looks at a table, and when they are shown what is new there."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ludotheque.engine.story import Story
from ludotheque.server import messages
from ludotheque.server.absences import Absences
from ludotheque.server.match_info import Time
from ludotheque.server.player import Player
from ludotheque.server.snapshot import ClosedDoor, Connection, Presence, Snapshot, Told
from ludotheque.server.table import Table


class Audience:
    """The connections of a table. Nothing is sent before `publish`."""

    def __init__(self, table: Table) -> None:
        self.connections: set[Connection] = set()
        self.door: dict[Connection, messages.Hello] = {}  # clients that are not let in
        self._story = None if table.match is None else Story(table.match, from_now=True)
        self._lookers: list[Connection] = []  # they see the table even if nothing has changed
        self._is_news = False
        self._presence: Presence | None = None  # None when it may have changed

    def guests(self) -> set[str]:
        """Who is connected now."""
        return {c.player.id for c in self.connections if c.player is not None}

    def delay_of(self, guest: str) -> float:
        """The seconds that what this guest sends may be on its way."""
        theirs = (c for c in self.connections if c.player is not None and c.player.id == guest)
        return max((connection.round_trips.delay_s for connection in theirs), default=0.0)

    def callers(self) -> list[Player]:
        """Guests who wait to be let in."""
        return _each_once(c.player for c in self.door)

    def watchers(self, table: Table) -> list[Player]:
        """Guests who look on and have no seat."""
        players = _each_once(c.player for c in self.connections)
        return [player for player in players if table.own_seat(player.id) is None]

    def info(self, table: Table, absences: Absences) -> messages.TableInfo:
        """What everyone may know of the table now."""
        return Presence(table, self.connections, absences=absences).table_info(table)

    def admit(self, connection: Connection, hello: messages.Hello, table: Table) -> None:
        """Let a client look on, or have it wait; one that is here already may change its seat."""
        if not connection.is_admitted_to(table):
            self._show_door(connection, hello, table)
            return
        connection.viewer = table.viewer_for(connection.player, hello.viewer)
        connection.greet(hello)
        if connection in self.connections:
            self._lookers.append(connection)
        else:
            self.connections.add(connection)
            self.note_presence()

    def _show_door(self, connection: Connection, hello: messages.Hello, table: Table) -> None:
        if connection in self.door:  # knocking again disturbs nobody else
            connection.show(ClosedDoor(table, self.guests()))
        else:
            self.note_presence()
        self.door[connection] = hello

    def let_go(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self.door.pop(connection, None)
        self.note_presence()

    def mind_the_door(self, table: Table) -> None:
        """People may have been let in or sent away."""
        for connection in list(self.connections):
            if connection.is_admitted_to(table):
                continue
            self.connections.discard(connection)
            if connection.has_key:  # it connects again, and its key is checked once more
                connection.show(None)
            else:
                connection.table = None  # is told again if they come back
                self.door[connection] = messages.Hello()
        waiting, self.door = self.door, {}
        for connection, hello in waiting.items():
            self.admit(connection, hello, table)

    def rename(self, player: Player) -> None:
        for connection in (*self.connections, *self.door):
            connection.rename(player)
        self.note_presence()

    def dismiss_guest(self, guest: str, device: str | None) -> None:
        """End the connections of a guest's devices, or of one."""
        for connection in (*self.connections, *self.door):
            if connection.is_of(guest, device):
                self.let_go(connection)
                connection.show(None)

    def show_once(self, looker: Connection, seat: int | None, table: Table) -> None:
        looker.viewer = table.viewer_for(looker.player, seat)
        self._lookers.append(looker)

    def begin_match(self, table: Table) -> None:
        """Tell the match of the table from its beginning, if there is one."""
        self._story = None if table.match is None else Story(table.match)

    def note_news(self) -> None:
        """The match or the chat has changed: everyone is shown the table when it is published."""
        self._is_news = True

    def note_presence(self) -> None:
        """Someone has come or gone, or the seats or the settings have changed."""
        self._presence = None
        self._is_news = True

    def publish(self, table: Table, version: int, time: Time, absences: Absences) -> None:
        """Show everyone what is new, and lookers the table as it is."""
        if self._presence is None:
            closed = ClosedDoor(table, self.guests())
            for connection in self.door:
                connection.show(closed)
        lookers, self._lookers = self._lookers, []
        if self._is_news:
            self._is_news = False
            lookers = [looker for looker in lookers if looker not in self.connections]
            presence = self._present(table, absences)
            looks, told = _looks(self.connections), self._told(table)
            snapshot = Snapshot(table, version, presence, looks, time, told)
            for connection in self.connections:
                connection.show(snapshot)
        for looker in lookers:
            presence = Presence(table, {*self.connections, looker}, self.door, absences)
            looker.show(Snapshot(table, version, presence, _looks([looker]), time))

    def dismiss(self) -> None:
        """Tell everyone that nothing more will come."""
        for connection in (*self.connections, *self.door, *self._lookers):
            connection.show(None)
        self.connections.clear()
        self.door.clear()
        self._lookers.clear()

    def _told(self, table: Table) -> Told | None:
        """What everyone who looks on is told about the moves since the last time."""
        if table.match is None or self._story is None:
            return None
        viewers = {connection.viewer for connection in self.connections}
        return Told(self._story.place, self._story.go_on(table.match, viewers))

    def _present(self, table: Table, absences: Absences) -> Presence:
        if self._presence is None:
            self._follow_seats(table)
            self._presence = Presence(table, self.connections, self.door, absences)
        return self._presence

    def _follow_seats(self, table: Table) -> None:
        """A client whose player has taken or left a seat looks from another place now."""
        for connection in self.connections:
            viewer = table.viewer_for(connection.player, connection.viewer)
            if viewer != connection.viewer:
                connection.viewer, connection.lines, connection.match = viewer, 0, -1


def _each_once(players: Iterable[Player | None]) -> list[Player]:
    return list({player.id: player for player in players if player is not None}.values())


def _looks(connections: Collection[Connection]) -> set[tuple[int, str]]:
    return {(connection.viewer, connection.plain) for connection in connections}
