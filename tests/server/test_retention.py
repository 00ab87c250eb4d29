"""Tables that nobody uses are deleted in the end; those that people play are not."""

from __future__ import annotations

import asyncio
import gc
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic.script import Script

from folders import CHAT, FRIEND, GAME, HANA, age, begun, finished, rows, with_tables
from homes import Home
from ludotheque.server import fate, messages
from ludotheque.server.retention import COPIES_KEPT_DAYS, DAY_MS, PASS_S, Ages, Retention
from ludotheque.server.store import Store, Stored
from ludotheque.server.tables import NotFound, Tables
from ludotheque.server.upgrade import revisions

NOW = int(time.time() * 1000)
AGES = Ages(finished=10, abandoned=5)


def swept(where: Path | Home, ages: Ages = AGES) -> set[str]:
    """The tables that are left when everything unused was deleted."""

    async def scene(tables: Tables, store: Store) -> None:
        await Retention(store, tables, ages, pause_s=0).delete_unused(NOW)

    with_tables(where, scene)
    return {id_ for (id_,) in rows(where, "SELECT id FROM tables WHERE fate = ''")}


def aged(where: Path | Home, days: float) -> tuple[str, str, str]:
    """A finished table, one with a match that goes on, and an empty one, unused for so long."""

    async def scene(tables: Tables, _: Store) -> tuple[str, str, str]:
        empty = await tables.open(HANA, messages.NewTable(game=GAME))
        return await finished(tables), await begun(tables), empty

    made = with_tables(where, scene)
    for table in made:
        age(where, table, NOW - int(days * DAY_MS))
    return made


@pytest.mark.parametrize(
    ("days", "is_left"),
    [(4, (True, True, True)), (6, (True, False, False)), (11, (False, False, False))],
)
def test_finished_and_abandoned_tables_have_ages_of_their_own(
    home: Home, days: int, is_left: tuple[bool, ...]
) -> None:
    made = aged(home, days)
    left = swept(home)
    assert tuple(table in left for table in made) == is_left


@pytest.mark.parametrize(("ages", "left"), [(Ages(0, 0), 3), (Ages(0, 5), 1), (Ages(10, 0), 2)])
def test_nothing_is_deleted_that_is_kept_for_ever(home: Home, ages: Ages, left: int) -> None:
    aged(home, 1000)
    assert len(swept(home, ages)) == left


def test_a_move_keeps_a_correspondence_match_however_old_it_is(home: Home) -> None:
    _, table, _ = aged(home, 1000)

    async def move(tables: Tables, _: Store) -> None:
        owner = await tables.owner(table)
        match = owner.stored.match
        assert match is not None
        play = messages.Play(match.legal_moves(0)[0], 0)
        assert (await owner.answer(HANA, messages.Request("later", play))).done

    with_tables(home, move)
    assert swept(home) == {table}


def looked(where: Path | Home, after_s: float, days: float = 0) -> set[str]:
    """The tables left when a server has looked so long after its start, with its clock ahead."""

    async def scene(tables: Tables, store: Store) -> None:
        retention = Retention(store, tables, AGES, pause_s=0)
        await retention.look(time.monotonic() + after_s, time.time() + days * DAY_MS / 1000)

    with_tables(where, scene)
    return {id_ for (id_,) in rows(where, "SELECT id FROM tables WHERE fate = ''")}


def test_nothing_is_deleted_for_its_age_in_the_first_hour_of_a_server(home: Home) -> None:
    made = aged(home, 1000)
    age(home, made[0], NOW)
    assert looked(home, PASS_S - 60) == set(made)
    assert looked(home, PASS_S + 60) == {made[0]}


