"""A decision is all or nothing: whatever is asked, the table is what its stored events make it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from functools import partial
from random import Random
from typing import Any, cast, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from halls import BOB, EVE, HOST, SEED, Hall, Idle, contents
from ludotheque.bots import roster
from ludotheque.engine import chance
from ludotheque.engine.game import load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.refused import Refused
from ludotheque.server import decision, messages
from ludotheque.server.absences import REPLACED_AFTER_S, VOTED_AFTER_S, Absences
from ludotheque.server.autoplay import Act
from ludotheque.server.decision import Decision, any_move
from ludotheque.server.events import decode
from ludotheque.server.group_commit import GroupCommit
from ludotheque.server.manners import ChatPace
from ludotheque.server.owner import FAILED, Owner
from ludotheque.server.player import Player
from ludotheque.server.snapshot import Connection
from ludotheque.server.store import Store, Stored
from ludotheque.server.table import Table
from ludotheque.server.thinkers import Thinkers
from ludotheque.server.turn import Turn
from scenes import Stage, act


def moves_of(table: Table, seat: int) -> list[int]:
    match = table.match
    if match is None or not 0 <= seat < match.seats:
        return []
    return match.legal_moves(seat)[-40:]


@st.composite
def commands(draw: st.DrawFn, hall: Hall) -> messages.AnyCommand:
    """Something to ask for: often possible, sometimes not."""
    table = hall.owner.table
    seat = draw(st.integers(-1, len(table.seats)))
    kind = draw(st.sampled_from(KINDS if table.match is None else (*KINDS, *[messages.Play] * 12)))
    if kind is messages.Play:
        legal = moves_of(table, seat)
        moves = st.sampled_from(legal) if legal else st.integers(-1, 40)
        return messages.Play(draw(st.one_of(moves, moves, st.integers(-2, 70_000))), seat)
    if kind is messages.Set:
        return draw(settings_of_a_table() | manners_of_a_table())
    return draw(SIMPLE[kind](seat))


def settings_of_a_table() -> st.SearchStrategy[messages.AnyCommand]:
    return st.builds(
        messages.Set,
        game=st.none() | st.none() | st.sampled_from((*slugs(), "go")),
        seats=st.none() | st.integers(0, 6),
        options=st.none() | st.sampled_from([{}, {"x": 1}, {"mode": "challenge"}, {"ties": 3}]),
        is_public=st.none() | st.booleans(),
        move_seconds=st.none() | st.sampled_from([-1, 0, 600]),
        hints=st.none() | st.sampled_from(["on", "off", "loud"]),
        asks_host=st.none() | st.booleans(),
        phrases_only=st.none() | st.booleans(),
    )


def manners_of_a_table() -> st.SearchStrategy[messages.AnyCommand]:
    """What a host may change at any time."""
    return st.builds(
        messages.Set,
        asks_host=st.none() | st.booleans(),
        phrases_only=st.none() | st.booleans(),
    )


GUESTS = st.sampled_from([HOST.id, BOB.id, EVE.id, "nobody", "x" * 40])


SIMPLE: dict[type, Callable[[int], st.SearchStrategy[messages.AnyCommand]]] = {
    messages.Sit: lambda seat: st.builds(messages.Sit, st.sampled_from([None, seat])),
    messages.Leave: lambda seat: st.builds(messages.Leave, st.sampled_from([None, seat])),
    messages.Seat: lambda seat: st.builds(
        messages.Seat, st.just(seat), st.sampled_from(["", "novice", "master", "genius"])
    ),
    messages.GiveBack: lambda seat: st.just(messages.GiveBack(seat)),
    messages.Replace: lambda seat: st.just(messages.Replace(seat)),
    messages.LetIn: lambda _: st.builds(messages.LetIn, GUESTS),
    messages.Remove: lambda _: st.builds(messages.Remove, GUESTS),
    messages.Mute: lambda _: st.builds(messages.Mute, GUESTS, st.booleans()),
    messages.Contribute: lambda _: st.builds(
        messages.Contribute,
        st.sampled_from(["ab" * 16, "zz", ""]),
        st.sampled_from([chance.commitment(bytes.fromhex(SEED)), ""]),
    ),
    messages.ShuffleSeats: lambda _: st.just(messages.ShuffleSeats()),
    messages.Start: lambda _: st.builds(messages.Start, st.sampled_from(["", "novice", "genius"])),
    messages.Again: lambda _: st.builds(messages.Again, st.booleans()),
    messages.Rematch: lambda _: st.builds(messages.Rematch, st.booleans()),
    messages.Say: lambda _: st.builds(
        messages.Say,
        st.sampled_from(["hello", "", "x" * 400]),
        st.sampled_from(["", "", "thanks", "no such phrase"]),
    ),
}
KINDS = (*SIMPLE, messages.Set)
ACTS: tuple[Act, ...] = (
    Decision.play_for_the_late,
    Decision.let_chance_act,
    Decision.begin_rematch,
    lambda decision: decision.give_up_seats(BOB.id),
    lambda decision: decision.rename(Player(BOB.id, "Robert", 4)),
    lambda decision: decision.note_hint(0, decision.table.matches),
)


class Evening:
    """A table at which commands, clocks, comings and goings are drawn."""

    def __init__(self, hall: Hall, data: st.DataObject) -> None:
        self.hall = hall
        self._draw = data.draw
        self._connections: dict[Player, Connection] = {}
        self._now = 0.0
        hall.owner._absences = Absences(clock=lambda: self._now)

    def go_on(self) -> Coroutine[Any, Any, messages.Reply]:
        """What happens next: drawn at once, to be done on the table's loop."""
        happening = self._draw(st.sampled_from([*["ask"] * 8, "act", "come or go", "wait"]))
        if happening == "act":
            seconds = self._draw(st.sampled_from([0.0, 1.0, 1000.0]))
            return self.hall.let_act(self._draw(st.sampled_from(ACTS)), seconds)
        player = self._draw(st.sampled_from([HOST, HOST, BOB, EVE]))
        if happening == "wait":
            self._now += self._draw(st.sampled_from([VOTED_AFTER_S, REPLACED_AFTER_S]))
        command = self._draw(commands(self.hall))
        return self._ask(player, command, comes_or_goes=happening == "come or go")

    async def _ask(
        self, player: Player, command: messages.AnyCommand, comes_or_goes: bool
    ) -> messages.Reply:
        if comes_or_goes:
            self._come_or_go(player)
        return await self.hall.ask(player, command)

    def _come_or_go(self, player: Player) -> None:
        known = self._connections.pop(player, None)
        if known is not None:
            self.hall.owner.part(known)
        else:
            self._connections[player] = Connection(player, lambda _: None)
            self.hall.owner.join(self._connections[player], messages.Hello())


