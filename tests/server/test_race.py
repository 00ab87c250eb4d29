"""A race between players near and far: what they do counts when they did it.

The sockets are the server's own, down to the frames. Only the wires and the clock are the test's,
so how long anything takes is what the test says.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from halls import BOB, HOST, Hall, contents
from ludotheque.engine.game import load
from ludotheque.server import clock, limits, messages
from ludotheque.server.autoplay import Autoplay
from ludotheque.server.connections import Connections
from ludotheque.server.keepalive import Keepalive
from ludotheque.server.player import Player
from ludotheque.server.proxies import Proxies
from ludotheque.server.sockets import TableSocket
from ludotheque.server.turns import Turns
from scenes import act, until

GAME = load("ubongo")
CALL, READY = GAME.parse(0, "call"), GAME.parse(0, "ready")
SEVEN = [GAME.parse(0, f"{i + 1}:{3 * i},10r0") for i in range(7)]


class Time:
    """A clock that stands still unless it is set; no alarm strikes by itself."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.alarms: list[float] = []  # the seconds after which tables were to act by themselves

    def instant(self) -> float:
        return self.now


class Wire(asyncio.Transport):
    """Where the server writes."""

    def __init__(self, read: Callable[[bytes], object]) -> None:
        super().__init__()
        self._read = read

    def write(self, data: Any) -> None:
        self._read(bytes(data))

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass


class Racer:
    """A player at the other end of a socket, who answers pings when the test says so."""

    def __init__(self, hall: Hall, player: Player) -> None:
        self.pings: list[bytes] = []
        self.replies: dict[str, Any] = {}
        self.is_dropped = False
        self._count = 0
        self._name = player.id
        self._framing = ClientProtocol(parse_uri("ws://127.0.0.1/api/tables/t/socket"))
        state = cast(ServerState, SimpleNamespace(connections=set()))
        services = {"services": services_of(hall, player)}
        self._socket = TableSocket(cast(Config, None), state, services)
        self._socket.connection_made(Wire(self._receive))
        self._framing.send_request(self._framing.connect())
        self._socket.data_received(b"".join(self._framing.data_to_send()))
        self._text({"type": "hello"})

    def play(self, move: int, **claims: object) -> str:
        """Send a move; it is there at once, so `time` is when it arrives."""
        return self.request({"do": "play", "move": move, **claims})

    def request(self, command: dict[str, object], **claims: object) -> str:
        self._count += 1
        id_ = f"{self._name}{self._count}"
        self._text({"type": "request", "id": id_, "command": command, **claims})
        return id_

    async def reply(self, id_: str) -> Any:
        await until(lambda: id_ in self.replies or self.is_dropped)
        return self.replies.get(id_)

    async def must(self, *moves: int) -> None:
        for move in moves:
            reply = await self.reply(self.play(move))
            assert reply["done"], reply

    def pong(self, payload: bytes) -> None:
        self._frame(Opcode.PONG, payload)

    def _text(self, message: dict[str, object]) -> None:
        self._frame(Opcode.TEXT, json.dumps(message).encode())

    def _frame(self, opcode: Opcode, data: bytes) -> None:
        self._socket.data_received(Frame(opcode, data).serialize(mask=True))

    def _receive(self, data: bytes) -> None:
        self._framing.receive_data(data)
        for event in self._framing.events_received():
            if isinstance(event, Frame):
                self._take(event)
        self._framing.data_to_send()  # the protocol would answer pings at once

    def _take(self, frame: Frame) -> None:
        if frame.opcode is Opcode.PING:
            self.pings.append(bytes(frame.data))
        elif frame.opcode is Opcode.CLOSE:
            self.is_dropped = True
        else:
            message = json.loads(bytes(frame.data))
            if message["type"] == "reply":
                self.replies[message["id"]] = message


def services_of(hall: Hall, player: Player) -> object:
    async def reach(table: str) -> object:
        return hall.owner

    async def of(asker: object) -> Player:
        return player

    return SimpleNamespace(
        keepalive=Keepalive(),
        pace=limits.Pace(),
        turns=Turns(),
        connections=Connections(Proxies()),
        tables=SimpleNamespace(reach=reach, is_stopping=""),
        identity=SimpleNamespace(of=of, is_screen_key=lambda key, name: False),
    )


