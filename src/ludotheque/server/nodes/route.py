"""A table, wherever its owner is: this node's way there, found again whenever it is lost.

A route has the clients of this node that look at the table, and what they have asked for. When the
owner is gone, a route finds the next one, brings its clients there, and asks again what was not
answered. Requests have ids, so nothing is done twice, and no socket has to end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from ludotheque.engine.refused import Refused
from ludotheque.server import messages, turns
from ludotheque.server.devices import GuestsDevice
from ludotheque.server.nodes import wire
from ludotheque.server.owner import UNCERTAIN, UNREAD, UNSTORED, Answer, Owner
from ludotheque.server.player import Player
from ludotheque.server.questions import AnyQuestion, Question
from ludotheque.server.snapshot import Connection, Relayed, Showable, Unreachable
from ludotheque.server.store import Unavailable
from ludotheque.server.turns import Turn

SEEK_S = 8.0  # after which a table without an owner is given up: a takeover takes less than 5
AWAY_S = 1.7  # without an owner, or without the broker, after which clients are told so
PAUSE_S = 0.1  # between two looks for the owner
TRIES = 4  # owners, one after the other, of what they have lost

FromOwner = wire.Shown | wire.Answered | wire.Dismissed | wire.NotHere
Place = Owner | str  # an owner on this node, or the lease of the node that has it
log = logging.getLogger(__name__)


class Gone(Exception):
    """The node that was called is gone."""


class House(Protocol):
    """What a route needs of its node."""

    async def locate(self, table: str) -> Place:
        """Where the owner of a table is; this node's if nobody had it. Refused if there is none."""

    def send(self, receiver: str, message: wire.AnyMessage) -> None: ...

    def new_number(self) -> int: ...

    def expect_lease(self) -> None: ...

    async def call(self, node: str, ask: Callable[[int], wire.AnyMessage], gives: Any) -> Any:
        """Have another node answer; Gone if it does not."""


class Joined:
    """A client that looks on."""

    __slots__ = ("client", "hello", "is_there", "number", "show")

    def __init__(self, client: int, hello: messages.Hello, show: Callable[..., object]) -> None:
        self.client = client
        self.number = 0  # of the last join that was sent
        self.is_there = False  # whether an owner on this node has carried that one out
        self.hello = hello
        self.show = show

    def begin(self, number: int) -> bool:
        """An owner on this node carries out a join, unless there is a later one."""
        if number == self.number:
            self.is_there = True
        return number == self.number


class Tries:
    """What one owner has lost is tried with the next; with the same one it is tried again."""

    __slots__ = ("_last", "_since", "made")

    def __init__(self) -> None:
        self.made = 0
        self._last: Place | None = None
        self._since = 0.0

    @property
    def seconds_there(self) -> float:
        """Since it was tried with the last owner for the first time."""
        return asyncio.get_running_loop().time() - self._since

    def has_one_at(self, place: Place) -> bool:
        """Try it there, unless it was tried too often."""
        if place != self._last:
            self.made, self._last = self.made + 1, place
            self._since = asyncio.get_running_loop().time()
        return self.made <= TRIES


class Asked:
    """A request that was not answered yet."""

    __slots__ = ("answer", "delay", "player", "request", "tries")

    def __init__(
        self, player: Player, request: messages.Request, answer: Answer, delay: float
    ) -> None:
        self.player = player
        self.request = request
        self.answer = answer
        self.delay = delay
        self.tries = Tries()

    def give_up(self) -> None:
        """There is no owner; if there was one, it may have stored this and not said so."""
        told = UNCERTAIN if self.tries.made else UNSTORED
        self.answer(messages.Reply(self.request.id, False, told))


