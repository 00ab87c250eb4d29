"""One socket a client at a table."""

from __future__ import annotations

import asyncio
import contextlib

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from ludotheque.engine.refused import Refused
from ludotheque.server import messages
from ludotheque.server.api import Services
from ludotheque.server.guard import Bucket
from ludotheque.server.owner import Owner
from ludotheque.server.store import Player
from ludotheque.server.telling import Connection

PATIENCE = 10  # seconds for a client to say hello
MESSAGES = 30  # a second that one socket may send

_decoder = msgspec.json.Decoder(messages.ClientMessage)
_encode = msgspec.json.Encoder().encode


async def table_socket(socket: WebSocket) -> None:
    """Say hello, then talk until either side leaves."""
    services: Services = socket.app.state.services
    await socket.accept()
    try:
        owner = await services.tables.owner(socket.path_params["table"])
        player = await services.identity.of(socket) or Player("", "", 0)
        connection = Connection(player, lambda text: socket.send_text(text.decode()))
        await _talk(socket, owner, connection)
    except (WebSocketDisconnect, WebSocketDisconnected):
        return
    except Refused as error:
        await _say_goodbye(socket, str(error))
    except TimeoutError:
        await _say_goodbye(socket, f"no hello came within {PATIENCE} seconds")


async def _talk(socket: WebSocket, owner: Owner, connection: Connection) -> None:
    async with asyncio.timeout(PATIENCE):
        hello = await _receive(socket)
    if not isinstance(hello, messages.Hello):
        raise Refused("the first message of a socket is a hello")
    await owner.join(connection, hello)
    listener = asyncio.create_task(_listen(socket, owner, connection))
    sender = asyncio.create_task(connection.run())
    try:
        ended, _ = await asyncio.wait((listener, sender), return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()
    finally:
        listener.cancel()
        sender.cancel()
        await asyncio.gather(listener, sender, return_exceptions=True)
        if owner.is_alive:
            await owner.part(connection)


async def _listen(socket: WebSocket, owner: Owner, connection: Connection) -> None:
    pace = Bucket(MESSAGES)
    while True:
        message = await _receive(socket)
        if not pace.allows():
            raise Refused("too many messages; slow down and connect again")
        await _answer(owner, connection, message)


async def _answer(owner: Owner, connection: Connection, message: messages.ClientMessage) -> None:
    if isinstance(message, messages.Ping):
        await connection.send(_encode(messages.Pong()))
        return
    if isinstance(message, messages.Hello):
        await owner.join(connection, message)
        return
    if not connection.player.id:
        reply = messages.Reply(message.id, False, "you only watch; become a guest to take part")
    else:
        reply = await owner.answer(connection.player, message)
    await connection.send(_encode(reply))


async def _receive(socket: WebSocket) -> messages.ClientMessage:
    text = await socket.receive_text()
    try:
        message: messages.ClientMessage = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise Refused(f"a message was not what was expected: {error}") from None
    return message


async def _say_goodbye(socket: WebSocket, error: str) -> None:
    with contextlib.suppress(WebSocketDisconnect, WebSocketDisconnected):
        await socket.send_text(_encode(messages.Gone(error)).decode())
        await socket.close(1008)
