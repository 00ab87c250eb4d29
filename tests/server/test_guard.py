"""Every answer carries the headers, whatever was asked."""

from __future__ import annotations

import gzip
import http.client
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send

from ludotheque.server.guard import FAILURE, HEADERS, Guard
from ludotheque.server.limits import LARGEST_BODY_BYTES
from people import Server
from scenes import act


class PageServer(Server):
    """Serves a small page of its own, and fails at /api/broken."""

    command = """
import sys
from pathlib import Path
from ludotheque.cli import main
from ludotheque.server import app

static = Path(sys.argv[sys.argv.index("--data") + 1]) / "static"
(static / "assets").mkdir(parents=True, exist_ok=True)
(static / "index.html").write_text("the page")
(static / "icon.svg").write_text("the icon")
(static / "service-worker.js").write_text("the worker")
(static / "assets" / "code.js").write_text("the code")
(static / "assets" / "long.js").write_text("// long\\n" * 1000)
(static.parent / "secret.txt").write_text("not for the world")
app.STATIC = static
answer = app._no_such_route

async def break_or_answer(request):
    if request.url.path == "/api/broken":
        raise RuntimeError("this is unexpected")
    return await answer(request)

app._no_such_route = break_or_answer
main()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = PageServer(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()


Answer = tuple[int, str]
FOR_EVER = "public, max-age=31536000, immutable"


def ask(server: Server, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    """The status and the body of the answer, which has every header."""
    connection = http.client.HTTPConnection(server.address, timeout=60)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS, (path, answer.status)
    return answer.status, text


def error(answer: Answer) -> tuple[int, str]:
    return answer[0], json.loads(answer[1])["error"]


# Headers


def test_the_content_policy_is_this_one(server: Server) -> None:
    connection = http.client.HTTPConnection(server.address, timeout=60)
    connection.request("GET", "/t/abc")
    policy = connection.getresponse().headers["Content-Security-Policy"]
    connection.close()
    assert policy.split("; ") == [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    ]


# Pages


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/", (200, "the page")),
        ("/t/abc", (200, "the page")),
        ("/icon.svg", (200, "the icon")),
        ("/assets/code.js", (200, "the code")),
        ("/%00", (200, "the page")),
        ("/icon.svg%00", (200, "the page")),
        ("/" + "x" * 5000, (200, "the page")),
        ("/" + "x/" * 2500, (200, "the page")),
        ("/../secret.txt", (200, "the page")),
        ("/%2e%2e/secret.txt", (200, "the page")),
        ("//etc/passwd", (200, "the page")),
        ("/assets", (200, "the page")),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_path_is_a_file_of_the_client_or_its_page(
    server: Server, path: str, answer: Answer
) -> None:
    assert ask(server, "GET", path) == answer


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/", "no-cache"),
        ("/t/abc", "no-cache"),
        ("/service-worker.js", "no-cache"),
        ("/icon.svg", "no-cache"),
        ("/assets/code.js", FOR_EVER),
        ("/assets/none.js", None),
        ("/api/games", None),
    ],
)
def test_browsers_keep_what_has_its_hash_in_its_name_and_ask_again_for_the_rest(
    server: Server, path: str, kept: str | None
) -> None:
    connection = http.client.HTTPConnection(server.address, timeout=60)
    connection.request("GET", path)
    assert connection.getresponse().headers["Cache-Control"] == kept
    connection.close()


def test_a_long_file_is_compressed_once_for_all_who_take_it_so(server: Server) -> None:
    def fetch(**headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection(server.address, timeout=60)
        connection.request("GET", "/assets/long.js", headers=headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, content

    long = b"// long\n" * 1000
    status, headers, content = fetch(**{"Accept-Encoding": "gzip"})
    assert (status, gzip.decompress(content)) == (200, long)
    expected = {"content-encoding": "gzip", "vary": "Accept-Encoding", "cache-control": FOR_EVER}
    expected |= {"content-length": str(len(content)), "content-type": headers["content-type"]}
    assert {name: headers[name] for name in expected} == expected
    assert headers["content-type"].startswith(("text/javascript", "application/javascript"))
    assert fetch()[2] == long
    range_ = {"Accept-Encoding": "gzip", "Range": "bytes=0-6"}
    assert fetch(**range_)[::2] == (206, b"// long")
    kept = {"Accept-Encoding": "gzip", "If-None-Match": headers["etag"]}
    assert fetch(**kept)[::2] == (304, b"")


@pytest.mark.parametrize(
    "path", ["/assets/%00", "/assets/" + "x" * 5000, "/assets/../../secret.txt", "/assets/none.js"]
)
def test_an_asset_that_cannot_be_is_not_found(server: Server, path: str) -> None:
    assert error(ask(server, "GET", path)) == (404, "Not Found")


@pytest.mark.parametrize("path", ["/api/%00", "/api/" + "x" * 5000, "/api/tables/%00"])
def test_a_route_that_cannot_be_is_not_found(server: Server, path: str) -> None:
    status, told = error(ask(server, "GET", path))
    assert status == 404
    assert "there is no" in told


def test_a_page_takes_no_other_method(server: Server) -> None:
    assert error(ask(server, "POST", "/")) == (405, "Method Not Allowed")


# Failures


def test_a_failure_nobody_expected_is_answered_like_any_other(server: Server) -> None:
    told = "something went wrong on the server; it has been logged"
    assert error(ask(server, "GET", "/api/broken")) == (500, told)
    assert ask(server, "GET", "/")[0] == 200


def call(app: Any, body: bytes = b"") -> list[Message]:
    """What a guarded app sends to somebody who posts this."""
    sent: list[Message] = []
    scope: Scope = {"type": "http", "method": "POST", "path": "/here", "headers": []}

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    act(lambda: Guard(app)(scope, receive, send))
    return sent


def test_a_failure_is_logged_with_where_it_happened(caplog: pytest.LogCaptureFixture) -> None:
    async def fail(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("this is unexpected")

    start, body = call(fail)
    assert start["status"] == 500
    assert json.loads(body["body"]) == {"error": FAILURE}
    (record,) = caplog.records
    assert (record.levelno, record.getMessage()) == (logging.ERROR, "POST (no route) failed")
    assert "RuntimeError: this is unexpected" in caplog.text


def test_a_failure_in_the_middle_of_an_answer_does_not_begin_another(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("this is unexpected")

    (start,) = call(fail)
    assert start["status"] == 200
    assert "RuntimeError: this is unexpected" in caplog.text


def test_a_client_that_hangs_up_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    async def hear_nothing(scope: Scope, receive: Receive, send: Send) -> None:
        raise ClientDisconnect

    assert call(hear_nothing) == []
    assert caplog.records == []


# Origins and sizes


@pytest.mark.parametrize("origin", ["http://[", "http://evil.example", "null", "", "http://"])
def test_pages_of_other_hosts_may_not_ask(server: Server, origin: str) -> None:
    told = (403, "this page is not from this server and may not use its API")
    body = json.dumps({"name": "Eve"})
    assert error(ask(server, "POST", "/api/guests", body, Origin=origin)) == told


def test_our_own_page_may_ask(server: Server) -> None:
    own = f"http://{server.address}"
    assert ask(server, "POST", "/api/guests", json.dumps({"name": "Ann"}), Origin=own)[0] == 201


def test_a_body_that_is_too_large_is_refused(server: Server) -> None:
    told = (413, f"a body has at most {LARGEST_BODY_BYTES} bytes")
    assert error(ask(server, "POST", "/api/guests", b"x" * (LARGEST_BODY_BYTES + 1))) == told


def test_a_body_that_does_not_say_how_large_it_is_is_refused_as_well(server: Server) -> None:
    told = (413, f"a body has at most {LARGEST_BODY_BYTES} bytes")
    chunks = iter([b"x" * 1024] * (LARGEST_BODY_BYTES // 1024) + [b"x"])
    assert error(ask(server, "POST", "/api/guests", chunks)) == told
