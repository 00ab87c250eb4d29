"""Tables that nobody uses are deleted in the end; those that people play are not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from folders import CHAT, FRIEND, GAME, HANA, age, begun, finished, rows, with_tables
from ludotheque.server import fate, messages
from ludotheque.server.retention import DAY_MS, Ages, Retention
from ludotheque.server.store import Store
from ludotheque.server.tables import NotFound, Tables

NOW = int(time.time() * 1000)
AGES = Ages(finished=10, abandoned=5)


def swept(folder: Path, ages: Ages = AGES) -> set[str]:
    """The tables that are left when everything unused was deleted."""

    async def scene(tables: Tables, store: Store) -> None:
        await Retention(store, tables, ages, pause_s=0).delete_unused(NOW)

    with_tables(folder, scene)
    return {id_ for (id_,) in rows(folder, "SELECT id FROM tables WHERE fate = ''")}


def aged(folder: Path, days: float) -> tuple[str, str, str]:
    """A finished table, one with a match that goes on, and an empty one, unused for so long."""

    async def scene(tables: Tables, _: Store) -> tuple[str, str, str]:
        empty = await tables.open(HANA, messages.NewTable(game=GAME))
        return await finished(tables), await begun(tables), empty

    made = with_tables(folder, scene)
    for table in made:
        age(folder, table, NOW - int(days * DAY_MS))
    return made


@pytest.mark.parametrize(
    ("days", "is_left"),
    [(4, (True, True, True)), (6, (True, False, False)), (11, (False, False, False))],
)
def test_finished_and_abandoned_tables_have_ages_of_their_own(
    tmp_path: Path, days: int, is_left: tuple[bool, ...]
) -> None:
    made = aged(tmp_path, days)
    left = swept(tmp_path)
    assert tuple(table in left for table in made) == is_left


@pytest.mark.parametrize(("ages", "left"), [(Ages(0, 0), 3), (Ages(0, 5), 1), (Ages(10, 0), 2)])
def test_nothing_is_deleted_that_is_kept_for_ever(tmp_path: Path, ages: Ages, left: int) -> None:
    aged(tmp_path, 1000)
    assert len(swept(tmp_path, ages)) == left


def test_a_move_keeps_a_correspondence_match_however_old_it_is(tmp_path: Path) -> None:
    _, table, _ = aged(tmp_path, 1000)

    async def move(tables: Tables, _: Store) -> None:
        owner = await tables.owner(table)
        match = owner.stored.match
        assert match is not None
        play = messages.Play(match.legal_moves(0)[0], 0)
        assert (await owner.answer(HANA, messages.Request("later", play))).done

    with_tables(tmp_path, move)
    assert swept(tmp_path) == {table}


def test_a_table_that_is_awake_is_not_deleted(tmp_path: Path) -> None:
    made = aged(tmp_path, 1000)

    async def scene(tables: Tables, store: Store) -> None:
        await tables.owner(made[1])
        await Retention(store, tables, AGES, pause_s=0).delete_unused(NOW)

    with_tables(tmp_path, scene)
    assert rows(tmp_path, "SELECT id FROM tables") == [(made[1],)]


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
    tmp_path: Path,
) -> None:
    async def share(tables: Tables, _: Store) -> tuple[str, str, str]:
        origin = await finished(tables)
        deal = await tables.share_deal(origin)
        return origin, deal, await finished(tables, deal)

    origin, deal, other = with_tables(tmp_path, share)
    before = rows(tmp_path, "SELECT body FROM results")
    assert len(before) == 2
    for table in (origin, other):
        age(tmp_path, table, 0)
    assert swept(tmp_path) == set()

    async def play(tables: Tables, _: Store) -> messages.SharedDeal:
        with pytest.raises(NotFound):
            await tables.owner(origin)
        await finished(tables, deal)
        return await tables.deal(deal)

    shared = with_tables(tmp_path, play)
    nameless = [fate.NOBODYS_NAME] * 2
    assert [each.names for each in shared.attempts] == [nameless, nameless, [HANA.name, FRIEND]]
    kept = rows(tmp_path, 'SELECT body FROM events WHERE "table" = ?', origin)
    assert kept
    personal = (HANA.name, HANA.id, FRIEND, CHAT)
    assert not any(text in body for (body,) in kept for text in personal)


def test_a_table_that_the_host_closes_is_closed_while_people_are_there(tmp_path: Path) -> None:
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

    with_tables(tmp_path, scene)


def test_a_table_that_the_host_deletes_is_deleted_by_the_server(tmp_path: Path) -> None:
    async def scene(tables: Tables, store: Store) -> None:
        table = await begun(tables)
        await store.change("a test", lambda c: fate.decide(c, table, fate.DELETED))
        await tables.sweep()
        await Retention(store, tables, AGES, pause_s=0).delete_decided()

    with_tables(tmp_path, scene)
    assert rows(tmp_path, "SELECT count(*) FROM events") == [(0,)]
