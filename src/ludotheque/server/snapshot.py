"""What a connection is sent about a table, and how much of it its viewer may know.

Everything told is a function of a view: a visitor without a name is a viewer like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

import msgspec

from ludotheque.engine.game import LANGUAGES
from ludotheque.engine.match import Match
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import Step, history
from ludotheque.server import messages
from ludotheque.server.absences import Absences
from ludotheque.server.match_info import (
    MatchTeller,
    Time,
    encode,
    encoded_history,
    encoded_line,
    encoded_steps,
    ending,
    plain_board,
)
from ludotheque.server.player import Player
from ludotheque.server.round_trips import RoundTrips
from ludotheque.server.table import Table
from ludotheque.server.table_info import table_info

VISITORS_TOLD = 30  # of each kind, to those who let people in


class Connection:
    """One client that looks at a table: who it is, from where it looks, what it has had so far.

    `show` is given every new snapshot, or what was made of one for this client elsewhere; None is
    the last: the owner is gone.
    """

    __slots__ = (
        "chat", "has_key", "is_screen", "key_was_for", "lines", "match", "opener", "plain",
        "player", "revealed", "round_trips", "show", "table", "viewer",
    )  # fmt: skip

    def __init__(
        self,
        player: Player | None,
        show: Callable[[Showable | None], object],
        is_screen: bool = False,
        has_key: bool = False,
    ) -> None:
        # A screen is seen by the whole room: it is nobody, even in the browser of a player.
        self.player = None if is_screen else player  # None for a visitor without a name
        self.show = show
        self.is_screen = is_screen
        self.opener = player  # whose browser it is
        self.has_key = has_key
        self.key_was_for: frozenset[str] | None = None  # those who were removed when it was checked
        self.viewer = NOBODY
        self.plain = ""  # the language in which it wants the board as text
        self.table: msgspec.Raw | None = None  # the TableInfo it was sent last
        self.match = 0  # the match whose lines it has
        self.lines = 0
        self.chat = 0
        self.revealed = 0  # the match of which it has had what was hidden
        self.round_trips = RoundTrips()

    def has_had(self, hello: messages.Hello) -> messages.Hello:
        """The hello with which the client would reconnect now, given its first one."""
        viewer = self.viewer if self.viewer >= 0 else hello.viewer
        seen = {"match": self.match, "lines": self.lines, "chat": self.chat, "viewer": viewer}
        return msgspec.structs.replace(hello, **seen)

    def is_of(self, guest: str, device: str | None) -> bool:
        """Whether a guest has opened it, on this device or on any."""
        opener = self.opener
        return opener is not None and opener.id == guest and device in (None, opener.device)

    def is_screen_of(self, table: Table) -> bool:
        """Whether the people at the table want it as their big screen: a stranger's is not."""
        if not self.is_screen:
            return False
        is_theirs = self.opener is not None and table.belongs(self.opener)
        return self.has_key_of(table) or is_theirs

    def note_key(self, table: Table) -> None:
        """The key that its client has said was checked with the table as it is stored now."""
        if self.key_was_for is None:
            self.key_was_for = frozenset(table.removed)

    def has_key_of(self, table: Table) -> bool:
        """Whether its key is still the table's: that is another one when a guest is removed."""
        return self.is_screen and self.has_key and self.key_was_for == table.removed.keys()

    def is_admitted_to(self, table: Table) -> bool:
        """Whether it may look on; a screen may if its browser or the people at the table may."""
        if self.opener is not None and self.opener.id in table.removed:
            return False
        return self.has_key_of(table) or table.admits(self.opener)

    def rename(self, player: Player) -> None:
        """A guest has another name or picture now."""
        if self.opener is not None and self.opener.id == player.id:
            self.opener = replace(player, device=self.opener.device)
            self.player = None if self.is_screen else self.opener

    def end(self) -> None:
        """The client is gone and is shown nothing more.

        What has shown it things refers to its connection: with the way back cut, both are freed at
        once, and with them the owner of the table. Otherwise they would wait for the collector.
        """
        self.show = _show_nobody

    def greet(self, hello: messages.Hello) -> None:
        """What the client says of itself; it gets no text in a language that there is not."""
        self.match, self.lines, self.chat = hello.match, hello.lines, hello.chat
        self.plain = hello.plain if hello.plain in LANGUAGES else ""


