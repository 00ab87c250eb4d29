"""What a node says of a broker it cannot use, and what the broker lets each node read."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.aio.client import Client

from ludotheque.engine.refused import Refused
from ludotheque.server.nodes import broker as brokers
from ludotheque.server.nodes import credentials
from ludotheque.server.nodes.broker import LEASES, PREFIX, TABLES, Broker
from ludotheque.server.nodes.lease import LEASE_S, Claims, Held, Lease
from ludotheque.server.nodes.thoughts import ASKER, QUEUE, THINK, WORKER
from ludotheque.server.setting_kinds import Address
from nodes import BrokerProcess
from people import WAIT_TIMEOUT_S, free_port
from scenes import act, until

PASSWORDS = {"a": "secret of a", "b": "secret of b"}
OF_ROLES = {"tables": "secret of tables", "bots": "secret of bots"}  # nodes that have only one


def address(process: BrokerProcess, user: str, password: str) -> Address:
    return Address(f"nats://{user}:{password.replace(' ', '%20')}@127.0.0.1:{process.port}")


def refusal(address: Address, file: Path | None = None) -> str:
    async def connect() -> str:
        broker = Broker(address, "a", file)
        try:
            with pytest.raises(Refused) as refused:
                await broker.open(LEASE_S)
            return str(refused.value)
        finally:
            await broker.close()

    return act(connect)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    """A broker with a user for each node."""
    given = PASSWORDS | {f"{name}:{name}": text for name, text in OF_ROLES.items()}
    passwords = {name: text.replace(" ", "-") for name, text in given.items()}
    folder = tmp_path_factory.mktemp("guarded")
    text = credentials.configuration(passwords)
    root = '"users": [{"user": "root", "password": "of-the-test"},'
    running = BrokerProcess(folder, text.replace('"users": [', root))
    yield running
    running.stop()


def user(process: BrokerProcess, name: str) -> Address:
    return address(process, name, (PASSWORDS | OF_ROLES)[name].replace(" ", "-"))


def test_an_address_where_no_broker_is_is_refused_with_what_to_do() -> None:
    port = free_port()
    said = refusal(Address(f"nats://anyone:hidden@127.0.0.1:{port}"))
    assert said.startswith(f"the broker at nats://anyone@127.0.0.1:{port} cannot be reached (")
    assert said.endswith("start one with nats-server -js, or name another with --broker")


def test_an_address_where_no_broker_is_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brokers, "START_TIMEOUT_S", 3600.0)

    async def scene() -> None:
        async with asyncio.timeout(WAIT_TIMEOUT_S):
            with pytest.raises(Refused, match="Connect call failed"):
                await Broker(Address(f"nats://127.0.0.1:{free_port()}"), "a").open(LEASE_S)

    act(scene)


def test_a_broker_that_keeps_nothing_is_refused(tmp_path: Path) -> None:
    process = BrokerProcess(tmp_path, is_keeping=False)
    try:
        assert refusal(Address(process.address)) == (
            f"the broker at {process.address} keeps nothing: "
            "start it with JetStream, nats-server -js"
        )
    finally:
        process.stop()


def test_a_wrong_password_is_refused_and_not_repeated(guarded: BrokerProcess) -> None:
    # Often, since the broker hangs up at once, and that must not hide its reason.
    said = {refusal(address(guarded, "a", "wrong")) for _ in range(30)}
    assert said == {
        f"the broker at nats://a@127.0.0.1:{guarded.port} does not let this node in: "
        "check the user and the password in its address, or broker_credentials"
    }


def test_a_missing_permission_is_named(tmp_path: Path) -> None:
    nothing = 'authorization: {"users": [{"user": "a", "password": "x", "permissions": '
    nothing += '{"publish": ["elsewhere"], "subscribe": [">"]}}]}'
    process = BrokerProcess(tmp_path, nothing)
    try:
        said = refusal(address(process, "a", "x"))
    finally:
        process.stop()
    assert "does not let this node keep keys" in said
    assert said.endswith("write its configuration with ludotheque broker-config")


def test_a_broker_that_is_away_for_a_while_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    process = BrokerProcess(tmp_path)

    def has_logged(messages: int) -> bool:
        return len(caplog.messages) >= messages

    async def scene() -> None:
        broker, returns = Broker(Address(process.address), "a"), list[None]()
        broker.when_back = lambda: returns.append(None)
        await broker.open(LEASE_S)
        try:
            for _ in range(2):
                await asyncio.to_thread(process.stop)
                wanted = len(caplog.messages) + 5
                await until(partial(has_logged, wanted))
                await asyncio.to_thread(process.start)
                await until(lambda: returns)
                returns.clear()
        finally:
            await broker.close()

    with caplog.at_level("DEBUG", "ludotheque"):
        act(scene)
    process.stop()
    warnings = [record for record in caplog.records if record.levelname == "WARNING"]
    assert warnings
    assert max(Counter(record.getMessage() for record in warnings).values()) == 2


def test_a_node_that_the_broker_has_refused_for_a_while_comes_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The client of the broker gives up then: it takes a new one, which hears what that one did."""
    right, wrong = (credentials.configuration({"a": password}) for password in ("right", "wrong"))
    process = BrokerProcess(tmp_path, right)
    heard: list[str] = []

    def hear(subject: str, text: bytes, is_lost: bool) -> None:
        heard.append(text.decode())

    async def scene() -> None:
        broker, returns = Broker(address(process, "a", "right"), "a"), list[None]()
        broker.when_back = lambda: returns.append(None)
        await broker.open(LEASE_S)
        try:
            await broker.hear(f"{PREFIX}.to.a.1", hear)
            dropped = await broker.hear(f"{PREFIX}.to.a.2", hear)
            process.reload(wrong)
            await until(lambda: not broker.is_connected)
            await broker.drop(dropped)
            await broker.hear(f"{PREFIX}.to.a.3", hear)
            await until(lambda: [each for each in caplog.messages if "uthorization" in each])
            process.reload(right)
            await until(lambda: returns)
            assert await broker.put(LEASES, "a.1", "a", 0) > 0
            for number in (1, 2, 3):
                broker.post(f"{PREFIX}.to.a.{number}", f"to {number}".encode())
            await until(lambda: "to 3" in heard)
        finally:
            await broker.close()

    try:
        with caplog.at_level("WARNING", "ludotheque"):
            act(scene)
    finally:
        process.stop()
    assert heard == ["to 1", "to 3"]
    assert caplog.messages[-1] == "the broker is back"
    assert max(Counter(caplog.messages).values()) == 1


