"""What input of strangers goes into: it is taken, or refused in words, and nothing else happens."""

from __future__ import annotations

import asyncio
import json
import logging
import tomllib
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from fuzz.frames import HANDSHAKE, serialized, take_frames
from halls import BOB, HOST, Hall
from ludotheque.engine import lesson, match_file
from ludotheque.engine.game import load, slugs
from ludotheque.engine.refused import Refused
from ludotheque.games.team_up import parts as boxes
from ludotheque.games.ubongo import parts as cards
from ludotheque.server import messages
from ludotheque.server.app import create_app
from ludotheque.server.owner import FAILED
from scenes import Stage

INTERNAL_ERROR = bytes([0x88, 2, *(1011).to_bytes(2, "big")])  # a frame that closes

Take = Callable[[bytes], None]
Opener = Callable[[Path], Any]  # a context in which input is taken


def parsed(text: bytes) -> Any:
    """JSON as a file of it is read; ValueError is what its reader answers with a sentence."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


# Files


@contextmanager
def match_files(folder: Path) -> Iterator[Take]:
    path = folder / "match.json"

    def take(text: bytes) -> None:
        path.write_bytes(text)
        with suppress(Refused):
            match_file.read(path)

    yield take


def part_files(read: Callable[[object], object]) -> Opener:
    @contextmanager
    def opened(_: Path) -> Iterator[Take]:
        def take(text: bytes) -> None:
            with suppress(ValueError):
                read(parsed(text))

        yield take

    return opened


@contextmanager
def lessons(_: Path) -> Iterator[Take]:
    """A lesson is TOML; here its content comes as JSON, with its game."""

    def take(text: bytes) -> None:
        try:
            data = parsed(text)
            game = data.pop("game", "") if isinstance(data, dict) else ""
            if game in slugs():
                lesson.parsed(load(game), "fuzzed", data)
        except (ValueError, Refused):
            pass

    yield take


# The server


@contextmanager
def socket_messages(_: Path) -> Iterator[Take]:
    """Messages of a host and of a guest at a table of two, in turn."""
    decoder = msgspec.json.Decoder(messages.ClientMessage)
    with Stage() as stage:
        hall = stage.do(_hall())
        askers = [HOST, BOB]

        def take(text: bytes) -> None:
            try:
                message = decoder.decode(text)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                return
            if isinstance(message, messages.Request):
                askers.reverse()
                reply = stage.do(hall.owner.answer(askers[0], message))
                assert reply.error != FAILED, reply

        yield take
        stage.do(_closed(hall))


async def _hall() -> Hall:
    return Hall("stupide_vautour", 2)


async def _closed(hall: Hall) -> None:
    hall.owner.close()
    await asyncio.sleep(0)


class App:
    """The whole application, without a network."""

    def __init__(self, folder: Path) -> None:
        self._app = create_app(sa.URL.create("sqlite", database=str(folder / "tables.sqlite")))
        self._stack = AsyncExitStack()
        self._asked = 0

    async def open(self) -> None:
        lifespan = self._app.router.lifespan_context(self._app)
        self._state: Any = await self._stack.enter_async_context(lifespan)
        guest = await self.ask("POST", "/api/guests", {"name": "Ann", "avatar": 1})
        self._token = json.loads(guest[1])["token"]
        table = await self.ask("POST", "/api/tables", {"game": "stupide_vautour"})
        self.table = json.loads(table[1])["id"]

    async def close(self) -> None:
        await self._stack.aclose()

    def _next_address(self) -> str:
        """An address of its own: how often something is asked is not what is tried here."""
        self._asked += 1
        return f"10.{self._asked >> 16 & 255}.{self._asked >> 8 & 255}.{self._asked & 255}"

    async def connect(self, handshake: bytes | None, data: bytes) -> bytes:
        """What the server says to these bytes, after this handshake or one that is right."""
        right = HANDSHAKE.format(table=self.table, token=self._token).encode()
        services = self._state["services"]
        return await take_frames(services, self._next_address(), handshake or right, data)

    async def ask(self, method: str, path: str, body: object) -> tuple[int, bytes]:
        """One request."""
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = [(b"host", b"fuzz"), (b"content-length", str(len(text)).encode())]
        if hasattr(self, "_token"):
            headers.append((b"authorization", f"Bearer {self._token}".encode()))
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode("utf-8", "surrogatepass"),
            "query_string": query.encode("utf-8", "surrogatepass"),
            "root_path": "",
            "headers": headers,
            "client": (self._next_address(), 1),
            "server": ("fuzz", 80),
            "state": dict(self._state),
        }
        sent: list[Any] = []
        parts = [{"type": "http.request", "body": text, "more_body": False}]

        async def receive() -> Any:
            if not parts:
                await asyncio.Event().wait()  # the client stays
            return parts.pop()

        async def send(message: Any) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        return sent[0]["status"], b"".join(m.get("body", b"") for m in sent)


@contextmanager
def _quiet_log() -> Iterator[None]:
    """Log errors only: what is refused would be a line for each input."""
    log = logging.getLogger("ludotheque")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)


@contextmanager
def http_requests(folder: Path) -> Iterator[Take]:
    """A method, a path and a body."""
    with Stage() as stage, _quiet_log():
        app = App(folder)
        stage.do(app.open())

        def take(text: bytes) -> None:
            try:
                method, path, body = parsed(text)
            except (ValueError, TypeError):
                method, path, body = "POST", "/api/guests", text
            if not isinstance(method, str) or not isinstance(path, str):
                return
            # What a server hands on: a method of letters, a path without half characters.
            method = method if method.isascii() and method.isalpha() else "GET"
            path = path.encode("utf-8", "replace").decode().replace("TABLE", app.table)
            status, answer = stage.do(app.ask(method, f"/{path.lstrip('/')}", body))
            assert status < 500, (status, answer)

        yield take
        stage.do(app.close())


@contextmanager
def socket_frames(folder: Path) -> Iterator[Take]:
    """Frames to a table's socket; what is not a list of them comes in place of the handshake."""
    with Stage() as stage, _quiet_log():
        app = App(folder)
        stage.do(app.open())
        failed = stage.failures()

        def take(text: bytes) -> None:
            try:
                data = parsed(text)
            except ValueError:
                data = None
            if isinstance(data, list):
                said = stage.do(app.connect(None, b"".join(map(serialized, data))))
                assert said.startswith(b"HTTP/1.1 101 "), said
            else:
                said = stage.do(app.connect(text, b""))
            assert INTERNAL_ERROR not in said, said
            assert not failed, failed

        yield take
        stage.do(app.close())