class Presence:
    """Who is around a table, and the table as they are told of it: the same while people play."""

    def __init__(
        self,
        table: Table,
        connections: Iterable[Connection],
        door: Iterable[Connection] = (),
        absences: Absences | None = None,
    ) -> None:
        players = [c.player for c in connections if c.player is not None]
        self.guests = {player.id for player in players}
        self.nameless = sum(c.player is None for c in connections)
        self.has_screen = any(c.is_screen_of(table) for c in connections)
        self._infos: dict[str, msgspec.Raw] = {}
        self.seats = {player.id: table.seats_of(player) for player in players}
        self._absences = absences or Absences()
        self._players = players
        self._callers = [c.player for c in door if c.player is not None]

    def door_for(self, player: Player, table: Table) -> messages.Door | None:
        """Who waits and who looks on, for the host, or while they are away for those who play.

        Only the host is told who was removed: nobody else lets them in again.
        """
        is_doorkeeper = table.host not in self.guests and bool(table.seats_of(player))
        if player.id != table.host and not is_doorkeeper:
            return None
        callers = [c for c in self._callers if c.id not in table.removed]
        watchers = [p for p in self._players if p.id != table.host and not table.seats_of(p)]
        gone = table.removed.values() if player.id == table.host else ()
        removed = [messages.Visitor(r.guest, r.name, r.avatar) for r in gone]
        return messages.Door(_visitors(callers), _visitors(watchers), removed[-VISITORS_TOLD:])

    def table_info(self, table: Table) -> messages.TableInfo:
        return table_info(table, self.guests, self.nameless, self.has_screen, self._absences)

    def info(self, table: Table) -> msgspec.Raw:
        """The table as it is told, encoded once for each status that it has."""
        status = table.status
        if status not in self._infos:
            self._infos[status] = msgspec.Raw(encode(self.table_info(table)))
        return self._infos[status]


def _visitors(players: Iterable[Player]) -> list[messages.Visitor]:
    each_once = {p.id: messages.Visitor(p.id, p.name, p.avatar) for p in players}
    return list(each_once.values())[:VISITORS_TOLD]


class ClosedDoor:
    """What is sent in place of a snapshot to clients that are not let in."""

    is_whole = True
    race = 0

    def __init__(self, table: Table, here: set[str]) -> None:
        self._table = table
        self._has_host = table.host in here

    def update_for(self, connection: Connection) -> bytes:
        asker = connection.player
        reason = "name" if asker is None else "asked"
        if connection.opener is not None and connection.opener.id in self._table.removed:
            reason = "removed"
        return encode(messages.AtDoor(reason, self._table.settings.game, self._has_host))


class Relayed:
    """An update that was made for one client where the owner is; it goes on from the one before."""

    is_whole = False

    def __init__(self, update: bytes, race: int, had: tuple[int, int, int, int]) -> None:
        """`had` is what the client has had with it: viewer, match, lines, chat."""
        self._update = update
        self._had = had
        self.race = race

    def update_for(self, connection: Connection) -> bytes:
        connection.viewer, connection.match, connection.lines, connection.chat = self._had
        return self._update


class Unreachable:
    """What is sent when the owner of a table cannot be reached."""

    is_whole = False
    race = 0

    def update_for(self, _: Connection) -> bytes:
        return encode(messages.Away())


class Told(NamedTuple):
    """What viewers are told of the moves since the last snapshot, from this line of the log on."""

    first: int
    steps: dict[int, list[Step]]


