"""A network that is slow, cuts connections anywhere, and delivers what was sent once more."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Self

from people import Server
from scenes import Stage

LONGEST_DELAY_S = 0.4
CHUNK = 65_536
# The bytes after which a connection is cut: in the handshake, between frames, or within one
MOST_SENT = 3_000  # by a client, far fewer messages than a socket may send at once
MOST_RECEIVED = 60_000


class Network:
    """A proxy before a server. Every connection is cut, and some are repeated by a stranger."""

    def __init__(self, server: Server, rng: Random) -> None:
        self.cuts = 0
        self.repeats = 0
        self.is_good = False  # carries everything at once, and whole
        self._server = server
        self._rng = rng
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.address = "{}:{}".format(*self._listener.sockets[0].getsockname())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._carry(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Carry a connection until an end of it closes or it is cut; then perhaps repeat it."""
        sent = bytearray()
        with self._dropping(writer):
            there, to_there = await self._connect()
            with self._dropping(to_there):
                out = Line(reader, to_there, self._rng.randrange(MOST_SENT), sent)
                back = Line(there, writer, self._rng.randrange(MOST_RECEIVED), bytearray())
                await self._first_to_end(out, back)
        if self._rng.random() < 0.5 and not self.is_good:
            await self._repeat(bytes(sent))

    async def _connect(self) -> tuple[StreamReader, StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._server.port)

    @contextmanager
    def _dropping(self, writer: StreamWriter) -> Iterator[None]:
        """End a connection afterwards, in one of the ways in which they end."""
        try:
            yield
        finally:
            if self._rng.random() < 0.5:
                writer.transport.abort()
            else:
                writer.close()

    async def _first_to_end(self, *lines: Line) -> None:
        delay = self._rng.choice((0.0, 0.02, LONGEST_DELAY_S))
        tasks = [asyncio.create_task(self._pump(line, delay)) for line in lines]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _pump(self, line: Line, delay: float) -> None:
        with suppress(OSError):
            while chunk := await line.reader.read(CHUNK):
                if self.is_good:
                    line.writer.write(chunk)
                    continue
                await asyncio.sleep(self._rng.uniform(0, delay))
                is_whole = line.pass_on(chunk)
                if not is_whole:
                    self.cuts += 1
                    return

    async def _repeat(self, sent: bytes) -> None:
        """Send to the server once more what a client has sent, down to the handshake."""
        reader, writer = await self._connect()
        with self._dropping(writer), suppress(OSError):  # a timeout is one
            writer.write(sent)
            async with asyncio.timeout(1):
                while await reader.read(CHUNK):
                    pass
        self.repeats += 1


class Relay:
    """A line to a port, or to any of several that answer, in a thread of its own; it can be cut."""

    def __init__(self, *ports: int) -> None:
        self._ports = ports
        self._is_cut = False
        self._writers: set[StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stage = Stage().__enter__()
        self.port: int = self._stage.do(self._listen())

    def cut(self) -> None:
        """Let nothing through from now on, and tell nobody."""
        self._is_cut = True

    def mend(self) -> None:
        """Carry again; what has been silent is ended, as half of what was sent is missing."""
        self._is_cut = False
        self._stage.do(self._end_all())

    def close(self) -> None:
        self._stage.do(self._close())
        self._stage.__exit__()

    async def _listen(self) -> int:
        self._listener = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return int(self._listener.sockets[0].getsockname()[1])

    async def _end_all(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _close(self) -> None:
        self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._end_all()

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._carry(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        with self._kept(writer), suppress(OSError):
            there, to_there = await self._connect()
            with self._kept(to_there):
                pumps = (self._pump(reader, to_there), self._pump(there, writer))
                tasks = [asyncio.create_task(pump) for pump in pumps]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    task.cancel()

    async def _connect(self) -> tuple[StreamReader, StreamWriter]:
        """Connect to any port; where nobody listens, the next one is tried at once."""
        for port in Random().sample(self._ports, len(self._ports)):
            with suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", port)
        raise ConnectionRefusedError

    @contextmanager
    def _kept(self, writer: StreamWriter) -> Iterator[None]:
        self._writers.add(writer)
        try:
            yield
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _pump(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await reader.read(CHUNK):
                if not self._is_cut:
                    writer.write(chunk)


class Line:
    """One direction of a connection."""

    def __init__(
        self, reader: StreamReader, writer: StreamWriter, left: int, carried: bytearray
    ) -> None:
        self.reader = reader
        self.writer = writer
        self._left = left  # bytes before it is cut
        self._carried = carried

    def pass_on(self, chunk: bytes) -> bool:
        """Carry as much as can be carried; whether that was all."""
        part = chunk[: self._left]
        self._left -= len(part)
        self._carried += part
        self.writer.write(part)
        return len(part) == len(chunk)