def test_credentials_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    said = refusal(Address("nats://127.0.0.1:1"), tmp_path / "none.creds")
    assert said == (
        f"broker_credentials: {tmp_path / 'none.creds'} cannot be read: No such file or directory"
    )


def test_nodes_with_users_of_their_own_share_tables(guarded: BrokerProcess) -> None:
    async def scene() -> None:
        brokers = [Broker(user(guarded, name), name) for name in PASSWORDS]
        leases = [Lease(broker, broker.name) for broker in brokers]
        for broker, lease in zip(brokers, leases, strict=True):
            await broker.open(LEASE_S)
            await lease.take()
        ours, theirs = (Claims(b, each) for b, each in zip(brokers, leases, strict=True))
        assert await ours.claim("table") == Held(leases[0].id, True)
        assert await theirs.claim("table") == Held(leases[0].id, False)
        await ours.release("table")
        assert await theirs.claim("table") == Held(leases[1].id, True)
        for broker in brokers:
            await broker.close()

    act(scene)


READS = [f"{PREFIX}.to.a.>", f"{PREFIX}.to.>", f"{PREFIX}.lost.a.>", "_INBOX_a.>", ">"]


@pytest.mark.parametrize("subject", READS)
def test_a_node_cannot_read_what_is_sent_to_another(guarded: BrokerProcess, subject: str) -> None:
    letters = [f"{PREFIX}.to.a.7", f"{PREFIX}.lost.a.7.b.8", "_INBOX_a.9"]
    assert heard(guarded, "b", subject, letters) == []


@pytest.mark.parametrize("subject", [f"{PREFIX}.to.b.7", f"{PREFIX}.all", "_INBOX_b.>"])
def test_a_node_reads_what_is_sent_to_it_and_to_all(guarded: BrokerProcess, subject: str) -> None:
    sent = subject.replace(">", "9")
    assert heard(guarded, "b", subject, [sent]) == [sent]


