"""One socket a client at a table: websockets' sans-I/O protocol on the event loop's transport.

Every move passes here, once on its way in and once for each client on its way out, so there are no
tasks and no queues between the transport and the table.
"""

from __future__ import annotations

import asyncio
import re
from functools import partial
from http import HTTPStatus
from typing import Any, cast

import msgspec
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from ludotheque.engine.refused import Refused
from ludotheque.server import guard, limits, logs, messages, questions
from ludotheque.server.connections import peer_of
from ludotheque.server.counts import counts
from ludotheque.server.identity import NOT_SIGNED_IN
from ludotheque.server.owner import AnyOwner
from ludotheque.server.player import Player
from ludotheque.server.services import Services
from ludotheque.server.snapshot import Connection, Showable
from ludotheque.server.store import Unavailable

PATH = re.compile(r"/api/tables/([^/?]+)/socket(\?.*)?")
SLICE_BYTES = 1024  # that are parsed before the pace is looked at
TOO_FAST = "too many messages; slow down and connect again"

_decoder = msgspec.json.Decoder(messages.ClientMessage)
_encode = msgspec.json.Encoder().encode


class TableSocket(asyncio.Protocol):
    """The protocol to which uvicorn hands a connection that asks to become a socket."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        self._services: Services = app_state["services"]
        self._keepalive = self._services.keepalive
        self._connections = cast(set[Any], server_state.connections)  # uvicorn ends these
        self._framing = ServerProtocol(max_size=limits.LARGEST_MESSAGE_BYTES)
        self._is_open = False
        self._fragments: list[bytes] = []
        self._address = ""
        self._frames = limits.Bucket(limits.FRAMES_PER_S)
        self._bytes = limits.Bucket(limits.BYTES_PER_S, limits.BURST_BYTES)
        self._is_deaf = False  # nothing that it says is heard any more
        self._silence = 0  # checks of the keepalive since the client was last heard
        self._early: asyncio.Queue[messages.ClientMessage] = asyncio.Queue()
        self._welcoming: asyncio.Task[None] | None = None
        self._owner: AnyOwner | None = None
        self._missed: Showable | None = None
        self._replies: list[bytes] = []  # as frames, sent with the next update
        self._is_choked = False

    @property
    def is_idle(self) -> bool:
        return self._owner is None

    def drop(self) -> None:
        self._is_open = False
        self._transport.abort()

    # What the event loop and uvicorn call

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._connections.add(self)
        self._keepalive.add(self)

    def data_received(self, data: bytes) -> None:
        """Take it in slices: thousands of frames fit into one read, and all others would wait."""
        self._silence = 0
        for start in range(0, len(data), SLICE_BYTES):
            if self._is_deaf:
                return
            self._receive(data[start : start + SLICE_BYTES])

    def _receive(self, data: bytes) -> None:
        if self._is_open and not self._bytes.allows(len(data)):
            self._refuse_flood()
            return
        self._framing.receive_data(data)
        for event in self._framing.events_received():
            if isinstance(event, Frame):
                self._take(event)
            else:
                self._shake_hands(cast(Request, event))
        self._is_open = self._framing.state is State.OPEN
        self._flush()

    def eof_received(self) -> None:
        self._is_open = False

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_open = False
        self._connections.discard(self)
        self._keepalive.discard(self)
        self._services.connections.discard(self)
        if self._welcoming is not None:
            self._welcoming.cancel()
            self._welcoming = None
        if self._owner is not None:
            self._owner.part(self._connection)
            self._connection.end()
        self._framing.parser.close()  # it refers to the framing, which refers to it

    def pause_writing(self) -> None:
        """The client reads slowly: it skips outdated updates, and is not read from."""
        self._is_choked = True
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._is_choked = False
        if self._transport.is_closing():
            return
        if not self._is_deaf:
            self._transport.resume_reading()
        missed, self._missed = self._missed, None
        if missed is not None and missed.is_whole:
            self.show(missed)
        elif missed is not None and self._owner is not None:
            self._owner.join(self._connection, self._connection.has_had(self._hello))

    def send_elsewhere(self) -> None:
        """Have the client connect to another server, while this one goes on with it."""
        if self._is_open:
            self._say(messages.ComeAgain())

    def shutdown(self) -> None:
        self._close(CloseCode.SERVICE_RESTART)
        self._transport.close()

    def check(self) -> None:
        """Ping a client that has been silent; drop it if it does not answer."""
        self._silence += 1
        if self._silence > 2 or not self._is_open:
            self._is_open = False
            self._transport.abort()
        elif self._silence == 2:
            self._framing.send_ping(b"")
            self._flush()

    # Coming in

    def _shake_hands(self, request: Request) -> None:
        found, asker = PATH.fullmatch(request.path), _as_http(request)
        try:
            self._note_address(request)
            if found is None:
                response = self._framing.reject(404, "there is no socket here\n")
            elif not guard.is_same_origin(asker.headers):
                response = self._framing.reject(403, f"{guard.FOREIGN_PAGE}\n")
            else:
                response = self._admit(request)
        except limits.TooOften as error:
            response = self._framing.reject(429, f"{error}\n")
            response.headers["Retry-After"] = str(error.seconds)
        self._framing.send_response(response)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            counts.refuse("handshake", str(response.status_code))
        if found is not None and self._framing.state is State.OPEN:
            self._welcoming = asyncio.create_task(self._welcome(found[1], asker))

    def _note_address(self, request: Request) -> None:
        """Whose socket it is; TooOften if they ask for too many, even where there is no table."""
        headers = [(k.lower().encode(), v.encode()) for k, v in request.headers.raw_items()]
        proxies = self._services.connections.proxies
        self._address = proxies.client(peer_of(self._transport), headers)
        self._services.pace.count(limits.SOCKETS, self._address)

    def _admit(self, request: Request) -> Response:
        """Accept it, unless its address has too many connections."""
        services = self._services
        refusal = services.tables.is_stopping or services.connections.admit(self, self._address)
        if refusal:
            return self._framing.reject(503, f"{refusal}\n")
        return self._framing.accept(request)

    async def _welcome(self, table: str, asker: HTTPConnection) -> None:
        """Find the table and the player, and wait for the client's hello."""
        try:
            owner = await self._services.tables.reach(table)
            async with asyncio.timeout(limits.HELLO_TIMEOUT_S):
                hello = await self._early.get()
            # Now, not before: meanwhile they may have signed out.
            player = await self._services.identity.of(asker)
            if not isinstance(hello, messages.Hello):
                raise Refused('the first message was not a hello: send {"type": "hello"} first')
            has_key = await self._has_key(owner, hello)
        except Unavailable:
            self._close(CloseCode.TRY_AGAIN_LATER)
        except Refused as error:
            self._say_goodbye(str(error), reason=error.reason)
        except TimeoutError:
            self._say_goodbye(f"no hello came within {limits.HELLO_TIMEOUT_S} seconds")
        except Exception:
            self._close(CloseCode.INTERNAL_ERROR)
            raise
        else:
            self._connection = Connection(player, self.show, hello.screen, has_key)
            self._owner, self._hello = owner, hello
            owner.join(self._connection, hello)
            while not self._early.empty():
                self._answer(owner, self._early.get_nowait())

    async def _has_key(self, owner: AnyOwner, hello: messages.Hello) -> bool:
        if not hello.screen or not hello.key:
            return False
        name = await owner.consult(questions.ScreenName(None))
        return self._services.identity.is_screen_key(hello.key, name)

    def _take(self, frame: Frame) -> None:
        if self._is_deaf:
            return
        if frame.opcode is not Opcode.CLOSE and not self._frames.allows():
            self._refuse_flood()
        elif frame.opcode is Opcode.TEXT and frame.fin:
            self._hear(frame.data)
        elif frame.opcode is Opcode.TEXT or frame.opcode is Opcode.CONT:
            self._fragments.append(bytes(frame.data))
            if frame.fin:
                text, self._fragments = b"".join(self._fragments), []
                self._hear(text)
        elif frame.opcode is Opcode.PONG and self._owner is not None:
            self._connection.round_trips.pong(bytes(frame.data))
            self._owner.measured(self._connection)
        elif frame.opcode is Opcode.BINARY:
            self._say_goodbye("a message was binary; send JSON as text", CloseCode.UNSUPPORTED_DATA)

    def _hear(self, text: bytes | bytearray | memoryview) -> None:
        if not self._is_open:
            return
        try:
            message: messages.ClientMessage = _decoder.decode(text)
        except UnicodeDecodeError:
            self._say_goodbye("a message was not text in UTF-8", CloseCode.INVALID_DATA)
            return
        except msgspec.DecodeError as error:
            self._say_goodbye(f"a message was not what was expected: {error}")
            return
        except RecursionError:
            self._say_goodbye("a message was nested too deeply")
            return
        self._services.turns.do(self._address, partial(self._come_to, message))

    def _come_to(self, message: messages.ClientMessage) -> None:
        """The turn of a message: it is answered, or waits until the table is found."""
        if self._owner is None:
            self._early.put_nowait(message)
        else:
            self._answer(self._owner, message)

    def _answer(self, owner: AnyOwner, message: messages.ClientMessage) -> None:
        if isinstance(message, messages.Request):
            self._ask(owner, self._connection.player, message)
        elif isinstance(message, messages.Hello):
            self._look_again(owner, message)
        else:
            self._say(messages.Pong())

    def _ask(self, owner: AnyOwner, player: Player | None, request: messages.Request) -> None:
        if player is None:
            counts.refuse("socket", "not_signed_in")
            self._say(messages.Reply(request.id, False, NOT_SIGNED_IN))
            return
        try:
            self._services.pace.count(limits.of(request.command), self._address, player.id)
        except limits.TooOften as error:
            counts.refuse("socket", error.reason)
            self._say(messages.Reply(request.id, False, str(error), error.reason))
        else:
            logs.begin_request()
            owner.ask(player, request, self._reply, self._connection.round_trips.delay_s)

    def _look_again(self, owner: AnyOwner, hello: messages.Hello) -> None:
        """Show the table from another seat, or once more: that costs what a look does."""
        if not self._is_open:
            return  # it has gone while this waited for its turn
        player = self._connection.player
        try:
            self._services.pace.count(
                limits.READS, self._address, player.id if player is not None else ""
            )
        except limits.TooOften as error:
            self._say_goodbye(str(error), reason=error.reason)
        else:
            self._hello = hello
            owner.join(self._connection, hello)

    def _refuse_flood(self) -> None:
        """Say why, and stop reading: what is not read costs nothing."""
        self._is_deaf = True
        counts.refuse("connection", "socket_flood")
        self._say_goodbye(TOO_FAST, reason=limits.TooOften.reason)
        self._transport.pause_reading()

    # Going out

    def show(self, snapshot: Showable | None) -> None:
        """None is the last: the owner is gone, and the client has to connect again."""
        if snapshot is None:
            self._close(CloseCode.SERVICE_RESTART)
        elif self._is_choked:
            self._missed = snapshot
        else:
            update = snapshot.update_for(self._connection)
            self._measure(snapshot.race)
            self._send(update)

    def _measure(self, race: int) -> None:
        """Ping a player in a race now and then, ahead of an update."""
        if race and self._connection.viewer >= 0:
            payload = self._connection.round_trips.ping(race)
            if payload is not None:
                self._post(Frame(Opcode.PING, payload).serialize(mask=False))

    def _reply(self, reply: messages.Reply) -> None:
        """Answer a request: in one packet with the update it has led to, if there is one.

        An owner answers before it shows what has changed, all in one turn of the event loop.
        """
        self._replies.append(text_frame(_encode(reply)))
        asyncio.get_running_loop().call_soon(self._send_replies)

    def _send_replies(self) -> None:
        if self._replies:
            self._post(self._with_replies(b""))

    def _with_replies(self, frames: bytes) -> bytes:
        replies, self._replies = self._replies, []
        return b"".join((frames, *replies))

    def _say(self, message: messages.ServerMessage) -> None:
        self._send(_encode(message))

    def _send(self, text: bytes) -> None:
        frame = text_frame(text)
        self._post(self._with_replies(frame) if self._replies else frame)

    def _say_goodbye(
        self, error: str, code: CloseCode = CloseCode.POLICY_VIOLATION, reason: str = ""
    ) -> None:
        counts.refuse("socket", reason or code.name.lower())
        self._say(messages.Gone(error, reason))
        self._close(code)

    def _close(self, code: CloseCode) -> None:
        if self._is_open:
            self._send_replies()
            self._is_open = False
            if self._framing.state is State.OPEN:  # unless the client has just closed it
                self._framing.send_close(code)
            self._flush()
            loop = asyncio.get_running_loop()
            loop.call_later(limits.LINGER_S, self._transport.abort)  # if the client does not end it

    def _post(self, frames: bytes) -> None:
        """Send frames, unless the client has just closed."""
        if self._is_open and self._framing.state is State.OPEN:
            self._write(frames)

    def _flush(self) -> None:
        """Send what the protocol has made ready."""
        for chunk in self._framing.data_to_send():
            if chunk == SEND_EOF:
                self._transport.close()
            else:
                self._write(chunk)

    def _write(self, chunk: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(chunk)


def text_frame(text: bytes) -> bytes:
    """A message in one frame."""
    return Frame(Opcode.TEXT, text).serialize(mask=False)


def _as_http(request: Request) -> HTTPConnection:
    """The request for the socket, as HTTP endpoints get theirs."""
    headers = Headers(dict(request.headers.raw_items()))
    return HTTPConnection({"type": "websocket", "headers": headers.raw})
