"""Codes that people say: they lead to tables that are open, and only while they are."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from ludotheque.server import code as codes
from ludotheque.server import limits, messages, tables
from ludotheque.server.player import Player
from ludotheque.server.store import Store
from ludotheque.server.tables import NotFound, Tables
from people import WAIT_TIMEOUT_S, NewPerson, Person, Server
from scenes import act

ANN = Player("a" * 16, "Ann", 1)
WISH = messages.NewTable(game="stupide_vautour")
DAYS_MS = 24 * 3600 * 1000


def code_of(person: Person, table: str) -> str:
    code: str = person.look(table)["table"]["code"]
    return code


def test_a_table_has_five_letters_that_cannot_be_mistaken(person: NewPerson) -> None:
    ann = person("Ann")
    code = code_of(ann, ann.open_table("whats_up"))
    assert len(code) == 5
    assert set(code) <= set("KLMQRSTWXYZ")


def test_a_code_leads_to_the_table_however_it_is_typed(server: Server, person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("whats_up")
    code = code_of(ann, table)
    for typed in (code, code.lower(), "%20".join(code), f"{code[:2]}-{code[2:]}"):
        assert server.call("GET", f"/api/codes/{typed}") == (200, {"id": table})


def test_a_code_that_nobody_has_is_not_found(server: Server) -> None:
    status, problem = server.call("GET", "/api/codes/nowhere")
    assert (status, problem["reason"]) == (404, "not_found")


def test_a_running_match_is_found_only_while_someone_is_there(
    server: Server, person: NewPerson
) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("whats_up", seats=2)
    code = code_of(ann, table)
    client = ann.connect(table)
    client.reply(client.request("start"))
    assert server.call("GET", f"/api/codes/{code}")[0] == 200
    client.close()
    until = time.monotonic() + WAIT_TIMEOUT_S
    while bob.look(table)["table"]["has_host"]:
        assert time.monotonic() < until, "the host is still there"
    assert server.call("GET", f"/api/codes/{code}")[0] == 404


def test_a_code_outlives_the_server(fresh_server: Server) -> None:
    ann = Person(fresh_server, "Ann")
    table = ann.open_table("whats_up")
    code = code_of(ann, table)
    fresh_server.kill()
    fresh_server.start()
    assert fresh_server.call("GET", f"/api/codes/{code}") == (200, {"id": table})
    assert code_of(ann, table) == code


def test_guesses_are_paced() -> None:
    assert limits.CODES.per_address * 60 * 24 < len(codes.LETTERS) ** codes.LENGTH


# With tables of one's own


@pytest.fixture
def in_a_hall(tmp_path: Path) -> Callable[[Callable[[Store, Tables], Awaitable[None]]], None]:
    def run(scene: Callable[[Store, Tables], Awaitable[None]]) -> None:
        act(lambda: _in_a_hall(tmp_path, scene))

    return run


async def _in_a_hall(folder: Path, scene: Callable[[Store, Tables], Awaitable[None]]) -> None:
    store = Store(f"sqlite:///{folder / 'tables.sqlite'}")
    await store.open()
    hall = Tables(store)
    try:
        await scene(store, hall)
    finally:
        hall.close()
        await store.close()


def test_a_code_in_use_is_not_given_twice(in_a_hall: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["KKKKK", "KKKKK", "LLLLL"])
    monkeypatch.setattr(tables, "new_code", lambda: next(drawn))

    async def scene(_: Store, hall: Tables) -> None:
        first, second = await hall.open(ANN, WISH), await hall.open(ANN, WISH)
        assert await hall.coded("KKKKK") == first
        assert await hall.coded("LLLLL") == second

    in_a_hall(scene)


def test_if_all_codes_are_in_use_a_table_has_only_its_link(
    in_a_hall: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "new_code", lambda: "KKKKK")

    async def scene(_: Store, hall: Tables) -> None:
        first, second = await hall.open(ANN, WISH), await hall.open(ANN, WISH)
        assert (await hall.owner(second)).info().code == ""
        assert await hall.coded("KKKKK") == first

    in_a_hall(scene)


def test_a_code_that_was_given_on_leads_to_the_later_table(
    in_a_hall: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "new_code", lambda: "KKKKK")
    now = tables._now_ms()

    async def scene(_: Store, hall: Tables) -> None:
        monkeypatch.setattr(tables, "_now_ms", lambda: now - 3 * DAYS_MS)
        first = await hall.open(ANN, WISH)
        monkeypatch.setattr(tables, "_now_ms", lambda: now)
        second = await hall.open(ANN, WISH)
        assert await hall.coded("KKKKK") == second
        assert (await hall.owner(first)).info().code == ""

    in_a_hall(scene)


def test_after_two_days_without_anyone_a_code_leads_nowhere(
    in_a_hall: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(_: Store, hall: Tables) -> None:
        table = await hall.open(ANN, WISH)
        code = (await hall.owner(table)).info().code
        assert await hall.coded(code) == table
        later = tables._now_ms() + 3 * DAYS_MS
        monkeypatch.setattr(tables, "_now_ms", lambda: later)
        with pytest.raises(NotFound):
            await hall.coded(code)

    in_a_hall(scene)
