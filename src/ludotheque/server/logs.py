"""The log: one event a line, as text or as JSON, with the ids of the request and the table.

No name, token, key, line of chat or address belongs in it. What is logged is worded by the server,
with ids alone; paths are told by their pattern.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from contextvars import ContextVar
from datetime import UTC, datetime
from itertools import count
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_START = format(time.time_ns() // 1_000_000, "x")[-6:]  # ids of two starts differ
_numbers = count(1)
_request: ContextVar[int] = ContextVar("request", default=0)
_log = logging.getLogger(__name__)


def begin_request() -> None:
    """What is logged from here on, in this context, belongs to a new request."""
    _request.set(next(_numbers))


def request_id() -> str:
    number = _request.get()
    return f"{_START}-{number:x}" if number else ""


def of_table(table: str) -> dict[str, Any]:
    """What a log line about a table has beside its text."""
    return {"extra": {"table": table}}


def configure(form: str, level: str) -> None:
    """Write everything that is logged in this process to standard error, uvicorn's lines too."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for name in (
        "websockets",
        "asyncio",
        "alembic",
        "filelock",
    ):  # their details hold what people send
        logging.getLogger(name).setLevel(logging.WARNING)


class _Lines(logging.Formatter):
    def fields(self, record: logging.LogRecord) -> dict[str, Any]:
        time_ = datetime.fromtimestamp(record.created, UTC)
        found = {
            "time": time_.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            "request": request_id(),
            "table": getattr(record, "table", ""),
            "traceback": self.formatException(record.exc_info) if record.exc_info else "",
        }
        return {name: value for name, value in found.items() if value}


class JsonLines(_Lines):
    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(self.fields(record), ensure_ascii=False)


class TextLines(_Lines):
    def format(self, record: logging.LogRecord) -> str:
        found = self.fields(record)
        named = [name for name in ("request", "table") if found.get(name, "") not in found["event"]]
        ids = "".join(f" {name}={found[name]}" for name in named)
        line = f"{found['time']} {found['level']:7} {found['event']}{ids}"
        return f"{line}\n{found['traceback']}" if "traceback" in found else line


class Requests:
    """Gives every request an id, for the log and the answer; plain ASGI."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begin_request()
        begun, status = time.perf_counter(), 0

        async def note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = request_id()
            await send(message)

        await self.app(scope, receive, note)
        if _log.isEnabledFor(logging.DEBUG):
            took_ms = (time.perf_counter() - begun) * 1000
            _log.debug("%s %s: %d in %.1f ms", scope["method"], pattern(scope), status, took_ms)


def pattern(scope: Scope) -> str:
    """The path of a request with the names of its variables in place of what stands there."""
    found = scope.get("route")
    path = getattr(found, "path", None)
    return path if isinstance(path, str) else "(no route)"
