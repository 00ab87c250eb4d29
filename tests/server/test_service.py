"""What a host asks of a server: is it alive, is it ready, what does it count, which version."""

from __future__ import annotations

import sqlite3
import time
import urllib.error
import urllib.request
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from folders import begun, with_tables
from ludotheque.engine.game import load, slugs
from ludotheque.server.counts import Counts, counts
from ludotheque.server.readiness import AFTER_FAILURE_S, Readiness
from ludotheque.server.store import Store
from ludotheque.server.tables import Tables
from ludotheque.server.writer import Lost
from people import WAIT_TIMEOUT_S, NewPerson, Server

PLAIN = "text/plain"


def get(server: Server, path: str, **headers: str) -> tuple[int, str, str]:
    """The status, the type and the text of an answer."""
    request = urllib.request.Request(f"http://{server.address}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=WAIT_TIMEOUT_S) as answer:
            return answer.status, answer.headers["content-type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["content-type"], error.read().decode()


def counted(server: Server) -> dict[str, float]:
    """Every sample by its name and labels."""
    _, _, text = get(server, "/metrics")
    return {
        f"{sample.name}{sample.labels or ''}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


# Health


def test_a_server_that_answers_is_alive_and_ready(server: Server) -> None:
    assert get(server, "/healthz") == (200, f"{PLAIN}; charset=utf-8", "ok\n")
    assert get(server, "/readyz") == (200, f"{PLAIN}; charset=utf-8", "ready\n")


def test_the_version_names_the_rules_of_every_game(server: Server) -> None:
    status, told = server.call("GET", "/api/version")
    assert (status, told["version"]) == (200, version("ludotheque"))
    assert told["rules"] == {slug: load(slug).version for slug in slugs()}
    assert set(told) == {"version", "rules", "python"}


def test_the_retention_in_force_is_told(server: Server) -> None:
    _, told = server.call("GET", "/api/privacy/en")
    assert told.pop("words")["title"]
    assert told == {"keep_finished_days": 365, "keep_abandoned_days": 180}
    assert server.call("GET", "/api/privacy/eo")[0] == 404


def obstacle(folder: Path, counted: Counts, is_restored: bool = True) -> str:
    async def scene(tables: Tables, store: Store) -> str:
        tables.is_restored = is_restored
        return await Readiness(tables, store, counted).obstacle()

    return with_tables(folder, scene)


def test_a_server_is_not_ready_before_its_tables_are_restored(tmp_path: Path) -> None:
    assert obstacle(tmp_path, Counts(), is_restored=False) == "tables are being restored"


def test_a_failed_write_makes_a_server_unready_for_a_while(tmp_path: Path) -> None:
    counted = Counts()
    counted.failed()
    assert obstacle(tmp_path, counted) == "a write to storage has failed a moment ago"
    assert counted.failed_at is not None
    counted.failed_at -= AFTER_FAILURE_S + 1
    assert obstacle(tmp_path, counted) == ""


def test_a_server_that_cannot_write_is_not_ready(tmp_path: Path) -> None:
    async def scene(tables: Tables, store: Store) -> str:
        tables.is_restored = True

        async def fail() -> None:
            raise Lost("the disk is full")

        store.probe = fail  # type: ignore[method-assign]
        return await Readiness(tables, store, Counts()).obstacle()

    assert with_tables(tmp_path, scene) == "storage cannot be written to"


def test_a_probe_leaves_nothing_but_its_own_row(tmp_path: Path) -> None:
    with_tables(tmp_path, lambda _, store: store.probe())
    with_tables(tmp_path, lambda _, store: store.probe())
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection:
        assert connection.execute("SELECT name FROM secrets").fetchall() == [("probe",)]


# Metrics


def test_what_happens_is_counted(server: Server, person: NewPerson) -> None:
    ann = person("Ann")
    before = counted(server)
    table = ann.open_table("stupide_vautour", seats=2)
    socket = ann.connect(table)
    assert ann.do(table, "sit", name="Anton")[0] == 200
    assert ann.do(table, "start")[0] == 200
    socket.wait(lambda update: update["match"] is not None)
    assert ann.do(table, "play", move=7, seat=0)[0] == 200
    assert ann.do(table, "play", move=7, seat=0)[0] == 409
    until_fresh(server)
    after = counted(server)
    rise = {name: after[name] - before.get(name, 0) for name in after}
    assert rise["ludotheque_moves_total"] == 1
    assert rise["ludotheque_move_seconds_count"] == 1
    assert rise["ludotheque_commit_seconds_count"] >= 3
    assert rise["ludotheque_tables_stored"] == 1
    assert rise["ludotheque_failed_writes_total"] == 0
    assert after["ludotheque_tables_awake"] >= 1
    assert after["ludotheque_sockets"] == after["ludotheque_players_connected"] == 1
    refusals = [
        name for name in rise if name.startswith("ludotheque_refusals_total") and rise[name]
    ]
    assert len(refusals) == 1
    _, _, text = get(server, "/metrics")
    assert not any(secret in text for secret in (table, ann.id, "Ann", "127.0.0.1"))


def until_fresh(server: Server) -> None:
    """Wait until the metrics are counted again: they are kept for a second."""
    told = get(server, "/metrics")[2]
    while get(server, "/metrics")[2] == told:
        time.sleep(0.05)


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "203.0.113.7"},
        {"Forwarded": "for=203.0.113.7"},
        {"X-Real-IP": "203.0.113.7"},
        {"Via": "1.1 proxy"},
        {"Host": "play.example"},
    ],
)
def test_metrics_are_not_told_to_those_for_whom_a_proxy_asks(
    server: Server, headers: dict[str, str]
) -> None:
    status, kind, _ = get(server, "/metrics", **headers)
    assert (status, kind) == (404, f"{PLAIN}; charset=utf-8")


class OpenServer(Server):
    command = """
import sys
from ludotheque.cli import main
sys.argv += ["--metrics", "open"]
main()
"""


def test_a_host_may_tell_the_metrics_to_everyone(tmp_path: Path) -> None:
    server = OpenServer(tmp_path)
    try:
        assert get(server, "/metrics", Host="play.example")[0] == 200
    finally:
        server.stop()


def test_failed_writes_are_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = counts.failed_writes

    async def scene(tables: Tables, store: Store) -> None:
        table = await begun(tables)
        with pytest.raises(Lost):
            await store.create_table(table, 0, [])

    with_tables(tmp_path, scene)
    assert counts.failed_writes == before + 1
    assert "was not stored" in caplog.text


def test_reasons_cannot_grow_for_ever() -> None:
    found = Counts()
    for number in range(1000):
        found.refuse("table", str(number))
    assert len(found.refusals) <= 201
    assert sum(found.refusals.values()) == 1000