class Snapshot:
    """The table as it is stored: what may be told to each of the connections there are."""

    is_whole = True  # it brings a client up to date, whatever that has missed

    def __init__(
        self,
        table: Table,
        version: int,
        presence: Presence,
        looks: set[tuple[int, str]],
        time: Time,
        told: Told | None = None,
    ) -> None:
        """`looks` are the viewers there are, each with the language of its text or ""."""
        self._match = match = table.match
        self.version = version
        self._seated = table
        self.game = table.game
        self.presence = presence
        self.number = table.matches if match is not None else 0
        self.entries = match.log if match is not None else []
        self.lines = len(self.entries)
        self.chat = table.chat
        self.said = table.said
        self.over = False
        self.views: dict[int, messages.MatchInfo] = {}
        self._first = -1  # the line from which steps are told
        self._steps: dict[int, list[msgspec.Raw]] = {}
        self._histories: dict[int, msgspec.Raw] = {}
        self.plain: dict[tuple[int, str], messages.PlainBoard] = {}
        if match is not None:
            teller = MatchTeller(match, table.advised, time)
            self.over = teller.over
            self.views = {viewer: teller.tell(viewer) for viewer, _ in looks}
            self.plain = {look: plain_board(table, *look) for look in looks if look[1]}
            if told is not None:
                self._first = told.first
                self._steps = {v: encoded_steps(match, v, told.steps[v]) for v in told.steps}
        self.table = presence.info(table)

    @property
    def race(self) -> int:
        """The number of a match in which it matters how far away the players are, or 0."""
        return self.number if self.game.race and not self.over else 0

    def update_for(self, connection: Connection) -> bytes:
        """The update that brings this client up to date, whatever it has had so far."""
        fresh = connection.match != self.number or connection.lines > self.lines
        is_revealed = self.over and connection.revealed != self.number
        if is_revealed:
            connection.revealed, fresh = self.number, True
        first = 0 if fresh else connection.lines
        has_match = connection.match == self.number
        is_next = self._first == (connection.lines if has_match else 0)
        chat = self._said_since(connection.chat) if connection.chat < self.said else []
        connection.match, connection.lines, connection.chat = self.number, self.lines, self.said
        update = _Update(
            version=self.version,
            match=self.views.get(connection.viewer),
            fresh=fresh,
            lines=self._told_from(first, connection.viewer),
            chat=chat,
            said=self.said,
        )
        if is_next:
            update.steps = self._steps.get(connection.viewer, [])
        if self._match is not None and (not is_next or is_revealed):
            update.history = self._told_history(self._match, connection.viewer)
        if connection.plain:
            update.plain = self.plain.get((connection.viewer, connection.plain))
        if connection.table is not self.table:
            self._tell_table(update, connection)
        return encode(update)

    def _tell_table(self, update: _Update, connection: Connection) -> None:
        connection.table = update.table = self.table
        if connection.player is not None:
            update.me = connection.player.id
            update.you = self.presence.seats.get(update.me, [])
            update.door = self.presence.door_for(connection.player, self._seated)

    def _told_history(self, match: Match, viewer: int) -> msgspec.Raw:
        """The history of the match; once that is over, everyone may know all of it."""
        if self.over:
            return ending(match).history
        if viewer not in self._histories:
            self._histories[viewer] = encoded_history(history(match, viewer))
        return self._histories[viewer]

    def _told_from(self, first: int, viewer: int) -> list[msgspec.Raw]:
        game, over = self.game, self.over
        return [
            encoded_line(game, seat, move, at, over or viewer in seen_by)
            for seat, move, at, seen_by in self.entries[first : self.lines]
        ]

    def _said_since(self, heard: int) -> list[messages.ChatLine]:
        """The lines of chat after those heard, as far as they are still kept."""
        unheard = min(self.said - heard, len(self.chat))
        muted = self._seated.muted
        return [
            messages.ChatLine(said.guest, said.name, said.avatar, "", "")
            if said.guest in muted
            else messages.ChatLine(said.guest, said.name, said.avatar, said.text, said.phrase)
            for said in self.chat[len(self.chat) - unheard :]
        ]


Showable = Snapshot | ClosedDoor | Relayed | Unreachable


def _show_nobody(_: Showable | None) -> None:
    """Nobody is there any more."""


class _Update(messages.Message, tag_field="type", tag="update", omit_defaults=True):
    """A messages.Update whose parts have been encoded, once for everyone they are the same for."""

    version: int
    match: messages.MatchInfo | None
    fresh: bool
    lines: list[msgspec.Raw]
    chat: list[messages.ChatLine]
    said: int
    table: msgspec.Raw | None = None
    you: list[int] = msgspec.field(default_factory=list)
    me: str | None = None
    steps: list[msgspec.Raw] = msgspec.field(default_factory=list)
    history: msgspec.Raw | None = None
    plain: messages.PlainBoard | None = None
    door: messages.Door | None = None