def first_move(match: Match, seat: int) -> int:
    return match.legal_moves(seat)[0]


def test_every_command_is_drawn() -> None:
    assert {*KINDS, messages.Play} == set(get_args(messages.AnyCommand))


@pytest.mark.parametrize("slug", slugs())
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_after_every_command_the_table_is_what_its_stored_events_make_it(
    slug: str, data: st.DataObject
) -> None:
    with Stage() as stage, pytest.MonkeyPatch.context() as patch:
        # What is drawn decides what can be asked for, so it must be the same in every run.
        patch.setattr(decision, "new_server_seed", lambda: bytes.fromhex(SEED))
        patch.setattr(secrets, "SystemRandom", lambda: Random(1))
        patch.setattr(decision, "any_move", first_move)
        hall = stage.do(opened(slug))
        evening = Evening(hall, data)
        for _ in range(40):
            before = contents(hall.table)
            reply = stage.do(evening.go_on())
            assert reply.error != FAILED
            if not reply.done:
                assert contents(hall.table) == before
            assert contents(hall.stored()) == contents(hall.table)
        stage.do(closed(hall))


async def opened(slug: str) -> Hall:
    return Hall(slug, load(slug).seats[-1])


async def closed(hall: Hall) -> None:
    hall.owner.close()
    await asyncio.sleep(0)


