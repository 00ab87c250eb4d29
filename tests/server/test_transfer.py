"""Everything moves from SQLite to PostgreSQL and back, and nothing changes on the way."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from folders import begun, finished, with_tables
from homes import Home, postgresql_home, sqlite_home
from ludotheque import cli
from ludotheque.engine.refused import Refused
from ludotheque.server import schema
from ludotheque.server.store import Store
from ludotheque.server.tables import Tables
from ludotheque.server.transfer import KEPT, Moved, export, import_
from ludotheque.server.upgrade import upgrade


def contents(home: Home) -> dict[str, list[Any]]:
    """Every row of a database."""
    engine = sa.create_engine(home.url, poolclass=sa.NullPool)
    with engine.connect() as connection:
        found = {name: connection.execute(sa.select(table)) for name, table in KEPT.items()}
        return {name: sorted(tuple(row) for row in rows) for name, rows in found.items()}


def move(file: Path, here: Home, there: Home) -> Moved:
    export(here.url, file, lambda done, total: None)
    return import_(file, there.url, lambda done, total: None)


def made(home: Home) -> list[str]:
    async def scene(tables: Tables, _: Store) -> list[str]:
        return [await finished(tables), await begun(tables)]

    tables = with_tables(home, scene)
    home.ask("INSERT INTO players (id, name, avatar, created) VALUES ('a', 'Ann ☃', 1, 5)")
    home.ask("INSERT INTO secrets VALUES ('tokens', 'sesame')")
    return tables


def test_everything_moves_to_postgresql_and_back(tmp_path: Path) -> None:
    here, there, back = sqlite_home(tmp_path), postgresql_home(), sqlite_home(tmp_path / "back")
    (tmp_path / "back").mkdir()
    made(here)
    assert move(tmp_path / "there", here, there).notes == []
    assert move(tmp_path / "again", there, back).notes == []
    assert contents(here) == contents(there) == contents(back)
    assert (tmp_path / "there").read_bytes() == (tmp_path / "again").read_bytes()
    assert (tmp_path / "there").stat().st_mode & 0o777 == 0o600


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    players=st.lists(
        st.tuples(TEXT, TEXT, st.integers(-(2**31), 2**31 - 1), st.integers(-(2**63), 2**63 - 1)),
        max_size=4,
        unique_by=lambda row: row[0].replace("\0", "\ufffd"),
    ),
    bodies=st.lists(TEXT, max_size=4),
)
def test_odd_contents_move_unchanged_but_for_what_postgresql_cannot_keep(
    players: list[tuple[Any, ...]], bodies: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        here, back, there = sqlite_home(folder), sqlite_home(folder / "back"), postgresql_home()
        (folder / "back").mkdir()
        upgrade(here.url)
        engine = sa.create_engine(here.url, poolclass=sa.NullPool)
        with engine.begin() as connection:
            for row in players:
                values = dict(zip(("id", "name", "avatar", "created"), row, strict=True))
                connection.execute(sa.insert(schema.players).values(values))
            connection.execute(sa.insert(schema.tables).values(id="t", created=0))
            for place, body in enumerate(bodies):
                values = {"table": "t", "place": place, "request": "", "body": body}
                connection.execute(sa.insert(schema.events).values(values))
        notes = move(folder / "there", here, there).notes
        move(folder / "again", there, back)
        texts = [text for row in players for text in row[:2]] + bodies
        assert sum("NUL" in note for note in notes) == sum("\0" in text for text in texts)
        before = {
            name: sorted(
                tuple(v.replace("\0", "\ufffd") if isinstance(v, str) else v for v in row)
                for row in rows
            )
            for name, rows in contents(here).items()
        }
        assert before == contents(there) == contents(back)
        if any("\0" in text for text in texts):  # SQLite keeps it as it is
            twin = sqlite_home(folder / "twin")
            (folder / "twin").mkdir()
            import_(folder / "there", twin.url, lambda done, total: None)
            assert contents(twin) == contents(here)


def test_a_table_that_was_damaged_is_moved_and_named(tmp_path: Path) -> None:
    here, there = sqlite_home(tmp_path), postgresql_home()
    table, other = made(here)
    here.ask("""UPDATE events SET body = '{' WHERE place = 1 AND "table" = ?""", table)
    here.ask(
        """UPDATE events SET body = CAST(x'ff' AS TEXT) WHERE place = 1 AND "table" = ?""", other
    )
    notes = move(tmp_path / "file", here, there).notes
    assert [note.partition(": ")[0] for note in notes if "before" in note] == [
        f"table {each} could not be read before either" for each in (table, other)
    ]
    assert sum("bytes that are not text" in note for note in notes) == 1
    (tmp_path / "twin").mkdir()
    import_(tmp_path / "file", sqlite_home(tmp_path / "twin").url, lambda done, total: None)
    for home in (here, sqlite_home(tmp_path / "twin")):
        question = 'SELECT hex(body), typeof(body) FROM events WHERE place = 1 AND "table" = ?'
        assert home.ask(question, other) == [("FF", "text")]


def test_a_database_with_anything_in_it_is_refused_and_left_as_it_is(
    home: Home, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    source = sqlite_home(tmp_path / "other")
    made(source)
    upgrade(home.url)
    home.ask("INSERT INTO secrets VALUES ('tokens', 'sesame')")
    before = contents(home)
    with pytest.raises(Refused, match=r"is not empty: it has rows in secrets \(1\)"):
        move(tmp_path / "file", source, home)
    assert contents(home) == before


@pytest.mark.parametrize(
    ("harm", "complaint"),
    [
        (lambda lines: lines[:-1], "the checksum is expected here"),
        (lambda lines: lines[:5], "line 6: a row of .* is expected here"),
        (lambda lines: [*lines[:3], "{", *lines[4:]], "line 4: a row of .* is expected here"),
        (lambda lines: [lines[0], lines[1].replace("Ann", "Eve"), *lines[2:]], "checksum is wrong"),
        (lambda lines: [lines[0], lines[1].replace(",1,", ',"x",'), *lines[2:]], "players.avatar"),
        (lambda lines: lines[1:], "was not written by `ludotheque export`"),
        (lambda lines: [lines[0].replace('"version":1', '"version":9')], "has the version 9"),
    ],
)
def test_a_file_that_is_damaged_leaves_the_database_empty(
    home: Home, tmp_path: Path, harm: Any, complaint: str
) -> None:
    (tmp_path / "other").mkdir()
    source, file = sqlite_home(tmp_path / "other"), tmp_path / "file"
    made(source)
    export(source.url, file, lambda done, total: None)
    file.write_text("".join(f"{line}\n" for line in harm(file.read_text().splitlines())))
    with pytest.raises(Refused, match=complaint):
        import_(file, home.url, lambda done, total: None)
    upgrade(home.url)
    assert set(map(len, contents(home).values())) == {0}


def test_nothing_is_imported_under_a_running_server(tmp_path: Path) -> None:
    here, there = sqlite_home(tmp_path), postgresql_home()
    made(here)

    async def scene(store: Store) -> None:
        await store.probe()
        with pytest.raises(Refused, match="is being used by a server; stop it first"):
            move(tmp_path / "file", here, there)

    there.with_store(scene)


def test_the_commands_move_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOTHEQUE_GAMES", "")
    here, there, file = sqlite_home(tmp_path), postgresql_home(), str(tmp_path / "file")
    tables = made(here)
    run = CliRunner().invoke
    assert "holds everything" in run(cli.app, ["export", file, *here.flags]).stdout
    assert isinstance(run(cli.app, ["export", file, *here.flags]).exception, Refused)
    assert (
        "rows) is in postgresql://postgres@/" in run(cli.app, ["import", file, *there.flags]).stdout
    )
    listed = json.loads(run(cli.app, ["tables", "list", "--json", *there.flags]).stdout)
    assert {entry["id"] for entry in listed} == set(tables)
    doctor = run(cli.app, ["doctor", *there.flags])
    assert (doctor.exit_code, "2 of 2 go on" in doctor.stdout) == (0, True)
    assert run(cli.app, ["tables", "delete", tables[0], "--yes", *there.flags]).exit_code == 0
    assert there.ask("SELECT id FROM tables") == [(tables[1],)]
    for command in ("backup", "restore"):
        refused = run(cli.app, [command, file, *there.flags]).exception
        assert "pg_" in str(refused)
