"""Several workers on one port: players notice nothing of it, whatever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ludotheque.engine.refused import Refused
from ludotheque.server.configuration import Configuration
from ludotheque.server.nodes import own_broker
from ludotheque.server.nodes.node import check
from ludotheque.server.nodes.own_broker import LOG_FILE, PID_FILE, OwnBroker, end_orphan
from ludotheque.server.setting_kinds import Address
from nodes import play_on
from people import WAIT_TIMEOUT_S, Person, Server, Socket, refusal
from scenes import aside

TWO = ("--workers", "2")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "data", None, *TWO)
    yield running
    if running.process.poll() is None:
        running.stop()


def processes(*chosen: str) -> dict[int, str]:
    """The processes that run now, and what each was called with."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,stat=,args=", *chosen],
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [line.split(maxsplit=2) for line in listed.stdout.splitlines()]
    return {int(pid): args for pid, state, args in rows if not state.startswith("Z")}


def children(server: Server) -> list[int]:
    return list(processes("--ppid", str(server.process.pid)))


def workers(server: Server) -> list[int]:
    running = processes("--ppid", str(server.process.pid))
    return [pid for pid, args in running.items() if "spawn_main" in args]


def run_still(pids: list[int]) -> bool:
    return bool(processes("-p", ",".join(map(str, pids))))


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT_TIMEOUT_S
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_match_goes_on_whichever_worker_is_killed_and_all_end_together(server: Server) -> None:
    wait_until(lambda: len(workers(server)) == 2)
    people = [Person(server, "Ann"), Person(server, "Bob")]
    table = people[0].open_table("stupide_vautour", seats=2)
    ann, bob = sockets = connected(people, table)
    assert bob.reply(bob.request("sit"))["done"]
    assert ann.reply(ann.request("start"))["done"]
    for victim in workers(server):
        play_on(sockets, moves=3)
        os.kill(victim, signal.SIGKILL)
        wait_until(partial(is_replaced, server, victim))
        sockets = connected(people, table)  # as pages do by themselves
    assert play_on(sockets)["match"]["over"]
    everything = children(server)
    server.stop()
    wait_until(lambda: not run_still(everything))


def is_replaced(server: Server, victim: int) -> bool:
    return len({*workers(server)} - {victim}) == 2


def connected(people: list[Person], table: str) -> list[Socket]:
    sockets = [person.connect(table) for person in people]
    for socket in sockets:
        socket.update()
    return sockets


def counted(server: Server, sample: str) -> dict[str, float]:
    """A sample of each worker, by the worker's name."""
    address = f"http://{server.address}/metrics"
    with urllib.request.urlopen(address, timeout=WAIT_TIMEOUT_S) as answer:
        families = list(text_string_to_metric_families(answer.read().decode()))
    names = [family.name for family in families]
    assert len(names) == len(set(names))  # a family in two places is invalid for Prometheus
    samples = [each for family in families for each in family.samples if each.name == sample]
    return {each.labels["node"]: each.value for each in samples}


def test_whichever_worker_is_asked_tells_what_all_of_them_count(server: Server) -> None:
    both = ["worker-1", "worker-2"]
    wait_until(lambda: list(counted(server, "ludotheque_worker_up").values()) == [1, 1])
    assert list(counted(server, "process_resident_memory_bytes")) == both
    assert counted(server, "ludotheque_node_info") == dict.fromkeys(both, 1)
    people = [Person(server, "Ann"), Person(server, "Bob")]
    table = people[0].open_table("stupide_vautour", seats=2)
    ann, bob = sockets = connected(people, table)
    assert bob.reply(bob.request("sit"))["done"]
    assert ann.reply(ann.request("start"))["done"]
    play_on(sockets, moves=4)
    wait_until(lambda: sum(counted(server, "ludotheque_moves_total").values()) == 4)
    for _ in range(8):  # connections, each of which any worker may accept
        assert sorted(counted(server, "ludotheque_moves_total").values()) == [0, 4]


def test_a_worker_that_does_not_answer_is_told_as_down_beside_the_others(server: Server) -> None:
    wait_until(lambda: list(counted(server, "ludotheque_worker_up").values()) == [1, 1])
    victim = workers(server)[0]
    os.kill(victim, signal.SIGSTOP)
    try:
        wait_until(lambda: sorted(counted(server, "ludotheque_worker_up").values()) == [0, 1])
        wait_until(lambda: len(counted(server, "ludotheque_sockets")) == 1)
    finally:
        os.kill(victim, signal.SIGCONT)
    wait_until(lambda: list(counted(server, "ludotheque_worker_up").values()) == [1, 1])


