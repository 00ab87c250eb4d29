"""The log says what went wrong, with the ids of requests and tables, and tells of no person."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ludotheque.server import logs
from people import Person, Server

NAME, CHAT = "Zenobia Quill", "the walrus is ready"


def record(message: str, *values: object, **extra: object) -> logging.LogRecord:
    made = logging.LogRecord("a.logger", logging.ERROR, __file__, 1, message, values, None)
    vars(made).update(extra)
    return made


def test_a_line_of_json_has_its_time_level_event_and_table() -> None:
    found = json.loads(logs.JsonLines().format(record("%s fell over", "it", table="k7m2p9qx")))
    assert found.pop("time").endswith("Z")
    assert found == {
        "level": "error",
        "logger": "a.logger",
        "event": "it fell over",
        "table": "k7m2p9qx",
    }


def test_a_line_of_text_names_a_table_once() -> None:
    lines = logs.TextLines()
    assert lines.format(record("it fell over", table="k7")).endswith("it fell over table=k7")
    assert lines.format(record("table k7 fell", table="k7")).endswith("table k7 fell")


def test_requests_have_ids_of_their_own() -> None:
    logs.begin_request()
    first = logs.request_id()
    logs.begin_request()
    assert first != logs.request_id()
    assert json.loads(logs.JsonLines().format(record("x")))["request"] == logs.request_id()


class LoggingServer(Server):
    """Writes all it can to a file, and fails at every reaction to the word "fail"."""

    command = """
import sys
from ludotheque.cli import main
from ludotheque.server import manners
say = manners._say

def fail_or_say(decision, command, player):
    if command.text == "fail":
        raise RuntimeError("this is unexpected")
    say(decision, command, player)

manners._say = fail_or_say
sys.argv += ["--log-format", "json", "--log-level", "debug"]
main()
"""

    def launch(self) -> None:
        self.file = (self.data.parent / "log").open("a")
        self.stderr = self.file.fileno()
        super().launch()
        self.file.close()

    def log(self) -> str:
        return (self.data.parent / "log").read_text("utf-8")


@pytest.fixture
def told(tmp_path: Path) -> tuple[str, Person, str]:
    """The log of a server at which someone has played, talked and failed, that person, a table."""
    server = LoggingServer(tmp_path / "data")
    ann = Person(server, NAME)
    table = ann.open_table("stupide_vautour", seats=2)
    socket = ann.connect(table)
    ann.do(table, "sit")
    ann.do(table, "start")
    ann.do(table, "say", text=CHAT)
    update = socket.wait(lambda found: found.get("match") is not None)
    for seat, move in ((0, 1), (1, 2)):
        socket.reply(socket.request("play", move=move, seat=seat))
    assert update is not None
    assert ann.do(table, "say", text="fail")[0] != 200
    server.call("GET", f"/api/deals/{ann.token}")
    server.call("GET", f"/api/nowhere/{NAME.split(maxsplit=1)[0]}")
    server.stop()
    return server.log(), ann, table


def test_a_log_tells_of_no_person_and_no_secret(told: tuple[str, Person, str]) -> None:
    log, ann, table = told
    secrets = [ann.token, ann.token.split(".")[0], ann.id, *stored_secrets(ann)]
    for secret in (NAME, NAME.split(maxsplit=1)[0], CHAT, "127.0.0.1", *secrets):
        assert secret not in log
    assert table in log


def stored_secrets(ann: Person) -> list[str]:
    """The keys of the server, and the seeds of the match."""
    with closing(sqlite3.connect(ann.server.data / "tables.sqlite")) as connection:
        keys = [value for (value,) in connection.execute("SELECT value FROM secrets")]
        bodies = [body for (body,) in connection.execute("SELECT body FROM events")]
    seeds = [found for body in bodies if (found := json.loads(body).get("server_seed"))]
    assert len(keys) >= 2
    assert seeds
    return keys + seeds


def test_every_line_is_json_and_a_failure_names_its_request_and_table(
    told: tuple[str, Person, str],
) -> None:
    log, _, table = told
    lines: list[dict[str, Any]] = [json.loads(line) for line in log.splitlines()]
    assert {"uvicorn.error", "ludotheque.server.logs"} <= {line["logger"] for line in lines}
    [failure] = [line for line in lines if line["level"] == "error"]
    assert failure["table"] == table
    assert "RuntimeError: this is unexpected" in failure["traceback"]
    asked = [line for line in lines if line.get("request") == failure["request"]]
    assert any("/api/tables/{table}/commands" in line["event"] for line in asked)
