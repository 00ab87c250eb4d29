"""A server to attack."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from abuse.attackers import ImpatientServer, allow_many_files, serving
from people import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    allow_many_files()
    with serving(ImpatientServer, tmp_path_factory.mktemp("data")) as running:
        yield running
