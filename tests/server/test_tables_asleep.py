"""Tables sleep when nobody needs them, wake on demand, and one that is damaged harms no other."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from weakref import ref

import pytest

from halls import HOST
from ludotheque.engine.game import load
from ludotheque.server import clock, messages, tables
from ludotheque.server.owner import Owner
from ludotheque.server.store import Store, Unavailable
from ludotheque.server.tables import Broken, NotFound, Tables
from ludotheque.server.writer import Lost
from people import Person, Server, Socket
from scenes import act, until


def with_tables(tmp_path: Path, *scenes: Callable[[Tables], Coroutine[Any, Any, None]]) -> None:
    """Play scenes one after the other, each with a server that has just started."""

    async def stage(scene: Callable[[Tables], Coroutine[Any, Any, None]]) -> None:
        store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
        await store.open()
        hall = Tables(store)
        running = asyncio.create_task(hall.run())
        await scene(hall)
        running.cancel()
        hall.close()
        await store.close()

    for scene in scenes:
        act(lambda scene=scene: stage(scene))  # type: ignore[misc]


def test_a_visitor_who_hangs_up_while_a_table_wakes_does_not_stop_the_sweeping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "IDLE_S", -1)

    async def scene(hall: Tables) -> None:
        table_id = await hall.open(HOST, messages.NewTable(game="stupide_vautour", seats=2))
        visit = asyncio.create_task(hall.owner(table_id))
        await asyncio.sleep(0)
        visit.cancel()
        await until(lambda: hall.awake == 1)
        await hall.sweep()
        assert hall.awake == 0

    with_tables(tmp_path, scene)


def test_the_clock_of_a_race_stands_still_while_no_server_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds, ids = [100], []
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: seconds[0]))
    ready, stop = (load("ubongo").parse(0, word) for word in ("ready", "stop"))

    async def play(owner: Owner, move: int) -> int:
        """The time of the match at which the move came."""
        reply = await owner.answer(HOST, messages.Request(str(move), messages.Play(move)))
        assert reply.done, reply.error
        assert owner.table.match is not None
        return owner.table.match.now

    async def first(hall: Tables) -> None:
        ids.append(await hall.open(HOST, messages.NewTable(game="ubongo", seats=1)))
        owner = await hall.owner(ids[0])
        await owner.answer(HOST, messages.Request("start", messages.Start()))
        seconds[0] += 30
        assert await play(owner, ready) == 30_000

    async def second(hall: Tables) -> None:
        owner = await hall.owner(ids[0])
        seconds[0] += 2
        assert await play(owner, stop) == 32_000

    with_tables(tmp_path, first)
    seconds[0] += 3600
    with_tables(tmp_path, second)


def test_a_table_that_fails_to_wake_does_not_keep_the_others_asleep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ids: list[str] = []

    async def evening(hall: Tables) -> None:
        for _ in range(3):
            ids.append(await hall.open(HOST, messages.NewTable(game="stupide_vautour", seats=2)))
            await do(await hall.owner(ids[-1]), messages.Start())

    async def morning(hall: Tables) -> None:
        await until(lambda: hall.awake == 2)

    with_tables(tmp_path, evening)
    history = Store.history

    async def fail(store: Store, table: str) -> Any:
        if table == ids[1]:
            raise RuntimeError("this table has a defect")
        return await history(store, table)

    monkeypatch.setattr(Store, "history", fail)
    with_tables(tmp_path, morning)
    assert "this table has a defect" in caplog.text


def test_a_table_that_was_lost_while_a_bot_was_awaited_goes_on_when_storage_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(hall: Tables) -> None:
        table_id = await hall.open(HOST, messages.NewTable(game="stupide_vautour", seats=2))
        owner = await hall.owner(table_id)
        await do(owner, messages.Start())
        owner.tell(Lost("the disk was full"))
        assert not owner.is_alive
        await hall.sweep()
        again = await hall.owner(table_id)
        assert again is not owner
        await until(lambda: again.stored.match is not None and len(again.stored.match.log) > 1)

    with_tables(tmp_path, scene)


def test_a_table_that_was_woken_during_a_sweep_keeps_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(hall: Tables) -> None:
        ids = [
            await hall.open(HOST, messages.NewTable(game="stupide_vautour", seats=2))
            for _ in range(2)
        ]
        owners = [await hall.owner(table_id) for table_id in ids]
        for owner in owners:
            owner.is_marked_live = True
            owner.close()
        wake = hall._try_to_wake

        async def wake_both(table_id: str) -> None:
            await wake(table_id)
            owners[1] = await hall.owner(ids[1])

        monkeypatch.setattr(hall, "_try_to_wake", wake_both)
        await hall.sweep()
        assert await hall.owner(ids[1]) is owners[1]

    with_tables(tmp_path, scene)


numbers = count()  # of requests: no two have the same


async def do(owner: Owner, *commands: messages.AnyCommand) -> None:
    for command in commands:
        reply = await owner.answer(HOST, messages.Request(f"request {next(numbers)}", command))
        assert reply.done, reply.error


def test_only_tables_at_which_something_is_due_are_woken_by_a_start(tmp_path: Path) -> None:
    ids: dict[str, str] = {}

    async def evening(hall: Tables) -> None:
        for name in ("gathering", "awaits a person", "awaits a bot", "has a move clock"):
            seconds = 600 if name == "has a move clock" else 0
            wish = messages.NewTable(game="stupide_vautour", seats=2, move_seconds=seconds)
            ids[name] = await hall.open(HOST, wish)
        for name in ("has a move clock", "awaits a person"):
            await do(await hall.owner(ids[name]), messages.Sit(name="Bo"), messages.Start())
        await do(
            await hall.owner(ids["awaits a bot"]), messages.Seat(1, "novice"), messages.Start()
        )

    async def morning(hall: Tables) -> None:
        await until(lambda: hall.awake == 2)
        for _ in range(50):
            await asyncio.sleep(0)
        assert set(hall._owners) == {ids["awaits a bot"], ids["has a move clock"]}
        await do(await hall.owner(ids["awaits a person"]), messages.Play(7, 0))

    with_tables(tmp_path, evening, morning)


def test_a_table_that_nobody_needs_is_put_to_sleep_and_wakes_on_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "IDLE_S", -1)

    async def scene(hall: Tables) -> None:
        table_id = await hall.open(HOST, messages.NewTable(game="stupide_vautour", seats=2))
        owner = await hall.owner(table_id)
        await do(owner, messages.Sit(name="Bo"), messages.Start(), messages.Play(7, 0))
        before = owner.stored
        await until(lambda: owner.is_idle)
        await hall.sweep()
        assert hall.awake == 0
        assert not owner.is_alive
        again = await hall.owner(table_id)
        assert again is not owner
        assert again.stored.match is not None
        assert before.match is not None
        assert again.stored.match.log == before.match.log

    with_tables(tmp_path, scene)


def test_a_table_at_which_a_bot_thinks_or_a_clock_runs_is_not_put_to_sleep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "IDLE_S", -1)

    async def scene(hall: Tables) -> None:
        clocked = await hall.open(
            HOST, messages.NewTable(game="stupide_vautour", seats=2, move_seconds=600)
        )
        thinking = await hall.open(HOST, messages.NewTable(game="stupide_vautour", seats=2))
        await do(await hall.owner(clocked), messages.Sit(name="Bo"), messages.Start())
        await do(await hall.owner(thinking), messages.Start())
        await hall.sweep()
        assert hall.awake == 2

    with_tables(tmp_path, scene)


def test_many_who_ask_for_a_table_that_is_not_there_are_all_told_so(tmp_path: Path) -> None:
    async def scene(hall: Tables) -> None:
        asked = [hall.owner("nowhere") for _ in range(20)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert {type(answer) for answer in answers} == {NotFound}
        assert hall.awake == 0

    with_tables(tmp_path, scene)


def test_an_asker_of_a_table_that_has_just_gone_to_sleep_is_answered(tmp_path: Path) -> None:
    async def scene(hall: Tables) -> None:
        table_id = await hall.open(HOST, messages.NewTable(game="stupide_vautour", seats=2))
        owner = await hall.owner(table_id)
        owner.close()
        reply = await owner.answer(HOST, messages.Request("1", messages.Say("hello")))
        assert not reply.done
        assert "try again" in reply.error

    with_tables(tmp_path, scene)


DAMAGE = {
    "not JSON": "{",
    "no such event": '{"event": "exploded"}',
    "an impossible move": '{"event": "moved", "moves": [[0, 99, null]]}',
}


@pytest.mark.parametrize("body", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_table_is_set_aside_and_all_others_work(fresh_server: Server, body: str) -> None:
    ann = Person(fresh_server, "Ann")
    good, bad = (ann.open_table("stupide_vautour", seats=2) for _ in range(2))
    for table in (good, bad):
        assert ann.do(table, "start")[0] == 200
    fresh_server.kill()
    with closing(sqlite3.connect(fresh_server.data / "tables.sqlite")) as connection, connection:
        last = 'SELECT max(place) FROM events WHERE "table" = :table'
        connection.execute(
            f'UPDATE events SET body = :body WHERE "table" = :table AND place = ({last})',
            {"body": body, "table": bad},
        )
    fresh_server.start()
    assert ann.do(good, "play", move=7)[0] == 200
    status, problem = ann.call("GET", f"/api/tables/{bad}")
    assert (status, problem["reason"]) == (503, "broken")
    gone = Socket(fresh_server, bad, ann.token).receive()
    assert (gone["type"], gone["reason"]) == ("gone", "broken")


def test_a_table_is_not_set_aside_because_storage_fails_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise Unavailable("the disk is away")

    async def scene(hall: Tables) -> None:
        table_id = await hall.open(HOST, messages.NewTable(game="stupide_vautour", seats=2))
        (await hall.owner(table_id)).close()
        monkeypatch.setattr(Store, "history", fail)
        with pytest.raises(Unavailable):
            await hall.owner(table_id)
        monkeypatch.undo()
        await do(await hall.owner(table_id), messages.Say("hello"))

    with_tables(tmp_path, scene)


def test_a_damaged_table_is_logged_with_its_reason(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ids = []

    async def evening(hall: Tables) -> None:
        ids.append(await hall.open(HOST, messages.NewTable(game="stupide_vautour", seats=2)))

    async def morning(hall: Tables) -> None:
        with pytest.raises(Broken, match="cannot be read"):
            await hall.owner(ids[0])

    with_tables(tmp_path, evening)
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection, connection:
        connection.execute("UPDATE events SET body = '{' WHERE place = 0")
    with_tables(tmp_path, morning)
    assert f"table {ids[0]} is set aside" in caplog.text


def test_the_public_list_shows_tables_with_somebody_present_in_pages(server: Server) -> None:
    ann = Person(server, "Ann")
    empty = ann.open_table("stupide_vautour", is_public=True)
    shown = [ann.open_table("stupide_vautour", is_public=True) for _ in range(tables.PAGE_SIZE + 3)]
    for table in shown:
        ann.connect(table).update()
    _, first = server.call("GET", "/api/tables")
    assert len(first["tables"]) == tables.PAGE_SIZE
    _, second = server.call("GET", f"/api/tables?after={first['next']}")
    assert second["next"] == ""
    listed = [table["id"] for page in (first, second) for table in page["tables"]]
    assert [table for table in listed if table in shown] == shown[::-1]
    assert empty not in listed


def test_a_table_that_sleeps_is_freed_without_the_collector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "IDLE_S", -1)

    async def scene(hall: Tables) -> None:
        table_id = await hall.open(HOST, messages.NewTable(game="stupide_vautour", seats=2))
        owner = ref(await hall.owner(table_id))
        for command in (messages.Seat(1, "novice"), messages.Start()):
            reply = await (await hall.owner(table_id)).answer(
                HOST, messages.Request(str(command), command)
            )
            assert reply.done, reply
        await until(lambda: owner().is_idle)  # type: ignore[union-attr]
        await hall.sweep()
        await until(lambda: owner() is None)

    gc.disable()
    try:
        with_tables(tmp_path, scene)
    finally:
        gc.enable()
