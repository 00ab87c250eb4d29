"""Tables are copied while a server runs, brought back, and examined before an upgrade."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from folders import GAME, ask, begun, finished, rows, with_tables
from homes import postgresql_home
from ludotheque.engine.game import load
from ludotheque.engine.refused import Refused
from ludotheque.server import messages
from ludotheque.server.backup import back_up, restore
from ludotheque.server.data_folder import held
from ludotheque.server.database import sqlite_url
from ludotheque.server.doctor import Finding, examine
from ludotheque.server.store import Store
from ludotheque.server.tables import Tables


def made(folder: Path) -> tuple[str, str]:
    """A folder with a finished table and one that goes on."""
    folder.mkdir(exist_ok=True)

    async def scene(tables: Tables, _: Store) -> tuple[str, str]:
        return await finished(tables), await begun(tables)

    return with_tables(folder, scene)


def events_in(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])


def mode(path: Path) -> str:
    return oct(path.stat().st_mode & 0o777)


# Backups


def test_a_backup_is_whole_private_and_one_file_also_while_tables_are_open(tmp_path: Path) -> None:
    folder, file = tmp_path / "data", tmp_path / "copies" / "backup.sqlite"
    folder.mkdir()
    file.parent.mkdir()

    async def scene(tables: Tables, _: Store) -> None:
        await begun(tables)
        assert back_up(folder, file) == file

    with_tables(folder, scene)
    assert events_in(file) == events_in(folder / "tables.sqlite") > 0
    assert mode(file) == "0o600"
    assert [path.name for path in file.parent.iterdir()] == ["backup.sqlite"]


def test_a_backup_into_a_folder_is_named_by_the_time(tmp_path: Path) -> None:
    made(tmp_path / "data")
    file = back_up(tmp_path / "data", tmp_path)
    assert file.name.startswith("ludotheque-20")
    assert events_in(file) > 0


def test_a_backup_replaces_an_older_one_and_nothing_else(tmp_path: Path) -> None:
    made(tmp_path / "data")
    file, letter = tmp_path / "backup.sqlite", tmp_path / "letter.txt"
    letter.write_text("dear diary")
    for _ in range(2):
        back_up(tmp_path / "data", file)
    with pytest.raises(Refused, match=r"letter\.txt is not an SQLite database"):
        back_up(tmp_path / "data", letter)
    with pytest.raises(Refused, match="holds the tables themselves"):
        back_up(tmp_path / "data", tmp_path / "data" / "tables.sqlite")
    assert letter.read_text() == "dear diary"


def test_a_backup_replaces_no_database_of_anything_else(tmp_path: Path) -> None:
    made(tmp_path / "data")
    file = tmp_path / "photos.sqlite"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE photos (name)")
        # Others who migrate with Alembic have this table too.
        connection.execute("CREATE TABLE alembic_version (version_num)")
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")
    before = file.read_bytes()
    with pytest.raises(Refused, match=r"photos\.sqlite is no backup of Ludothèque"):
        back_up(tmp_path / "data", file)
    assert file.read_bytes() == before


def test_a_backup_of_damaged_tables_names_them(tmp_path: Path) -> None:
    made(tmp_path / "data")
    source, file = tmp_path / "data" / "tables.sqlite", tmp_path / "backup.sqlite"
    rows(tmp_path / "data", "PRAGMA journal_mode = DELETE")
    with closing(sqlite3.connect(source)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(
            """INSERT INTO seatings (guest, "table", used) VALUES ('a', 'gone', 1)"""
        )
    with pytest.raises(Refused) as refused:
        back_up(tmp_path / "data", file)
    assert str(refused.value).startswith(f"{source} is damaged: row ")
    source.write_bytes(source.read_bytes()[:8192])
    with pytest.raises(Refused, match="is damaged") as refused:
        back_up(tmp_path / "data", file)
    assert str(refused.value).startswith(f"{source} is damaged: ")
    assert not file.exists()


def test_files_whose_names_begin_alike_are_left_alone(tmp_path: Path) -> None:
    made(tmp_path / "data")
    file = tmp_path / "backup.sqlite"
    letters = [
        *(tmp_path / f"backup.sqlite{ending}" for ending in (".part", ".part2", ".party.txt")),
        *(tmp_path / "data" / f"tables.sqlite.restored{ending}" for ending in ("", ".part", "2")),
    ]
    for letter in letters:
        letter.write_text("dear diary")
    back_up(tmp_path / "data", file)
    restore(file, tmp_path / "data", is_forced=True)
    assert [letter.read_text() for letter in letters] == ["dear diary"] * len(letters)
    assert {path for path in tmp_path.iterdir() if path.is_file()} == {file, *letters[:3]}


def test_a_folder_without_tables_has_no_backup(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there are no tables in"):
        back_up(tmp_path, tmp_path / "backup.sqlite")
    assert list(tmp_path.iterdir()) == []


# Restoring


def test_a_backup_is_restored_and_the_former_tables_are_kept(tmp_path: Path) -> None:
    folder, file = tmp_path / "data", tmp_path / "backup.sqlite"
    first, _ = made(folder)
    back_up(folder, file)
    later, _ = made(folder)
    with pytest.raises(Refused, match="with --force they are replaced"):
        restore(file, folder, is_forced=False)
    kept = restore(file, folder, is_forced=True)
    assert kept is not None
    assert events_in(kept) > events_in(folder / "tables.sqlite") == events_in(file)
    ids = {id_ for (id_,) in rows(folder, "SELECT id FROM tables")}
    assert first in ids
    assert later not in ids
    assert mode(folder / "tables.sqlite") == mode(kept) == "0o600"
    with_tables(folder, lambda tables, _: tables.owner(first))


def test_a_backup_is_restored_to_a_new_folder(tmp_path: Path) -> None:
    made(tmp_path / "data")
    back_up(tmp_path / "data", tmp_path / "backup.sqlite")
    assert restore(tmp_path / "backup.sqlite", tmp_path / "new", is_forced=False) is None
    assert events_in(tmp_path / "new" / "tables.sqlite") > 0


def test_nothing_is_restored_while_a_server_uses_the_folder(tmp_path: Path) -> None:
    made(tmp_path / "data")
    back_up(tmp_path / "data", tmp_path / "backup.sqlite")
    with held(tmp_path / "data"), pytest.raises(Refused, match="in use by another server"):
        restore(tmp_path / "backup.sqlite", tmp_path / "data", is_forced=True)


def test_a_damaged_foreign_or_newer_file_is_not_restored(tmp_path: Path) -> None:
    made(tmp_path / "data")
    file, new = tmp_path / "backup.sqlite", tmp_path / "new"
    for harm, complaint in (
        ("UPDATE alembic_version SET version_num = '9999'", "was written by a newer version"),
        ("DROP TABLE alembic_version", "holds no tables of Ludothèque"),
    ):
        back_up(tmp_path / "data", file)
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute(harm)
        with pytest.raises(Refused, match=complaint):
            restore(file, new, is_forced=True)
        file.unlink()
    back_up(tmp_path / "data", file)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Refused, match="is damaged"):
        restore(file, new, is_forced=True)
    assert not (new / "tables.sqlite").exists()


# The doctor


def examined(folder: Path) -> list[Finding]:
    return list(examine(sqlite_url(folder / "tables.sqlite"), lambda done, total: None))


def complaints(folder: Path) -> list[str]:
    return [finding.text for finding in examined(folder) if not finding.is_well]


def test_a_sound_folder_is_well_and_is_left_as_it_is(tmp_path: Path) -> None:
    made(tmp_path)
    before = (tmp_path / "tables.sqlite").read_bytes()
    assert complaints(tmp_path) == []
    assert examined(tmp_path)[-1].text == "tables: 2 of 2 go on as they are on these rules"
    assert (tmp_path / "tables.sqlite").read_bytes() == before


def test_the_doctor_names_a_table_whose_score_would_differ(tmp_path: Path) -> None:
    table, _ = made(tmp_path)
    rows(tmp_path, """UPDATE results SET body = '{"names":["a","b"],"scores":[99,98]}'""")
    first, last = complaints(tmp_path)
    assert first.startswith(
        f"table {table} would differ: the score of match 1 was [99, 98], and is"
    )
    assert last == "tables: 1 of 2 go on as they are on these rules"


def test_the_doctor_names_a_table_whose_cards_would_differ(tmp_path: Path) -> None:
    table, _ = made(tmp_path)
    rows(
        tmp_path,
        """UPDATE events SET body = json_set(body, '$.server_seed', ?) WHERE "table" = ?
        AND body LIKE '{"event":"started"%'""",
        "ab" * 32,
        table,
    )
    assert f"table {table} would differ: match 1: move 1 does not follow" in complaints(tmp_path)[0]


async def under_way(tables: Tables) -> str:
    """A table at which half of a match is played."""
    table = await begun(tables)
    owner = await tables.owner(table)
    while (match := owner.stored.match) is not None and len(match.log) < 24:
        seat = match.awaited()[0]
        await ask(tables, table, messages.Play(match.legal_moves(seat)[0], seat))
    return table


def test_the_doctor_finds_nothing_where_the_rules_are_the_same(tmp_path: Path) -> None:
    with_tables(tmp_path, lambda tables, _: under_way(tables))
    assert [row for row in rows(tmp_path, "SELECT body FROM events") if "digest" in row[0]]
    assert complaints(tmp_path) == []


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ("score", "match 1 stood otherwise after "),
        ("play", "match 1 stood otherwise after "),
        ("version", "match 1 was begun by version 1 of the rules, this is 2"),
    ],
)
def test_the_doctor_names_a_running_match_that_would_go_on_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str, told: str
) -> None:
    """All its moves are as legal as they were."""
    table = with_tables(tmp_path, lambda tables, _: under_way(tables))
    change(monkeypatch, changed)
    first, last = complaints(tmp_path)
    assert first.startswith(f"table {table} would differ: {told}")
    assert last == "tables: 0 of 1 go on as they are on these rules"


@pytest.mark.parametrize("changed", ["wins", "verdict"])
def test_the_doctor_names_a_match_that_others_would_have_won(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    table = with_tables(tmp_path, lambda tables, _: finished(tables))
    change(monkeypatch, changed)
    expected = "would differ: match 1 stood otherwise in the end than it does on these rules"
    assert complaints(tmp_path)[0] == f"table {table} {expected}"


def change(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Let the rules of the game be other ones, by which every move is legal that was."""
    game = load(GAME)
    play = game.play

    def play_otherwise(state: Any, seat: int, move: int) -> None:
        play(state, seat, move)
        state.scores[0] = 9

    others: dict[str, object] = {
        "score": lambda state, seat: 7,
        "play": play_otherwise,
        "wins": lambda state, seat: seat == 1,
        "verdict": lambda state: "another",
        "version": game.version + 1,
    }
    monkeypatch.setattr(game, what, others[what])