class Route:
    def __init__(self, table: str, house: House) -> None:
        self.table = table
        self.used_at = asyncio.get_running_loop().time()
        self.failure: Refused | None = None  # it leads nowhere, and is not used again
        self._house = house
        self._place: Place | None = None
        self._last: Place | None = None  # where it was, while it is looked for
        self._is_away = False  # whether the clients were told that there is no owner
        self._refused_by: str | None = None  # a node that should have the owner, and has not
        self._refused_at = 0.0  # for the first time, without anything from there since
        self._found = asyncio.Event()
        self._seeking: asyncio.Task[None] | None = None
        self._turns: set[Turn] = set()  # of requests that wait until it is found
        self._joined: dict[Connection, Joined] = {}
        self._clients: dict[int, Connection] = {}
        self._asked: dict[int, Asked] = {}
        self._consulted = 0  # questions that were not answered yet

    @property
    def is_idle(self) -> bool:
        is_used = self._joined or self._asked or self._consulted
        return not is_used and self._seeking is None

    @property
    def openers(self) -> list[GuestsDevice]:
        """On which devices guests look on."""
        openers = (connection.opener for connection in self._joined)
        return [GuestsDevice(each.id, each.device) for each in openers if each is not None]

    def dismiss(self, guest: str, device: str | None) -> None:
        """End the sockets of a guest's devices, or of one."""
        for connection, joined in list(self._joined.items()):
            if connection.is_of(guest, device):
                self.part(connection)
                joined.show(None)

    # As an owner

    def join(self, connection: Connection, hello: messages.Hello) -> None:
        self._begin()
        joined = self._joined.get(connection)
        if joined is None:
            joined = Joined(self._house.new_number(), hello, connection.show)
            self._joined[connection] = joined
            self._clients[joined.client] = connection
            connection.show = partial(self._show, connection)
        joined.hello = hello
        self._follow(partial(self._bring, connection, joined, hello))

    def part(self, connection: Connection) -> None:
        joined = self._joined.pop(connection, None)
        if joined is None:
            return
        del self._clients[joined.client]
        place = self._place or self._last
        if isinstance(place, Owner):
            place.part(connection)
        elif place is not None:
            self._house.send(place, wire.Part(self.table, joined.client))

    def measured(self, connection: Connection) -> None:
        joined = self._joined.get(connection)
        if joined is not None and isinstance(self._place, str):
            delay = connection.round_trips.delay_s
            self._house.send(self._place, wire.Far(self.table, joined.client, delay))

    def ask(
        self, player: Player, request: messages.Request, answer: Answer, delay: float = 0.0
    ) -> None:
        self._begin()
        number, asked = self._house.new_number(), Asked(player, request, answer, delay)
        self._asked[number] = asked
        self._follow(partial(self._send_ask, number, asked))

    async def answer(self, player: Player, request: messages.Request) -> messages.Reply:
        reply: asyncio.Future[messages.Reply] = asyncio.get_running_loop().create_future()
        self.ask(player, request, lambda r: None if reply.done() else reply.set_result(r))
        return await reply

    async def consult(self, question: Question) -> Any:
        """Put a question, and put it again if no answer comes."""
        self._begin()
        self._consulted += 1
        try:
            return await self._consult(question)
        finally:
            self._consulted -= 1

    async def _consult(self, question: Question) -> Any:
        tries = Tries()
        while tries.has_one_at(place := await self.place()):
            if isinstance(place, Owner):
                answer = await place.consult(question)
                self._house.expect_lease()
                return answer
            try:
                answer = await self._consult_there(place, question)
            except Gone:
                self.lose(place)
            else:
                self._note_answer(place)
                return answer
        raise Unavailable(UNREAD)

    async def _consult_there(self, place: str, question: Question) -> Any:
        assert isinstance(question, AnyQuestion)
        ask = partial(wire.Consult, self.table, question=question)
        return await self._house.call(place, lambda call: ask(call=call), question.gives)

    # Where the owner is

    async def place(self) -> Place:
        """Where the owner is, once that is known; Refused if there is none."""
        if isinstance(self._place, Owner) and not self._place.is_alive:
            self.lose(self._place)
        while self._place is None and self.failure is None:
            self._seek()
            if (turn := turns.current.get()) is not None:
                self._turns.add(turn)
            await self._found.wait()
        if self.failure is not None:
            raise self.failure
        assert self._place is not None
        return self._place

    def lose(self, place: Place | None = None) -> None:
        """The owner is not there any more, or not where this place is; find it again."""
        if place is not None and place is not self._place and place != self._place:
            return
        self._last, self._place = self._place or self._last, None
        self._found.clear()
        if not self.is_idle:
            self._seek()

    def _seek(self) -> None:
        if self._seeking is None:
            self._seeking = asyncio.create_task(self._search())

    async def _search(self) -> None:
        """Find the owner; where it was not there just now, look again after a pause."""
        loop = asyncio.get_running_loop()
        begun = loop.time() if self._refused_by is None else self._refused_at
        refused_by = self._refused_by
        try:
            while self._place is None:
                try:
                    place = await self._house.locate(self.table)
                    if place == refused_by:
                        refused_by = None
                        raise Unavailable(UNREAD)
                    self._place = place
                except Unavailable:
                    waited = loop.time() - begun
                    if waited > SEEK_S:
                        raise
                    self._stand_aside()
                    if waited > AWAY_S:
                        self.tell_away()
                    await asyncio.sleep(PAUSE_S)
        except Refused as error:
            self._fail(error)
        except Exception:
            log.exception("the owner of table %s could not be found", self.table)
            self._fail(Unavailable(UNREAD))
        finally:
            self._seeking = self._last = None
            self._turns.clear()
            self._found.set()
        self._resume()

    def tell_away(self) -> None:
        """Tell the clients, once, that the owner cannot be reached, if it is not on this node."""
        if self._is_away or (isinstance(self._place, Owner) and self._place.is_alive):
            return
        self._is_away = True
        for joined in list(self._joined.values()):
            joined.show(Unreachable())

    def _stand_aside(self) -> None:
        """This takes seconds: meanwhile other requests of the same addresses have their turn."""
        while self._turns:
            self._turns.pop().end()

    def _resume(self) -> None:
        """Bring every client to the owner, and ask it what was not answered."""
        if self._place != self._refused_by:
            self._refused_by, self._is_away = None, False
        for connection, joined in list(self._joined.items()):
            self._bring(connection, joined, connection.has_had(joined.hello))
        for number, asked in list(self._asked.items()):
            self._send_ask(number, asked)

    def _fail(self, error: Refused) -> None:
        """There is no owner: clients connect again, and are told why."""
        self.failure = error
        asked, self._asked = self._asked, {}
        for each in asked.values():
            each.give_up()
        joined, self._joined, self._clients = self._joined, {}, {}
        for each_joined in joined.values():
            each_joined.show(None)

    def _follow(self, act: Callable[[], None]) -> None:
        """Do this where the owner is; if that has to be found, `_resume` does it then."""
        if isinstance(self._place, Owner) and not self._place.is_alive:
            self.lose(self._place)
        if self._place is not None:
            act()
        elif self.failure is not None:
            self._fail(self.failure)
        else:
            self._seek()

    # To the owner

    def _bring(self, connection: Connection, joined: Joined, hello: messages.Hello) -> None:
        joined.number += 1
        joined.is_there = False
        if isinstance(self._place, Owner):
            connection.table = None  # it is told again
            self._place.join(connection, hello, partial(joined.begin, joined.number))
        elif self._place is not None:
            client, number = joined.client, joined.number
            opener, screen = connection.opener, (connection.is_screen, connection.has_key)
            join = wire.Join(self.table, client, number, opener, *screen, hello)
            self._house.send(self._place, join)
            self.measured(connection)

    def _send_ask(self, number: int, asked: Asked) -> None:
        if self._place is None:
            return  # it is asked when it is found
        if not asked.tries.has_one_at(self._place) or asked.tries.seconds_there > SEEK_S:
            del self._asked[number]
            asked.give_up()
        elif isinstance(self._place, Owner):
            answer = partial(self._answered_here, number, self._place)
            self._place.ask(asked.player, asked.request, answer, asked.delay)
        else:
            ask = wire.Ask(self.table, number, asked.player, asked.request, asked.delay)
            self._house.send(self._place, ask)

    # From the owner

    def _show(self, connection: Connection, shown: Showable | None) -> None:
        """What an owner on this node shows; when it is gone, its clients follow the table.

        What it shows before it has carried out a join that says what the client has had is left
        out: it comes with that join.
        """
        joined = self._joined.get(connection)
        if joined is None or not isinstance(self._place, Owner):
            return
        if shown is None and not self._place.is_alive:
            self.lose(self._place)
        elif shown is None or joined.is_there:
            joined.show(shown)

    def _answered_here(self, number: int, owner: Owner, reply: messages.Reply) -> None:
        if owner.is_alive or reply.done:
            self._answered(number, reply)
        else:  # nothing was decided there
            self.lose(owner)

    def take(self, sender: str, message: FromOwner) -> None:
        """What the owner on another node sends."""
        if isinstance(message, wire.NotHere):
            self._note_refusal(sender)
            return
        if not self._asked or not isinstance(message, wire.Shown):
            self._note_answer(sender)
        match message:
            case wire.Shown():
                self._is_away = self._is_away and sender != self._place
                self._relay(sender, message)
            case wire.Answered():
                self._answered(message.asked, message.reply)
            case wire.Dismissed():
                connection = self._clients.get(message.client)
                if connection is not None:
                    self._joined[connection].show(None)

    def _begin(self) -> None:
        if self.is_idle:
            self._refused_by = None  # nobody waits there any longer

    def _note_answer(self, sender: str) -> None:
        if sender == self._refused_by:
            self._refused_by = None

    def _note_refusal(self, sender: str) -> None:
        if sender == self._place:
            if sender != self._refused_by:
                self._refused_at = asyncio.get_running_loop().time()
            self._refused_by = sender
            self.lose(sender)

    def _answered(self, number: int, reply: messages.Reply) -> None:
        asked = self._asked.pop(number, None)
        if asked is not None:
            asked.answer(reply)

    def _relay(self, sender: str, shown: wire.Shown) -> None:
        """An update for a client, unless the client has joined elsewhere or again since."""
        connection = self._clients.get(shown.client)
        joined = self._joined.get(connection) if connection is not None else None
        if joined is None or sender != self._place or shown.number != joined.number:
            return
        had = (shown.viewer, shown.match, shown.lines, shown.chat)
        joined.show(Relayed(shown.update, shown.race, had))
