"""What a connection is sent of a table, and how much of it its viewer may know.

Everything told is a function of a view: a visitor without a name is a viewer like any other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from ludotheque.bots import roster
from ludotheque.engine.drawing import drawn
from ludotheque.engine.game import LANGUAGES, Game
from ludotheque.engine.match import Entry, Match
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import Fact, Step, decided, history
from ludotheque.engine.words import Words
from ludotheque.language import say
from ludotheque.server import messages, warmup
from ludotheque.server.absences import Absences
from ludotheque.server.events import Replay
from ludotheque.server.player import Player
from ludotheque.server.round_trips import RoundTrips
from ludotheque.server.table import Occupant, Person, Table, is_person, pictures_of

ATTEMPTS_TOLD = 20
VISITORS_TOLD = 30  # of each kind, to those who let people in

log = logging.getLogger(__name__)
encode = msgspec.json.Encoder().encode


class Connection:
    """One client that looks at a table: who it is, from where it looks, what it has had so far.

    `show` is given every new snapshot; None is the last: the owner is gone.
    """

    __slots__ = (
        "chat", "has_key", "is_screen", "lines", "match", "opener", "plain", "player", "revealed",
        "round_trips", "show", "table", "viewer",
    )  # fmt: skip

    def __init__(
        self,
        player: Player | None,
        show: Callable[[Snapshot | ClosedDoor | None], object],
        is_screen: bool = False,
        has_key: bool = False,
    ) -> None:
        # A screen is seen by the whole room: it is nobody, even in the browser of a player.
        self.player = None if is_screen else player  # None for a visitor without a name
        self.show = show
        self.is_screen = is_screen
        self.opener = player  # whose browser it is
        self.has_key = has_key
        self.viewer = NOBODY
        self.plain = ""  # the language in which it wants the board as text
        self.table: msgspec.Raw | None = None  # the TableInfo it was sent last
        self.match = 0  # the match whose lines it has
        self.lines = 0
        self.chat = 0
        self.revealed = 0  # the match of which it has had what was hidden
        self.round_trips = RoundTrips()

    def is_screen_of(self, table: Table) -> bool:
        """Whether the people at the table want it as their big screen: a stranger's is not."""
        if not self.is_screen:
            return False
        is_theirs = self.opener is not None and table.belongs(self.opener)
        return self.has_key or is_theirs

    def is_admitted_to(self, table: Table) -> bool:
        """Whether it may look on; a screen may if its browser or the people at the table may."""
        if self.opener is not None and self.opener.id in table.removed:
            return False
        return (self.is_screen and self.has_key) or table.admits(self.opener)

    def rename(self, player: Player) -> None:
        """A guest has another name or picture now."""
        if self.opener is not None and self.opener.id == player.id:
            self.opener = replace(player, device=self.opener.device)
            self.player = None if self.is_screen else self.opener

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
        """Who waits and who looks on, for the host, or while they are away for those who play."""
        is_doorkeeper = table.host not in self.guests and bool(table.seats_of(player))
        if player.id != table.host and not is_doorkeeper:
            return None
        callers = [c for c in self._callers if c.id not in table.removed]
        watchers = [p for p in self._players if p.id != table.host and not table.seats_of(p)]
        removed = [messages.Visitor(r.guest, r.name, r.avatar) for r in table.removed.values()]
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

    def __init__(self, table: Table, here: set[str]) -> None:
        self._table = table
        self._has_host = table.host in here

    def update_for(self, connection: Connection) -> bytes:
        asker = connection.player
        reason = "name" if asker is None else "asked"
        if connection.opener is not None and connection.opener.id in self._table.removed:
            reason = "removed"
        return encode(messages.AtDoor(reason, self._table.settings.game, self._has_host))


class Told(NamedTuple):
    """What viewers are told of the moves since the last snapshot, from this line of the log on."""

    first: int
    steps: dict[int, list[Step]]