THOUGHT = f"{THINK}.ubongo"


@pytest.mark.parametrize("subject", [THOUGHT, f"{THINK}.>", f"{WORKER}.>", ">"])
def test_what_bots_are_told_is_read_by_nodes_with_bots_alone(
    guarded: BrokerProcess, subject: str
) -> None:
    assert heard(guarded, "tables", subject, [THOUGHT, f"{WORKER}.bots.t1"]) == []


def test_a_node_with_bots_reads_thoughts_only_in_its_turn(guarded: BrokerProcess) -> None:
    assert heard(guarded, "bots", THOUGHT, [THOUGHT], QUEUE) == [THOUGHT]
    assert heard(guarded, "bots", THOUGHT, [THOUGHT]) == []
    assert heard(guarded, "bots", f"{WORKER}.a.>", [f"{WORKER}.a.t1"]) == []


@pytest.mark.parametrize("subject", [f"{PREFIX}.to.>", f"{PREFIX}.all", f"{ASKER}.>", "$KV.>"])
def test_a_node_with_bots_reads_nothing_of_tables(guarded: BrokerProcess, subject: str) -> None:
    letters = [f"{PREFIX}.to.a.7", f"{PREFIX}.all", f"{ASKER}.a.t1", f"$KV.{TABLES}.table"]
    assert heard(guarded, "bots", subject, letters) == []


def test_a_node_cannot_renew_the_lease_of_another(guarded: BrokerProcess) -> None:
    async def scene() -> None:
        client, errors = await connected(guarded, "b")
        try:
            await client.publish(f"$KV.{LEASES}.a.1", b"a")
            await until(lambda: any("ermissions" in error for error in errors))
        finally:
            await client.close()

    act(scene)


def heard(
    process: BrokerProcess, name: str, subject: str, letters: list[str], queue: str = ""
) -> list[str]:
    """What a node hears on a subject, each once, of what someone who may do everything sends."""

    async def scene() -> list[str]:
        client, _ = await connected(process, name)
        root = await nats.connect(address(process, "root", "of-the-test").full)
        found: list[str] = []
        is_last = asyncio.Event()

        async def hear(message: Any) -> None:
            if message.data == b"private":
                found.append(message.subject)
            else:
                is_last.set()

        last = f"{PREFIX}.lost.{name}.last"
        await client.subscribe(last, cb=hear)
        await client.subscribe(subject, queue, cb=hear)
        await client.flush()
        try:
            # Again and again: the first may be lost where the broker has just refused something.
            async with asyncio.timeout(WAIT_TIMEOUT_S):
                while not is_last.is_set():
                    for letter in letters:
                        await root.publish(letter, b"private")
                    await root.publish(last, b"last")
                    await root.flush()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(is_last.wait(), 0.2)
        finally:
            await client.close()
            await root.close()
        return sorted(set(found), key=found.index)

    return act(scene)


async def connected(process: BrokerProcess, name: str) -> tuple[Client, list[str]]:
    errors: list[str] = []

    async def note(error: Exception) -> None:
        errors.append(str(error))

    return await nats.connect(user(process, name).full, error_cb=note), errors


def test_a_node_learns_at_once_who_has_which_tables(guarded: BrokerProcess) -> None:
    async def scene() -> None:
        broker = Broker(user(guarded, "a"), "a")
        await broker.open(LEASE_S)
        try:
            before = await broker.values(TABLES)
            names = [f"of-many-{number}" for number in range(300)]
            revisions = [await broker.put(TABLES, name, "b.1", 0) for name in names]
            assert await broker.values(TABLES) == before | dict.fromkeys(names, "b.1")
            for revision in revisions:
                await broker.delete(TABLES, revision)
            assert await broker.values(TABLES) == before
        finally:
            await broker.close()

    act(scene)


def test_a_configuration_is_written_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "nats.conf"
    passwords = credentials.write(file, ["a", "b"])
    assert list(passwords) == ["a", "b"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert all(password in file.read_text() for password in passwords.values())
    with pytest.raises(Refused, match="is there already"):
        credentials.write(file, ["a"])
    with pytest.raises(Refused, match="expected letters, digits, - and _"):
        credentials.write(tmp_path / "other.conf", ["a.b"])
