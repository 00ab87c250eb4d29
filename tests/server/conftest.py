"""Servers to test against."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from homes import Home, postgresql_home, sqlite_home
from people import NewPerson, Person, Server


@pytest.fixture(params=["sqlite", "postgresql"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    """An empty database of each kind."""
    return sqlite_home(tmp_path) if request.param == "sqlite" else postgresql_home()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server_of_each_kind(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server on a file of SQLite, and one on PostgreSQL."""
    flags = postgresql_home().flags if request.param == "postgresql" else []
    running = Server(tmp_path_factory.mktemp("data"), None, *flags)
    yield running
    running.stop()


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    """A server of one's own, to be killed."""
    running = Server(tmp_path)
    yield running
    running.stop()


@pytest.fixture
def person(server: Server) -> NewPerson:
    return lambda name: Person(server, name)