class Scene:
    """Two players who have laid seven cards each, in a race; the near one is as near as can be."""

    def __init__(self, time: Time) -> None:
        self.time = time

    async def begin(self, **options: object) -> None:
        self.hall = Hall("ubongo", 2, **{"countdown": 0, "fair_hands": False, **options})
        await self.hall.must(HOST, messages.Sit())
        await self.hall.must(BOB, messages.Sit())
        self.near, self.far = Racer(self.hall, HOST), Racer(self.hall, BOB)
        await until(lambda: self.hall.owner.info().has_host)
        await self.hall.must(HOST, messages.Start())
        await until(lambda: self.near.pings and self.far.pings)
        self.near.pong(self.near.pings[-1])
        self.started = self.time.now

    async def race(self) -> None:
        await self.near.must(READY)
        await self.far.must(READY)
        self.time.now += 30
        await self.near.must(*SEVEN)
        await self.far.must(*SEVEN[:6])

    def put_far_away(self, round_trip: float) -> None:
        """The pong of the far player comes after this many seconds."""
        self.time.now += round_trip
        self.far.pong(self.far.pings[-1])

    async def finish(self) -> None:
        await self.far.must(SEVEN[6])

    async def near_calls(self) -> None:
        self.time.now += 1
        await self.near.must(CALL)
        self.called = self.time.now

    def at(self, seconds: float) -> None:
        """Set the clock to this many seconds after the call of the near player."""
        self.time.now = self.called + seconds

    @property
    def callers(self) -> int:
        return int(self.hall.match.state.callers)

    @property
    def gap(self) -> int:
        """Milliseconds from the near player's call to the far one's."""
        near, far, *_ = self.hall.match.state.calls
        return int(far - near)


Act = Callable[[Scene], Awaitable[None]]


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(clock, "instant", time.instant)
    monkeypatch.setattr(Autoplay, "_wake", lambda self, seconds, act: time.alarms.append(seconds))
    return time


def played(time: Time, scene: Act, **options: object) -> None:
    async def play() -> None:
        stage = Scene(time)
        await stage.begin(**options)
        await scene(stage)
        stage.hall.owner.close()

    act(play)


def finish_line(time: Time, round_trip: float | None, scene: Act) -> None:
    """Play a scene after both have laid seven cards, and the near one has called."""

    async def play(stage: Scene) -> None:
        if round_trip is not None:
            stage.put_far_away(round_trip)
        await stage.race()
        await stage.finish()
        await stage.near_calls()
        await scene(stage)

    played(time, play)


