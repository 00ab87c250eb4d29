"""`make nodes`: two nodes with all that they need, and nothing is left of them."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ludotheque.server.configuration import Configuration
from ludotheque.server.nodes.node import check
from ludotheque.server.setting_kinds import Address
from pages import ROOT
from people import WAIT_TIMEOUT_S, free_port
from scenes import aside


def two_free_ports() -> int:
    """The first of two ports side by side."""
    while True:
        first = free_port()
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", first + 1)) != 0:
                return first


@contextmanager
def nodes(first: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, str(ROOT / "scripts" / "nodes.py"), "--port", str(first)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def is_ready(port: int) -> bool:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=WAIT_TIMEOUT_S).close()
    except OSError:
        return False
    return True


def test_the_addresses_that_it_tells_let_in_who_copies_them() -> None:
    with nodes(two_free_ports()) as process:
        assert process.stdout is not None
        told = dict(process.stdout.readline().split() for _ in range(2))
        aside(lambda: check(Configuration(broker=Address(told["NATS"]))))


def test_two_nodes_become_ready_and_end_together() -> None:
    first = two_free_ports()
    with nodes(first) as process:
        until = time.monotonic() + WAIT_TIMEOUT_S
        while not all(is_ready(port) for port in (first, first + 1)):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until, "the nodes are not ready"
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        told, _ = process.communicate(timeout=WAIT_TIMEOUT_S)
    assert process.returncode == 0
    assert [f"http://localhost:{port}" in told for port in (first, first + 1)] == [True, True]
    assert not any(is_ready(port) for port in (first, first + 1))


@pytest.mark.parametrize("which", [0, 1])
def test_all_of_it_ends_if_one_node_does(which: int) -> None:
    first = two_free_ports()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", first + which))
        taken.listen()
        with nodes(first) as process:
            _, told = process.communicate(timeout=WAIT_TIMEOUT_S)
    assert process.returncode == 1
    assert f"node {'ab'[which]} has ended (2)" in told