def test_the_doctor_examines_an_older_database_in_postgresql_without_changing_it() -> None:
    home = postgresql_home()
    with_tables(home, lambda tables, _: finished(tables))
    home.ask("UPDATE alembic_version SET version_num = '0007'")
    home.ask("UPDATE tables SET format = 2")
    texts = [finding.text for finding in examine(home.url, lambda *_: None)]
    assert "schema: 0007, brought to 0008 when the server starts" in texts
    assert "tables: 1 of 1 go on as they are on these rules" in texts
    assert home.ask("SELECT version_num FROM alembic_version") == [("0007",)]
    assert home.ask("SELECT format FROM tables") == [(2,)]


def test_the_doctor_names_a_table_that_cannot_be_read(tmp_path: Path) -> None:
    table, other = made(tmp_path)
    rows(tmp_path, """UPDATE events SET body = '{' WHERE place = 2 AND "table" = ?""", table)
    moved = """UPDATE events SET body = '{"event":"moved","moves":[[0,99,null]]}'
    WHERE "table" = ? AND place = (SELECT max(place) FROM events WHERE "table" = ?)"""
    rows(tmp_path, moved, other, other)
    first, second = sorted(complaints(tmp_path)[:2], key=lambda text: other in text)
    assert f"table {table} cannot be read: event 2 of table" in first
    assert f"table {other} cannot be read: event" in second
    assert "does not fit these rules" in second


def test_the_doctor_sees_open_permissions_damage_and_newer_schemas(tmp_path: Path) -> None:
    made(tmp_path)
    file = tmp_path / "tables.sqlite"
    file.chmod(0o644)
    assert complaints(tmp_path) == ["permissions: others may read tables.sqlite"]
    file.chmod(0o600)
    rows(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    assert "was written by a newer version" in complaints(tmp_path)[0]
    file.write_bytes(file.read_bytes()[:8192])
    assert complaints(tmp_path)[0].startswith("integrity: ")


def test_the_doctor_replays_a_folder_of_an_older_version_without_changing_it(
    tmp_path: Path,
) -> None:
    old = Path(__file__).with_name("schema_0001.sql")
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection:
        connection.executescript(old.read_text("utf-8"))
    (tmp_path / "tables.sqlite").chmod(0o600)
    texts = [finding.text for finding in examined(tmp_path)]
    assert "schema: 0001, brought to 0008 when the server starts" in texts
    assert rows(tmp_path, "SELECT version_num FROM alembic_version") == [("0001",)]