def test_calls_made_at_the_same_moment_are_equal_however_far_the_callers_are(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.at(0.1)
        await stage.far.must(CALL)
        assert stage.callers == 0b11
        assert abs(stage.gap) <= 1

    finish_line(time, 0.2, scene)


def test_a_far_player_who_called_first_has_called_first(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.at(0.06)
        await stage.far.must(CALL)
        assert -41 <= stage.gap <= -39
        assert stage.hall.match.state.called_at == stage.hall.match.state.calls[1]

    finish_line(time, 0.2, scene)


def test_a_call_made_in_time_counts_though_it_comes_in_after_the_window(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.at(0.34)
        await stage.far.must(CALL)
        assert stage.callers == 0b11

    finish_line(time, 0.2, scene)


def test_a_call_made_after_the_window_is_too_late(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.at(0.36)
        reply = await stage.far.reply(stage.far.play(CALL))
        assert (reply["done"], reply["reason"]) == (False, "too_late")
        assert stage.callers == 0b01

    finish_line(time, 0.2, scene)


def test_a_card_laid_before_the_call_counts_though_it_comes_in_after_it(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.put_far_away(0.2)
        await stage.race()
        await stage.near_calls()
        stage.at(0.09)
        await stage.far.must(SEVEN[6])
        stage.at(0.2)
        await stage.far.must(CALL)
        assert 99 <= stage.gap <= 101

    played(time, scene)


def test_a_card_laid_after_the_call_does_not_count(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.put_far_away(0.2)
        await stage.race()
        await stage.near_calls()
        stage.at(0.11)
        reply = await stage.far.reply(stage.far.play(SEVEN[6]))
        assert (reply["done"], reply["reason"]) == (False, "called")

    played(time, scene)


def test_a_player_who_answers_no_ping_gains_nothing(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.at(0.26)
        reply = await stage.far.reply(stage.far.play(CALL))
        assert reply["reason"] == "too_late"

    finish_line(time, None, scene)


@pytest.mark.parametrize("held", [0.25, 1.0, 1.9])
def test_who_holds_pongs_back_gains_an_eighth_of_a_second_at_most(time: Time, held: float) -> None:
    async def scene(stage: Scene) -> None:
        stage.at(0.38)
        reply = await stage.far.reply(stage.far.play(CALL))
        assert reply["reason"] == "too_late"
        stage.at(0.37)
        await stage.far.must(CALL)
        assert 244 <= stage.gap <= 246

    finish_line(time, held, scene)


def test_pongs_that_answer_no_ping_gain_nothing(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.far.pong(stage.far.pings[-1])
        stage.time.now += 0.25
        for payload in (b"", b"12345678", stage.far.pings[-1], stage.near.pings[-1]):
            stage.far.pong(payload)
        await stage.race()
        await stage.finish()
        await stage.near_calls()
        stage.at(0.26)
        reply = await stage.far.reply(stage.far.play(CALL))
        assert reply["reason"] == "too_late"

    played(time, scene)


def test_one_quick_answer_outweighs_all_that_were_held_back(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.put_far_away(1.0)
        stage.time.now += 2
        await stage.near.must(READY)
        await until(lambda: len(stage.far.pings) == 2)
        stage.far.pong(stage.far.pings[-1])
        stage.time.now += 2
        await stage.far.must(READY)
        await until(lambda: len(stage.far.pings) == 3)
        stage.put_far_away(1.0)
        await stage.near.must(*SEVEN)
        await stage.far.must(*SEVEN)
        await stage.near_calls()
        stage.at(0.26)
        reply = await stage.far.reply(stage.far.play(CALL))
        assert reply["reason"] == "too_late"

    played(time, scene)


CLAIMS: list[dict[str, Any]] = [
    {"at": 0},
    {"made": 1},
    {"time": 0, "now": 0, "delay": 10_000, "clock": 0},
]


@pytest.mark.parametrize("claims", CLAIMS)
def test_a_time_that_a_client_claims_gains_nothing(time: Time, claims: dict[str, Any]) -> None:
    async def scene(stage: Scene) -> None:
        stage.at(0.26)
        reply = await stage.far.reply(stage.far.play(CALL, **claims))
        assert reply is None or not reply["done"]
        assert stage.callers == 0b01

    finish_line(time, 0.0, scene)


def test_a_time_claimed_beside_the_command_or_in_notation_gains_nothing(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.at(0.26)
        written = await stage.far.reply(stage.far.request({"do": "play", "move": "call @1"}))
        assert not written["done"]
        beside = await stage.far.reply(stage.far.request({"do": "play", "move": CALL}, at=1))
        assert beside is None or not beside["done"]
        assert stage.callers == 0b01

    finish_line(time, 0.0, scene)


def test_a_command_over_http_counts_when_it_arrives(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.at(0.26)
        reply = await stage.hall.ask(BOB, messages.Play(CALL, 1))
        assert (reply.done, reply.reason) == (False, "too_late")

    finish_line(time, 0.2, scene)


def test_what_was_decided_late_is_stored_as_it_was_decided(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.at(0.06)
        await stage.far.must(CALL)
        assert contents(stage.hall.stored()) == contents(stage.hall.table)

    finish_line(time, 0.2, scene)


# The alarm


def test_the_count_waits_for_calls_that_may_still_be_on_their_way(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        assert stage.time.alarms[-1] == pytest.approx(0.25 + 0.1, abs=0.002)
        stage.at(0.1)
        await stage.far.must(CALL)
        assert stage.time.alarms[-1] == pytest.approx(0.15, abs=0.002)

    finish_line(time, 0.2, scene)


def test_the_count_waits_no_longer_for_a_client_that_holds_pongs_back(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        assert stage.time.alarms[-1] == pytest.approx(0.25 + 0.125, abs=0.002)

    finish_line(time, 1.9, scene)


def test_among_near_players_the_count_waits_for_nothing(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        assert stage.time.alarms[-1] == pytest.approx(0.25, abs=0.002)

    finish_line(time, 0.0, scene)


def test_the_count_does_not_wait_for_a_player_with_nothing_to_call(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.put_far_away(0.2)
        await stage.race()
        await stage.near_calls()
        assert stage.time.alarms[-1] == pytest.approx(0.25, abs=0.002)

    played(time, scene)


def test_a_countdown_waits_for_nobody(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.put_far_away(0.2)
        await stage.near.must(READY)
        await stage.far.must(READY)
        assert stage.time.alarms[-1] <= 3

    played(time, scene, countdown=3)


def test_the_time_limit_waits_for_what_is_on_its_way(time: Time) -> None:
    async def scene(stage: Scene) -> None:
        stage.put_far_away(0.2)
        await stage.race()
        left = stage.hall.match.game.alarm(stage.hall.match.state) / 1000
        assert stage.time.alarms[-1] == pytest.approx(left + 0.1, abs=0.002)

    played(time, scene, time_limit=60)


# Who is pinged


def test_only_the_players_of_a_race_are_pinged(time: Time) -> None:
    async def pings(game: str) -> list[int]:
        hall = Hall(game, 2)
        await hall.must(HOST, messages.Sit())
        racers = Racer(hall, HOST), Racer(hall, BOB)
        await until(lambda: hall.owner.info().watchers == 1)
        assert [racer.pings for racer in racers] == [[], []]
        await hall.must(HOST, messages.Start())
        await hall.must(HOST, messages.Say("hello"))
        hall.owner.close()
        return [len(racer.pings) for racer in racers]

    assert act(lambda: pings("ubongo")) == [1, 0]
    assert act(lambda: pings("stupide_vautour")) == [0, 0]
