"""A broker and several nodes as processes of their own, which can be killed, frozen and cut off."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import nats

from homes import Home, sqlite_home
from ludotheque.server.nodes import credentials, wire
from ludotheque.server.nodes.broker import LEASES, PREFIX
from ludotheque.server.nodes.own_broker import program
from ludotheque.server.nodes.post import EVERYONE
from people import WAIT_TIMEOUT_S, Server, Socket, free_port
from scenes import act


class BrokerProcess:
    """A NATS server with JetStream, or as its configuration has it."""

    def __init__(self, folder: Path, configuration: str = "", is_keeping: bool = True) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self._options = ["-js", "-sd", str(folder / "jetstream")] if is_keeping else []
        if configuration:
            self._file.write_text(configuration)
            self._options += ["-c", str(self._file)]
        self.start()

    @property
    def _file(self) -> Path:
        return self.folder / "nats.conf"

    @property
    def address(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [program(), "-a", "127.0.0.1", "-p", str(self.port), *self._options]
        with (self.folder / "broker.log").open("a") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        until = time.monotonic() + WAIT_TIMEOUT_S
        while not self._answers():
            assert self.process.poll() is None, (self.folder / "broker.log").read_text()
            assert time.monotonic() < until, "the broker does not answer"
            time.sleep(0.02)

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def reload(self, configuration: str) -> None:
        """Go on with another configuration, under which some may have to leave."""
        self._file.write_text(configuration)
        self.process.send_signal(signal.SIGHUP)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class NodeProcess(Server):
    """One node of several, on the data folder that they share, or with options on another home."""

    def __init__(self, data: Path, broker: str, name: str, *options: str) -> None:
        self.name = name
        self.options = ("--broker", broker, "--node", name, *options)
        self.is_launched = False
        super().__init__(data)

    @property
    def is_up(self) -> bool:
        return self.is_launched and self.process.poll() is None

    def start(self) -> None:
        """Nothing: a house launches its nodes together."""

    def launch(self) -> None:
        self.is_launched = True
        super().launch()

    def wait_until_it_is_ready(self) -> None:
        until = time.monotonic() + WAIT_TIMEOUT_S
        while not self._is_ready():
            assert time.monotonic() < until, f"node {self.name} is not ready"
            time.sleep(0.05)

    def _is_ready(self) -> bool:
        try:
            urllib.request.urlopen(f"http://{self.address}/readyz", timeout=WAIT_TIMEOUT_S).close()
        except OSError:
            return False
        return True

    def metric(self, name: str) -> float:
        address = f"http://{self.address}/metrics"
        with urllib.request.urlopen(address, timeout=WAIT_TIMEOUT_S) as answer:
            text = answer.read().decode()
        found = re.search(rf"^ludotheque_{re.escape(name)} (\S+)$", text, re.MULTILINE)
        assert found is not None, name
        return float(found[1])

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)


class House:
    """A broker, and nodes that share one home: a file of SQLite unless another one is given."""

    kind: type[NodeProcess] = NodeProcess

    def __init__(self, folder: Path, nodes: int = 2, home: Home | None = None) -> None:
        self.home = home or sqlite_home(folder / "data")
        names = [chr(ord("a") + n) for n in range(nodes)]
        self.broker = self._new_broker(folder / "broker", names)
        flags = self.home.flags if self.home.is_postgresql else []
        self.nodes = [
            self.kind(folder / "data", self.broker_of(name), name, *flags) for name in names
        ]
        self.mend()

    def _new_broker(self, folder: Path, names: list[str]) -> BrokerProcess:
        return BrokerProcess(folder)

    def broker_of(self, name: str) -> str:
        """Where a node reaches the broker."""
        return self.broker.address

    def mend(self) -> None:
        """Start what is down, all at once, and wait until it answers."""
        if self.broker.process.poll() is not None:
            self.broker.start()
        down = [node for node in self.nodes if not node.is_up]
        for node in down:
            node.launch()
        for node in down:
            node.wait_until_it_answers()
        for node in self.nodes:
            node.wait_until_it_is_ready()

    def end_lease(self, name: str) -> None:
        """Let the lease of a node run out in this moment."""

        async def end() -> None:
            client = await nats.connect(self.broker.address)
            stream, manager = f"KV_{LEASES}", client.jetstream()
            kept = await manager.get_last_msg(stream, f"$KV.{LEASES}.{name}.*")
            await manager.delete_msg(stream, int(kept.seq or 0))
            await client.close()

        act(end)

    def stop(self) -> None:
        for node in self.nodes:
            if node.is_up:
                node.thaw()
                node.kill()
            node.sockets.close()  # now, or each would wait for the node to say goodbye
        self.broker.stop()


class GuardedHouse(House):
    """A house in which each node has a user at the broker; one more user reads everything."""

    def _new_broker(self, folder: Path, names: list[str]) -> BrokerProcess:
        self._passwords = {name: secrets.token_hex(8) for name in (*names, "tap")}
        nodes = {name: self._passwords[name] for name in names}
        comment, told = credentials.configuration(nodes).split("authorization: ")
        users = json.loads(told)["users"]
        users.append({"user": "tap", "password": self._passwords["tap"]})
        authorization = json.dumps({"users": users})
        return BrokerProcess(folder, f"{comment}authorization: {authorization}\n")

    def broker_of(self, name: str) -> str:
        return f"nats://{name}:{self._passwords[name]}@127.0.0.1:{self.broker.port}"


class WireTap:
    """All that passes between nodes while it is open, with its subjects; no node can read it."""

    def __init__(self, broker: str) -> None:
        self._broker = broker
        self._loop = asyncio.new_event_loop()
        self.texts: list[tuple[str, bytes]] = []

    @property
    def letters(self) -> list[tuple[str, wire.Letter]]:
        """Those between nodes with tables."""
        return [
            (subject, wire.decode(text))
            for subject, text in self.texts
            if subject == EVERYONE or subject.startswith(f"{PREFIX}.to.")
        ]

    @property
    def messages(self) -> list[tuple[str, wire.AnyMessage]]:
        return [(subject, each) for subject, letter in self.letters for each in letter.messages]

    async def _listen(self) -> None:
        self._client = await nats.connect(self._broker)

        async def hear(message: Any) -> None:
            if message.data:
                self.texts.append((message.subject, message.data))

        await self._client.subscribe(f"{PREFIX}.>", cb=hear)
        await self._client.flush()

    def __enter__(self) -> WireTap:
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(WAIT_TIMEOUT_S)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._client.drain(), self._loop).result(WAIT_TIMEOUT_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def stored_events(home: Home, table: str) -> list[Any]:
    """Every event of a table in the order in which it is stored."""
    rows = home.read('SELECT place, body FROM events WHERE "table" = ? ORDER BY place', table)
    assert [place for place, _ in rows] == list(range(len(rows)))
    return [json.loads(body) for _, body in rows]


def play_on(sockets: list[Socket], moves: int | None = None) -> Any:
    """Let those who are awaited play their first legal move, to the end or this many moves."""
    made = 0
    while moves is None or made < moves:
        ready = [one for one in sockets if _may_play(one.wait(lambda u: bool(u["match"])))]
        if sockets[0].latest["match"]["over"]:
            break
        if not ready:  # a race that begins when its alarm rings
            assert sockets[0].latest["match"]["alarm"] >= 0
            sockets[0].wait_beyond(sockets[0].latest["version"])
            continue
        play_one(ready[0], sockets)
        made += 1
    return sockets[0].latest


def play_one(player: Socket, sockets: list[Socket]) -> None:
    """Make one move, and wait until everyone has seen it."""
    version = max(one.latest["version"] for one in sockets)
    id_ = player.request("play", move=player.latest["match"]["legal"][0])
    reply = player.reply(id_)
    assert reply["done"], reply
    for one in sockets:
        one.wait_beyond(version)


def _may_play(seen: Any) -> bool:
    match = seen["match"]
    return bool(match["viewer"] in match["awaited"] and match["legal"])
