"""A server of each test's own, to be harmed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from people import Server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    yield running
    running.stop()
