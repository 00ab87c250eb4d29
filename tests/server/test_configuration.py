"""Settings come from flags, variables or a file, and are checked before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludotheque.engine.refused import Refused
from ludotheque.server.configuration import (
    DEFAULTS,
    SETTINGS,
    InForce,
    default_text,
    resolve,
    variable,
)


def in_folder(folder: Path, text: str, **flags: object) -> InForce:
    (folder / "ludotheque.toml").write_text(text, "utf-8")
    return resolve({"data": str(folder), **flags}, {})


def test_without_anything_the_defaults_are_in_force() -> None:
    found = resolve({}, {})
    assert found.configuration == DEFAULTS
    assert set(found.origins.values()) == {"default"}


def test_a_flag_is_stronger_than_a_variable_and_a_variable_than_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('port = 1\nmetrics = "off"\nlog_format = "json"\n')
    flags = {"config": str(file), "port": "3"}
    found = resolve(flags, {"LUDOTHEQUE_PORT": "2", "LUDOTHEQUE_METRICS": "open"})
    assert (found.configuration.port, found.origins["port"]) == (3, "--port")
    assert (found.configuration.metrics, found.origins["metrics"]) == ("open", "LUDOTHEQUE_METRICS")
    assert (found.configuration.log_format, found.origins["log_format"]) == ("json", str(file))


def test_the_file_in_the_data_folder_is_found(tmp_path: Path) -> None:
    found = in_folder(tmp_path, "keep_finished_days = 30\n")
    assert found.configuration.keep_finished_days == 30
    assert found.origins["keep_finished_days"] == str(tmp_path / "ludotheque.toml")


def test_a_file_may_be_named_by_a_variable_and_name_the_data_folder(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('data = "/srv/tables"\n')
    assert resolve({}, {"LUDOTHEQUE_CONFIG": str(file)}).configuration.data == Path("/srv/tables")


def test_folders_of_games_add_up(tmp_path: Path) -> None:
    found = in_folder(tmp_path, 'games = ["/c"]\n', games=["/a", "/b"])
    assert found.configuration.games == (Path("/a"), Path("/b"), Path("/c"))
    assert resolve({}, {"LUDOTHEQUE_GAMES": "/a:/b"}).configuration.games == (
        Path("/a"),
        Path("/b"),
    )


def test_an_empty_variable_is_none() -> None:
    assert resolve({}, {"LUDOTHEQUE_PORT": ""}).configuration.port == DEFAULTS.port


WRONG = [
    ({"port": "x"}, {}, "port is 'x' (from --port), expected a whole number from 1 to 65535"),
    ({"port": "70000"}, {}, "port is '70000' (from --port), expected a whole number"),
    ({}, {"LUDOTHEQUE_LOG_FORMAT": "xml"}, "(from LUDOTHEQUE_LOG_FORMAT), expected text or json"),
    (
        {},
        {"LUDOTHEQUE_PROT": "1"},
        "no variable LUDOTHEQUE_PROT to set; did you mean LUDOTHEQUE_PO",
    ),
    ({"config": "/nowhere.toml"}, {}, "/nowhere.toml cannot be read: No such file"),
]


@pytest.mark.parametrize(("flags", "environment", "complaint"), WRONG)
def test_what_is_wrong_is_named_with_its_origin_and_what_was_expected(
    flags: dict[str, object], environment: dict[str, str], complaint: str
) -> None:
    with pytest.raises(Refused) as refused:
        resolve(flags, environment)
    assert complaint in str(refused.value)


WRONG_FILES = [
    ("prot = 1", "there is no setting 'prot', in {}; did you mean port?"),
    ("zzz = 1", "there is no setting 'zzz', in {}; there are: host, port"),
    ('port = "eighty"', "port is 'eighty' (from {}), expected a whole number"),
    ("port = true", "port is True (from {}), expected a whole number"),
    ("host = 1", "host is 1 (from {}), expected text"),
    ('data = "/x"', "data is set in {}, which is found by it; use --data"),
    ("port = ", "{} is not TOML"),
    ("[server]\nport = 1", "there is no setting 'server', in {}"),
]


@pytest.mark.parametrize(("text", "complaint"), WRONG_FILES)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(Refused) as refused:
        in_folder(tmp_path, text)
    assert complaint.format(tmp_path / "ludotheque.toml") in str(refused.value)


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_has_a_sentence_and_takes_its_own_default(name: str) -> None:
    says, kind = SETTINGS[name]
    assert says.endswith(".")
    assert variable(name) == f"LUDOTHEQUE_{name.upper()}"
    if name != "data" and not kind.adds_up:
        assert kind.read(default_text(name)) == getattr(DEFAULTS, name)