def test_nothing_is_left_of_a_server_that_was_killed(server: Server) -> None:
    wait_until(lambda: len(workers(server)) == 2)
    everything = children(server)
    server.kill()
    wait_until(lambda: not run_still(everything))


def test_nobody_else_shares_the_folder_of_workers_with_their_own_broker(server: Server) -> None:
    assert "is in use by another server" in refusal(server.data)


def test_workers_without_a_nats_server_are_refused_in_a_sentence(tmp_path: Path) -> None:
    program = "from ludotheque.server.nodes import own_broker as o\n"
    program += "o.sys.executable = '/nowhere/python'\n"
    program += "o.sysconfig.get_path = lambda _: '/nowhere'\n"
    program += "from ludotheque.cli import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", program, "serve", *TWO, "--data", str(tmp_path), "--port", "1"],
        env={**os.environ, "PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_TIMEOUT_S,
    )
    assert ended.returncode == 2
    assert "pip install 'ludotheque[nodes]', or name one that runs with --broker" in " ".join(
        ended.stderr.split()
    )


def test_a_broker_that_has_ended_is_started_again_at_the_same_address(tmp_path: Path) -> None:
    broker = OwnBroker(tmp_path, ["a"])
    try:
        address = broker.address_of("a")
        first = int((tmp_path / PID_FILE).read_text())
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: not run_still([first]))
        broker.mend()
        assert int((tmp_path / PID_FILE).read_text()) != first
        assert broker.address_of("a") == address
        aside(lambda: check(Configuration(broker=address)))
    finally:
        broker.stop()


def test_nobody_without_its_passwords_is_let_in_by_a_broker_of_workers(tmp_path: Path) -> None:
    broker = OwnBroker(tmp_path, ["a"])
    try:
        port = broker.address_of("a").full.rpartition(":")[2]
        with pytest.raises(Refused, match="does not let this node in"):
            aside(lambda: check(Configuration(broker=Address(f"nats://127.0.0.1:{port}"))))
    finally:
        broker.stop()


@pytest.mark.parametrize("proc", ["/proc", "/nowhere"])
def test_the_broker_of_a_server_that_was_killed_is_ended_on_any_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proc: str
) -> None:
    monkeypatch.setattr(own_broker, "PROC", Path(proc))
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = OwnBroker(folder, ["a"])
    try:
        end_orphan(folder)
        number = broker._process.wait(WAIT_TIMEOUT_S)
        assert (number, folder.exists()) == (-signal.SIGKILL, False)
    finally:
        broker.stop()


def broker_of(server: Server) -> tuple[int, Path]:
    """The process of the workers' own broker, and its folder."""
    running = processes("--ppid", str(server.process.pid))
    ((pid, args),) = [(pid, args) for pid, args in running.items() if "nats.conf" in args]
    return pid, Path(args.partition(" -c ")[2].partition("/nats.conf")[0])


def test_a_broker_that_does_not_start_again_at_once_is_tried_again(server: Server) -> None:
    wait_until(lambda: len(workers(server)) == 2)
    pid, folder = broker_of(server)
    configuration = (folder / "nats.conf").read_text()
    (folder / "nats.conf").write_text("nothing that a broker understands {")
    os.kill(pid, signal.SIGKILL)
    for _ in range(2):
        said = len((folder / LOG_FILE).read_text())
        wait_until(partial(has_said_more, folder / LOG_FILE, said))
    assert len(workers(server)) == 2
    (folder / "nats.conf").write_text(configuration)
    wait_until(lambda: is_ready(server))


def has_said_more(file: Path, said: int) -> bool:
    return len(file.read_text()) > said


def is_ready(server: Server) -> bool:
    try:
        urllib.request.urlopen(f"http://{server.address}/readyz", timeout=WAIT_TIMEOUT_S).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize("proc", ["/proc", "/nowhere"])
def test_a_process_that_has_the_number_of_an_old_broker_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proc: str
) -> None:
    folder = tmp_path / "broker"
    folder.mkdir()
    monkeypatch.setattr(own_broker, "PROC", Path(proc))
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    (folder / PID_FILE).write_text(str(other.pid))
    end_orphan(folder)
    assert not folder.exists()
    other.communicate(b"\n")
    assert other.returncode == 0
