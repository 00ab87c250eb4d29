"""The commands of a host: settings, backups, the doctor, stored tables."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from folders import HANA, begun, finished, rows, with_tables
from ludotheque import cli
from ludotheque.engine.refused import Refused
from ludotheque.server.data_folder import held
from ludotheque.server.store import Store
from ludotheque.server.tables import Tables


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands name folders of games in the environment."""
    monkeypatch.setenv("LUDOTHEQUE_GAMES", "")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, list(arguments))


def made(folder: Path) -> tuple[str, str]:
    async def scene(tables: Tables, _: Store) -> tuple[str, str]:
        return await finished(tables), await begun(tables)

    return with_tables(folder, scene)


def listed(folder: Path, *flags: str) -> dict[str, Any]:
    done = run("tables", "list", "--json", "--data", str(folder), *flags)
    return {entry["id"]: entry for entry in json.loads(done.stdout)}


def test_help_imports_neither_compilers_nor_servers() -> None:
    code = (
        "import sys\nfrom ludotheque.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n"
        "    print([n for n in ('numba', 'numpy', 'uvicorn', 'sqlalchemy') if n in sys.modules])"
    )
    for arguments in (["--help"], ["serve", "--help"], ["tables", "--help"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True
        )
        assert done.stdout.splitlines()[-1] == "[]"


def test_settings_tells_what_is_in_force_and_where_it_comes_from(tmp_path: Path) -> None:
    (tmp_path / "ludotheque.toml").write_text("port = 9000\n")
    done = run("settings", "--json", "--data", str(tmp_path), "--metrics", "off")
    told = json.loads(done.stdout)
    assert told["port"] == {"value": "9000", "from": str(tmp_path / "ludotheque.toml")}
    assert told["metrics"] == {"value": "off", "from": "--metrics"}
    assert told["host"] == {"value": "0.0.0.0", "from": "default"}
    assert "keep_finished_days" in run("settings").stdout


def test_a_wrong_setting_ends_a_server_before_it_starts(tmp_path: Path) -> None:
    done = run("serve", "--port", "0", "--data", str(tmp_path))
    assert isinstance(done.exception, Refused)
    assert str(done.exception).startswith("port is '0' (from --port), expected")
    assert list(tmp_path.iterdir()) == []


def test_tables_are_listed_with_their_game_and_status(tmp_path: Path) -> None:
    over, playing = made(tmp_path)
    found = listed(tmp_path)
    assert {id_: entry["status"] for id_, entry in found.items()} == {
        over: "over",
        playing: "playing",
    }
    assert found[over]["game"] == "stupide_vautour"
    assert (found[over]["people"], found[over]["bots"]) == (2, 0)
    assert over in run("tables", "list", "--data", str(tmp_path)).stdout


def test_a_table_is_shown_without_chat_and_cards(tmp_path: Path) -> None:
    over, _ = made(tmp_path)
    shown = run("tables", "show", over, "--data", str(tmp_path)).stdout
    assert "status: over" in shown
    assert HANA.name in shown
    assert "seed" not in shown
    missing = run("tables", "show", "nowhere", "--data", str(tmp_path))
    assert str(missing.exception) == (
        f"there is no table 'nowhere' in {tmp_path / 'tables.sqlite'}"
    )


def test_tables_that_cannot_be_read_are_listed_with_the_reason(tmp_path: Path) -> None:
    over, _ = made(tmp_path)
    rows(tmp_path, """UPDATE events SET body = '{' WHERE place = 1 AND "table" = ?""", over)
    found = listed(tmp_path, "--quarantined")
    assert list(found) == [over]
    assert found[over]["flaw"].startswith("event 1 of table")
    [(stored,)] = rows(tmp_path, """SELECT count(*) FROM events WHERE "table" = ?""", over)
    assert found[over]["events"] == stored > 1


def test_a_table_is_closed_opened_and_deleted(tmp_path: Path) -> None:
    over, playing = made(tmp_path)
    data = ("--data", str(tmp_path))
    assert run("tables", "close", playing, *data).stdout == f"table {playing} is closed\n"
    assert listed(tmp_path)[playing]["fate"] == "closed"
    assert run("tables", "open", playing, *data).stdout == f"table {playing} is open\n"
    assert run("tables", "delete", over, *data).exit_code == 1  # nobody says yes
    assert run("tables", "delete", over, "--yes", *data).stdout == f"table {over} is deleted\n"
    assert list(listed(tmp_path)) == [playing]


def test_a_running_server_is_left_to_delete_a_table_itself(tmp_path: Path) -> None:
    over, _ = made(tmp_path)
    with held(tmp_path):
        done = run("tables", "delete", over, "--yes", "--data", str(tmp_path))
    assert "the server that runs does so within half a minute" in done.stdout
    assert listed(tmp_path)[over]["fate"] == "deleted"


def test_backup_restore_and_doctor_work_together(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "backup.sqlite"
    data.mkdir()
    made(data)
    assert "is a complete copy" in run("backup", str(file), "--data", str(data)).stdout
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = run("restore", str(file), "--data", str(data), "--force")
    assert "the former ones are kept as" in again.stdout
    healthy = run("doctor", "--data", str(data))
    assert (healthy.exit_code, "tables: 2 of 2" in healthy.stdout) == (0, True)
    rows(data, "UPDATE events SET body = '{' WHERE place = 1")
    ill = run("doctor", "--data", str(data))
    assert (ill.exit_code, "✗ tables: 0 of 2" in ill.stdout) == (1, True)
