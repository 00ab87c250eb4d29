"""Servers to test against."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from people import NewPerson, Person, Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("data"))
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