def test_a_move_whose_draw_fails_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise RuntimeError("no luck today")

    async def scene() -> None:
        hall = Hall("stupide_vautour", 2)
        for player in (HOST, BOB):
            assert (await hall.ask(player, messages.Sit())).done
        assert (await hall.ask(HOST, messages.Start())).done
        assert (await hall.ask(HOST, messages.Play(7))).done
        before = contents(hall.owner.table)
        monkeypatch.setattr(chance, "draw", fail)
        assert (await hall.ask(BOB, messages.Play(9))).error == FAILED
        assert contents(hall.owner.table) == before == contents(hall.stored())
        monkeypatch.undo()
        assert (await hall.ask(BOB, messages.Play(9))).done
        assert hall.owner.table.match is not None
        assert hall.owner.table.match.state.rounds == 2

    act(scene)


def test_a_start_that_fails_leaves_no_bots_and_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise RuntimeError("no luck today")

    async def scene() -> None:
        hall = Hall("whats_up", 4)
        before = contents(hall.owner.table)
        monkeypatch.setattr(chance, "draw", fail)
        assert (await hall.ask(HOST, messages.Start())).error == FAILED
        assert contents(hall.owner.table) == before
        assert hall.memory.rows == []

    act(scene)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_when_the_move_clock_runs_out_in_team_up_the_team_goes_on(
    monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    """A seat that is moved for may take the others' turn away: a refusal ends a vote."""

    async def scene() -> None:
        hall = Hall("team_up", seats)
        await hall.host_takes_every_seat()
        assert (await hall.ask(HOST, messages.Start())).done
        stop = load("team_up").parse(0, "stop")
        assert (await hall.ask(HOST, messages.Play(stop, 0))).done
        for _ in range(6):
            await time_out(hall)
        assert contents(hall.stored()) == contents(hall.owner.table)

    async def time_out(hall: Hall) -> None:
        hall.owner._act(Decision.play_for_the_late)
        await hall.must(HOST, messages.Say("on we go"))

    act(scene)


@pytest.mark.parametrize("slug", ["up_and_down", "whats_up", "team_up", "stupide_vautour"])
def test_the_move_clock_moves_only_for_people_who_were_awaited(slug: str) -> None:
    async def scene() -> None:
        hall = Hall(slug, 3)
        for player in (HOST, BOB):
            await hall.must(player, messages.Sit())
        await hall.must(HOST, messages.Seat(2, roster.NOVICE))
        await hall.must(HOST, messages.Start())
        for _ in range(5):
            awaited, before = hall.match.awaited(), len(hall.match.log)
            late = [seat for seat in awaited if seat != 2]
            decision = Decision(hall.table, None)
            decision.play_for_the_late()
            assert decision.table.match is not None
            moved = [entry.seat for entry in decision.table.match.log[before:] if entry.seat >= 0]
            assert moved == late[: len(moved)]
            assert len(moved) == len(late) or slug == "team_up"
            seat = awaited[0]
            hall.owner.table = Decision(hall.table, None).table
            hall.match.play(seat, any_move(hall.match, seat))
            if hall.match.is_over:  # a random team may agree to stop
                return

    act(scene)


def test_a_host_cannot_change_what_a_replay_sets() -> None:
    async def scene() -> None:
        hall = Hall("team_up", 1)
        await hall.host_takes_every_seat()
        await hall.must(HOST, messages.Start())
        await hall.play_out(Random(1))
        best = hall.match.scores[0]
        await hall.must(HOST, messages.Again(same_deal=True))
        wish = {"mode": "competition", "target": -60, "ceiling": "five layers"}
        await hall.must(HOST, messages.Set(options=wish))
        options = hall.table.settings.options
        assert (options["mode"], options["target"]) == ("challenge", best)
        assert options["ceiling"] == "five layers"

    act(scene)


def test_a_command_that_changes_nothing_is_refused() -> None:
    async def scene() -> None:
        hall = Hall("stupide_vautour", 2)
        reply = await hall.ask(HOST, messages.Seat(1, ""))
        assert reply.error == "seat 1 is empty already"

    act(scene)


def test_a_bots_answer_to_an_earlier_position_is_not_played() -> None:
    async def scene() -> None:
        hall = Hall("stupide_vautour", 2)
        await hall.must(HOST, messages.Sit())
        await hall.must(HOST, messages.Seat(1, roster.NOVICE))
        await hall.must(HOST, messages.Start())
        hall.owner._act(partial(hall.owner._autoplay._play, 3, Turn(1, 1, 5)))
        await hall.must(HOST, messages.Say("too late"))
        assert hall.match.state.bids[1] == 0
        hall.owner._act(partial(hall.owner._autoplay._play, 3, Turn(1, 1, 0)))
        await hall.must(HOST, messages.Say("in time"))
        assert hall.match.state.bids[1] == 3
        hall.owner.close()

    act(scene)


def test_a_hint_is_noted_in_the_match_it_was_asked_for_or_not_at_all() -> None:
    async def scene() -> None:
        hall = Hall("stupide_vautour", 2)
        await hall.host_takes_every_seat()
        await hall.must(HOST, messages.Start())
        await hall.owner._note_hint(1, 1, "h one hint")
        assert hall.table.advised == [0, 1]
        await hall.play_out(Random(1))
        await hall.must(HOST, messages.Again())
        await hall.must(HOST, messages.Start())
        with pytest.raises(Refused, match="is over"):
            await hall.owner._note_hint(1, 1, "h two hint")
        assert hall.table.advised == [0, 0]

    act(scene)


def test_a_bot_that_fails_does_not_freeze_the_table() -> None:
    class Clumsy(Idle):
        async def think(self, *_: object) -> Any:
            raise RuntimeError("the bot has a defect")

    async def scene() -> None:
        hall = Hall("stupide_vautour", 2)
        hall.owner._autoplay._thinkers = cast(Thinkers, Clumsy())
        assert (await hall.ask(HOST, messages.Sit())).done
        assert (await hall.ask(HOST, messages.Seat(1, roster.NOVICE))).done
        assert (await hall.ask(HOST, messages.Start())).done
        assert (await hall.ask(HOST, messages.Play(7))).done
        match = hall.owner.table.match
        async with asyncio.timeout(60):
            while match is None or match.state.rounds < 2:
                await asyncio.sleep(0.01)
                match = hall.owner.table.match
        hall.owner.close()

    act(scene)


def test_the_same_id_with_another_command_is_refused() -> None:
    async def scene() -> None:
        hall = Hall("stupide_vautour", 2)
        said = messages.Request("1", messages.Say("hello"))
        assert (await hall.owner.answer(HOST, said)).done
        assert (await hall.owner.answer(HOST, said)).done
        reply = await hall.owner.answer(HOST, messages.Request("1", messages.Say("bye")))
        assert not reply.done
        assert "the request id '1' was used for another command" in reply.error
        assert len(hall.memory.rows) == 1

    act(scene)


def test_what_is_remembered_of_requests_is_the_same_after_a_restart() -> None:
    async def scene() -> None:
        hall = Hall("stupide_vautour", 2)
        requests = [messages.Request(f"r {n}", messages.Say(f"line {n}")) for n in range(505)]
        for request in requests:
            hall.owner._chat_pace = ChatPace()
            assert (await hall.owner.answer(HOST, request)).done
        history = [hall.first] + [Stored(r, decode(body)) for _, _, r, body in hall.memory.rows]
        commits = GroupCommit(cast(Store, hall.memory))
        again = Owner(hall.stored(), history, commits, cast(Thinkers, Idle()))
        for owner in (hall.owner, again):
            count = len(hall.memory.rows)
            assert (await owner.answer(HOST, requests[5])).done
            assert len(hall.memory.rows) == count
        other = messages.Request(requests[504].id, messages.Say("another"))
        assert not (await again.answer(HOST, other)).done

    act(scene)