class Snapshot:
    """The table as it is stored: what may be told to each of the connections there are."""

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
                self._steps = {v: _encoded_steps(match, v, told.steps[v]) for v in told.steps}
        self.table = presence.info(table)

    @property
    def is_race(self) -> bool:
        """Whether a match is played in which it matters how far away the players are."""
        return self.game.race and self.number > 0 and not self.over

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
            connection.table = update.table = self.table
            if connection.player is not None:
                update.me = connection.player.id
                update.you = self.presence.seats.get(update.me, [])
                update.door = self.presence.door_for(connection.player, self._seated)
        return encode(update)

    def _told_history(self, match: Match, viewer: int) -> msgspec.Raw:
        """The history of the match; once that is over, everyone may know all of it."""
        look = NOBODY if self.over else viewer
        if look not in self._histories:
            facts = [_fact(chapter, fact) for chapter, fact in history(match, look)]
            self._histories[look] = msgspec.Raw(encode(facts))
        return self._histories[look]

    def _told_from(self, first: int, viewer: int) -> list[msgspec.Raw]:
        game, over = self.game, self.over
        return [
            _encoded_line(game, seat, move, at, over or viewer in seen_by)
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


class Time(msgspec.Struct, frozen=True):
    """What the clocks of a table show."""

    now: int  # milliseconds since a match on a clock began, 0 without one
    deadline: int  # milliseconds until the move clock runs out, −1 for none


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


def _encoded_steps(match: Match, viewer: int, steps: list[Step]) -> list[msgspec.Raw]:
    """Steps as they are sent; the view after the last move is in the update itself."""
    return [msgspec.Raw(encode(step_told(match, viewer, step))) for step in steps]


def step_told(match: Match, viewer: int, step: Step) -> messages.Step:
    facts = [_fact(step.chapter, fact) for fact in step.facts]
    if step.place == len(match.log) - 1:
        return messages.Step(facts, None, None, None)
    notes = match.game.notes(step.view, viewer)
    return messages.Step(facts, vars(step.view), notes, step.scores)


def _fact(chapter: int, fact: Fact) -> messages.Fact:
    return messages.Fact(fact.kind, fact.key, fact.values, fact.lasting, chapter)


@lru_cache(maxsize=4096)
def _encoded_line(game: Game, seat: int, move: int, at: int | None, seen: bool) -> msgspec.Raw:
    return msgspec.Raw(encode(line(game, Entry(seat, move, at, frozenset()), seen)))


def line(game: Game, entry: Entry, seen: bool) -> messages.Line:
    """An entry of the log in words, or the fact that there was one."""
    if not seen:
        return messages.Line(entry.seat, None, entry.at, "", {})
    return messages.Line(entry.seat, entry.move, entry.at, *game.move_words(entry.seat, entry.move))


def table_info(
    table: Table,
    guests: set[str],
    nameless: int,
    has_screen: bool = False,
    absences: Absences | None = None,
) -> messages.TableInfo:
    """Everything about the table that everyone may know; `guests` are connected now."""
    seated = {person.guest for person in table.persons}
    pictures = pictures_of(table.seats)
    absent = absences or Absences()
    return messages.TableInfo(
        id=table.id,
        code=table.code,
        game=table.settings.game,
        options=table.settings.options,
        seats=[
            None if occupant is None else _occupant(occupant, picture, table.game, guests, absent)
            for occupant, picture in zip(table.seats, pictures, strict=True)
        ],
        host=table.host,
        has_host=table.host in guests,
        status=table.status,
        is_public=table.settings.is_public,
        move_seconds=table.settings.move_seconds,
        asks_host=table.settings.asks_host,
        phrases_only=table.settings.phrases_only,
        muted=sorted(table.muted),
        hints=table.settings.hints,
        has_hints=table.has_hints,
        match=table.matches,
        watchers=len(guests - seated) + nameless,
        has_screen=has_screen,
        commitment=table.commitment,
        contributors=list(table.contributions),
        replay=None if table.replay is None else attempts(table, table.replay),
        wishes=list(table.wishes),
        is_beginning=table.is_beginning,
        series=[
            messages.Standing(one.guest, one.name, one.avatar, one.matches, one.wins)
            for one in table.series
        ],
    )


def my_table(
    table: Table, info: messages.TableInfo, player: Player, active_at: int
) -> messages.MyTable | None:
    """The table as a list of this player's tables tells it; None if they have no seat there."""
    match = table.match
    you = [seat for seat, o in enumerate(table.seats) if is_person(o, player)]
    if not you or not table.admits(player):
        return None
    is_over = match is not None and match.is_over
    return messages.MyTable(
        table=info,
        you=you,
        awaited=[] if match is None or is_over else match.awaited(),
        scores=match.scores if match is not None and is_over else [],
        winners=winners(match) if match is not None and is_over else [],
        used=active_at,
    )


def attempts(table: Table, replay: Replay) -> list[messages.Attempt]:
    """Who has played a deal before, at other tables and at this one: the latest attempts."""
    elsewhere = [messages.Attempt(a.names, a.scores, False) for a in replay.attempts]
    here = [messages.Attempt(r.names, r.scores, True) for r in table.results_of(replay.deal)]
    return (elsewhere + here)[-ATTEMPTS_TOLD:]


def _occupant(
    occupant: Occupant, picture: int, game: Game, guests: set[str], absences: Absences
) -> messages.Occupant:
    if isinstance(occupant, Person):
        return messages.Person(
            id=occupant.guest,
            name=occupant.name,
            avatar=picture,
            kept_by=None if occupant.keeper is None else roster.nearest(game, occupant.keeper),
            stand_in=_stand_in(occupant.keeper, game),
            is_here=occupant.guest in guests,
            shares=occupant.shares,
            is_replaceable=absences.is_long(occupant.guest),
            votes=sorted(absences.votes(occupant.guest)),
        )
    level = roster.nearest(game, occupant.level)
    return messages.Bot(occupant.name, picture, level, _stand_in(level, game))


def _stand_in(level: str | None, game: Game) -> str | None:
    if level is None:
        return None
    playing = warmup.stand_in(game, level)
    return None if playing == roster.nearest(game, level) else playing


class MatchTeller:
    """Tells one state of a match to several viewers; what is the same for all is found once."""

    def __init__(self, match: Match, advised: list[int], time: Time) -> None:
        self.match = match
        self.advised = advised
        self.time = time
        self.over = match.is_over
        self.shown_scores = match.shown_scores()
        self.winners = winners(match) if self.over else []
        self.verdict = match.game.verdict(match.state) if self.over else ""
        self.decided = what_decided(match) if self.over else None
        self.awaited = match.awaited()
        self.alarm = time_to_alarm(match, time.now)

    def tell(self, viewer: int) -> messages.MatchInfo:
        """The match as this viewer may see it."""
        match, game = self.match, self.match.game
        view = match.view(viewer)
        return messages.MatchInfo(
            viewer=viewer,
            view=vars(view),
            notes=game.notes(view, viewer),
            legal=_listed(game, view, viewer),
            prompt=game.prompt(view, viewer) if viewer >= 0 else "",
            awaited=self.awaited,
            over=self.over,
            scores=match.known_scores(viewer, self.shown_scores),
            winners=self.winners,
            verdict=self.verdict,
            decided=self.decided,
            breakdown=self._breakdown(viewer),
            advised=self.advised,
            now=self.time.now,
            alarm=self.alarm,
            deadline=self.time.deadline,
        )

    def _breakdown(self, viewer: int) -> list[messages.Portion]:
        game = self.match.game
        seat = 0 if game.team else viewer
        if not self.over or seat < 0:
            return []
        return [messages.Portion(*part) for part in game.breakdown(self.match.state, seat)]


def winners(match: Match) -> list[int]:
    """Who has won a match that is over: nobody where a player played alone."""
    return match.winners if match.game.is_contest(match.seats) else []


_decisions: WeakKeyDictionary[Match, messages.Saying | None] = WeakKeyDictionary()


def what_decided(match: Match) -> messages.Saying | None:
    """What decided a match that is over: found once, since it takes the whole log."""
    if match not in _decisions:
        _decisions[match] = _what_decided(match)
    return _decisions[match]


def _what_decided(match: Match) -> messages.Saying | None:
    try:
        told = decided(match)
    except Exception:  # a match whose end cannot be explained is over all the same
        log.exception("%s cannot say what decided a match", match.game.slug)
        return None
    return None if told is None else messages.Saying(told.key, told.values)


def plain_board(table: Table, viewer: int, language: str) -> messages.PlainBoard:
    """The match as text, made of the viewer's view and of the names at the table alone."""
    match = table.match
    assert match is not None
    game, view = match.game, match.view(viewer)
    moves = [
        messages.PlainMove(move, *game.move_words(viewer, move))
        for move in _listed(game, view, viewer)
    ]
    return messages.PlainBoard(_drawing(table, view, viewer, language), moves)


def _drawing(table: Table, view: Any, viewer: int, language: str) -> str:
    names = [
        say(language, "seat", number=seat + 1) if occupant is None else occupant.name
        for seat, occupant in enumerate(table.seats)
    ]
    try:
        return drawn(view, viewer, Words(table.game, language), names)
    except Exception:  # a game that cannot be drawn can still be played
        log.exception("table %s: %s cannot be drawn", table.id, table.game.slug)
        return ""


def time_to_alarm(match: Match, now: int) -> int:
    """The milliseconds from now until chance acts by itself, −1 for never."""
    if not match.game.timed or match.is_over:
        return -1
    after_last_move = match.game.alarm(match.state)
    return after_last_move if after_last_move < 0 else max(0, match.now + after_last_move - now)


def _listed(game: Game, view: Any, viewer: int) -> list[int]:
    """The legal moves of a viewer, from the first one that the game lists."""
    if viewer < 0:
        return []
    if game.unlisted_moves:
        return [m for m in range(game.unlisted_moves, game.moves) if game.is_legal(view, viewer, m)]
    return game.legal_moves(view, viewer)