@contextmanager
def invitations(folder: Path) -> Iterator[Take]:
    """What invites somebody: a code, the link of a table or of a deal, a personal link."""
    with Stage() as stage:
        app = App(folder)
        stage.do(app.open())

        def expect_words(method: str, path: str, body: object = None) -> None:
            status, answer = stage.do(app.ask(method, path, body))
            assert status < 500, (path, status, answer)

        def take(text: bytes) -> None:
            try:
                data = parsed(text)
            except ValueError:
                data = {"code": text.decode("latin-1")}
            given = data if isinstance(data, dict) else {"table": data}
            for kind, value in given.items():
                name = str(value).encode("utf-8", "replace").decode()
                match kind:
                    case "token":
                        expect_words("POST", "/api/recover", {"token": value})
                    case "deal":
                        expect_words("GET", f"/api/deals/{name}")
                        game = {"game": "stupide_vautour", "deal": value}
                        expect_words("POST", "/api/tables", game)
                    case "table":
                        expect_words("GET", f"/api/tables/{name.replace('TABLE', app.table)}")
                        expect_words("GET", f"/t/{name}")
                    case _:
                        expect_words("GET", f"/api/codes/{name}")

        yield take
        stage.do(app.close())


TARGETS: dict[str, Opener] = {
    "match_files": match_files,
    "decks": part_files(cards.read),
    "sets": part_files(boxes.read),
    "lessons": lessons,
    "socket_messages": socket_messages,
    "socket_frames": socket_frames,
    "http_requests": http_requests,
    "invitations": invitations,
}


# What is right, to be made wrong


def seeds(target: str) -> list[bytes]:
    """Right inputs of a target: those of the games, and those in its file of the corpus."""
    games = Path(cards.__file__).parents[1]
    match target:
        case "match_files":
            return [p.read_bytes() for p in games.glob("*/matches/*.json") if _is_short(p)]
        case "decks":
            return [(games / "ubongo" / "data" / "deck.json").read_bytes()]
        case "sets":
            return [(games / "team_up" / "data" / "set.json").read_bytes()]
        case "lessons":
            return [_as_json(path) for path in games.glob("*/lessons/*.toml")]
    return corpus(target)


def corpus(target: str) -> list[bytes]:
    """Inputs that are kept: one a line."""
    file = Path(__file__).parent / "corpus" / f"{target}.jsonl"
    return file.read_bytes().splitlines() if file.exists() else []


def _is_short(path: Path) -> bool:
    return path.stat().st_size < 4000


def _as_json(path: Path) -> bytes:
    data = tomllib.loads(path.read_text("utf-8")) | {"game": path.parts[-3]}
    return json.dumps(data).encode()
