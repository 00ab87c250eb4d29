"""A browser, a server, and pages that complain about nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browsing import CHROMIUM, House, HurriedServer
from people import WAIT_TIMEOUT_S, Server


@pytest.fixture(scope="session", autouse=True)
def patience() -> None:
    """Expectations wait for a busy machine; none of them says how quick a page is."""
    expect.set_options(timeout=1000 * WAIT_TIMEOUT_S)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    return CHROMIUM


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = HurriedServer(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()


@pytest.fixture
def house(browser: Browser, server: Server) -> Iterator[House]:
    opened = House(browser, server)
    yield opened
    opened.close()
    assert opened.errors == []


@pytest.fixture
def mortal_server(tmp_path: Path) -> Iterator[Server]:
    """A server of one's own, to be killed."""
    running = HurriedServer(tmp_path)
    yield running
    running.stop()