def test_a_clock_that_is_far_ahead_deletes_nothing(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    made = aged(home, 1)
    assert looked(home, PASS_S + 60, days=1000) == set(made)
    (warning,) = [each for each in caplog.records if each.levelname == "WARNING"]
    assert "no table was used in the last 5 days" in warning.getMessage()
    age(home, made[0], NOW + 1000 * DAY_MS)
    assert looked(home, PASS_S + 60, days=1000) == {made[0]}


def test_copies_from_before_upgrades_go_after_a_month_and_no_other_file_does(
    tmp_path: Path,
) -> None:
    revision, day = revisions()[-1], DAY_MS / 1000
    old, other = f"tables.sqlite.before-{revision}", "tables.sqlite.before-restore-20260101-000000"
    left: list[set[str]] = []

    async def scene(tables: Tables, store: Store) -> None:
        for name in (old, other):
            (tmp_path / name).write_text("a copy")
        for days in (COPIES_KEPT_DAYS - 1, COPIES_KEPT_DAYS + 1):
            Retention(store, tables, AGES).delete_old_copies(time.time() + days * day)
            left.append({path.name for path in tmp_path.iterdir()} & {old, other})

    with_tables(tmp_path, scene)
    assert left == [{old, other}, {other}]


def test_a_look_for_copies_leaves_nothing_to_the_collector(tmp_path: Path) -> None:
    async def scene(tables: Tables, store: Store) -> None:
        retention = Retention(store, tables, AGES)
        retention.delete_old_copies(time.time())
        before = migrations_in_memory()
        retention.delete_old_copies(time.time())
        assert migrations_in_memory() == before

    gc.disable()
    try:
        with_tables(tmp_path, scene)
    finally:
        gc.enable()


def migrations_in_memory() -> int:
    return sum(type(each) is Script for each in gc.get_objects())  # isinstance asks dead proxies


def test_a_table_that_is_awake_is_not_deleted(home: Home) -> None:
    made = aged(home, 1000)

    async def scene(tables: Tables, store: Store) -> None:
        await tables.owner(made[1])
        await Retention(store, tables, AGES, pause_s=0).delete_unused(NOW)

    with_tables(home, scene)
    assert rows(home, "SELECT id FROM tables") == [(made[1],)]


def test_nothing_of_a_deleted_table_is_left_in_the_file(tmp_path: Path) -> None:
    aged(tmp_path, 1000)
    assert swept(tmp_path) == set()
    for kept in ("events", "seatings", "results", "deals", "tables"):
        assert rows(tmp_path, f"SELECT count(*) FROM {kept}") == [(0,)]
    rows(tmp_path, "PRAGMA wal_checkpoint(TRUNCATE)")
    content = (tmp_path / "tables.sqlite").read_bytes()
    assert CHAT.encode() not in content
    assert HANA.name.encode() not in content


def test_a_shared_deal_can_be_played_when_its_table_is_gone_and_names_nobody(
    home: Home,
) -> None:
    async def share(tables: Tables, _: Store) -> tuple[str, str, str]:
        origin = await finished(tables)
        deal = await tables.share_deal(origin, HANA)
        return origin, deal, await finished(tables, deal)

    origin, deal, other = with_tables(home, share)
    before = rows(home, "SELECT body FROM results")
    assert len(before) == 2
    for table in (origin, other):
        age(home, table, 0)
    assert swept(home) == set()

    async def play(tables: Tables, _: Store) -> messages.SharedDeal:
        with pytest.raises(NotFound):
            await tables.owner(origin)
        await finished(tables, deal)
        return await tables.deal(deal)

    shared = with_tables(home, play)
    nameless = [fate.NOBODYS_NAME] * 2
    assert [each.names for each in shared.attempts] == [nameless, nameless, [HANA.name, FRIEND]]
    kept = rows(home, 'SELECT body FROM events WHERE "table" = ?', origin)
    assert kept
    personal = (HANA.name, HANA.id, FRIEND, CHAT)
    assert not any(text in body for (body,) in kept for text in personal)


def test_a_table_that_the_host_closes_is_closed_while_people_are_there(home: Home) -> None:
    async def scene(tables: Tables, store: Store) -> None:
        table = await begun(tables)
        owner = await tables.owner(table)
        await store.change("a test", lambda c: fate.decide(c, table, fate.CLOSED))
        await tables.sweep()
        assert not owner.is_alive
        with pytest.raises(NotFound):
            await tables.owner(table)
        await store.change("a test", lambda c: fate.decide(c, table, fate.OPEN))
        assert (await tables.owner(table)).stored.status == "playing"

    with_tables(home, scene)


def test_a_table_that_the_host_deletes_is_deleted_by_the_server(home: Home) -> None:
    async def scene(tables: Tables, store: Store) -> None:
        table = await begun(tables)
        await store.change("a test", lambda c: fate.decide(c, table, fate.DELETED))
        await tables.sweep()
        await Retention(store, tables, AGES, pause_s=0).delete_decided()

    with_tables(home, scene)
    assert rows(home, "SELECT count(*) FROM events") == [(0,)]


def test_a_table_is_closed_before_it_is_deleted(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(tables: Tables, store: Store) -> None:
        table = await begun(tables)
        owner = await tables.owner(table)
        await store.change("a test", lambda c: fate.decide(c, table, fate.DELETED))
        await Retention(store, tables, AGES, pause_s=0).delete_decided()
        assert not owner.is_alive
        await tables.sweep()

    with_tables(home, scene)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_a_table_that_the_host_deletes_during_a_look_is_closed_before_it_is_deleted(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(tables: Tables, store: Store) -> None:
        table = await begun(tables)
        owner, decided = await tables.owner(table), store.decided

        async def just_before() -> dict[str, str]:
            """What was decided when it was asked for, and the host decides right after that."""
            found = await decided()
            await store.change("a test", lambda c: fate.decide(c, table, fate.DELETED))
            return found

        store.decided = just_before  # type: ignore[method-assign]
        retention = Retention(store, tables, AGES, pause_s=0)
        await retention.delete_decided()
        match = owner.stored.match
        assert match is not None
        play = messages.Play(match.legal_moves(0)[0], 0)
        assert (await owner.answer(HANA, messages.Request("meanwhile", play))).done
        await retention.delete_decided()
        assert not owner.is_alive

    with_tables(home, scene)
    assert rows(home, "SELECT count(*) FROM tables") == [(0,)]
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_a_table_that_wakes_when_the_host_deletes_it_is_deleted_when_it_is_closed(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(tables: Tables, store: Store) -> None:
        table = await tables.open(HANA, messages.NewTable(game=GAME))
        history, has_read, goes_on = store.history, asyncio.Event(), asyncio.Event()

        async def slow(table: str, even_if_closed: bool = False) -> list[Stored]:
            found = await history(table, even_if_closed)
            has_read.set()
            await goes_on.wait()
            return found

        store.history = slow  # type: ignore[method-assign]
        waking = asyncio.create_task(tables.owner(table))
        await has_read.wait()
        await store.change("a test", lambda c: fate.decide(c, table, fate.DELETED))
        retention = Retention(store, tables, AGES, pause_s=0)
        await retention.delete_decided()
        goes_on.set()
        owner = await waking
        say = messages.Say(text="hello")
        assert (await owner.answer(HANA, messages.Request("meanwhile", say))).done
        await retention.delete_decided()
        assert not owner.is_alive

    with_tables(home, scene)
    assert rows(home, "SELECT count(*) FROM tables") == [(0,)]
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_a_table_is_not_read_while_it_is_being_deleted(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(tables: Tables, store: Store) -> None:
        table = await tables.open(HANA, messages.NewTable(game=GAME))
        reads, history = list[str](), store.history

        async def noted(table_id: str) -> Any:
            reads.append(table_id)
            return await history(table_id)

        monkeypatch.setattr(store, "history", noted)
        async with tables.asleep(table) as is_asleep:
            assert is_asleep
            coming = asyncio.create_task(tables.owner(table))
            await store.change("a test", partial(fate.remove, table=table))
            assert reads == []
        with pytest.raises(NotFound):
            await coming

    with_tables(home, scene)
