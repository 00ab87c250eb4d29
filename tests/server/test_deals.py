"""The same deal for another try, at this table or another, and the shuffle that nobody chose."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import pytest

from halls import BOB, EVE, HOST, Hall, contents
from ludotheque.engine import chance
from ludotheque.engine.game import load, slugs
from ludotheque.engine.match import Match
from ludotheque.server import messages
from ludotheque.server.player import Player
from ludotheque.server.store import Store
from ludotheque.server.tables import NotFound, Tables
from people import NewPerson, Person
from scenes import act

LIMITED = {"ubongo": {"time_limit": 5, "countdown": 0}}  # so that random races end


def hall_of(slug: str, seats: int) -> Hall:
    return Hall(slug, seats, **LIMITED.get(slug, {}))


async def played(hall: Hall, seed: object) -> Match:
    await hall.must(HOST, messages.Start())
    if hall.match.game.timed:
        return await race(hall)
    return await hall.play_out(Random(str(seed)))


async def race(hall: Hall) -> Match:
    """Play rounds in which everyone agrees to stop at once, some after laying a card."""
    game = hall.match.game
    while not hall.match.is_over:
        for seat in hall.match.awaited():
            for text in ("ready", "stop"):
                await hall.ask(HOST, messages.Play(game.parse(seat, text), seat))
    return hall.match


def is_replayed(hall: Hall) -> bool:
    return hall.table.replay is not None


def draws_by_name(match: Match) -> dict[int, tuple[int, int]]:
    return {draw.name: (draw.cases, draw.case) for draw in match.draws()}


@pytest.mark.parametrize("slug", [slug for slug in slugs() if load(slug).has_chance])
def test_the_same_deal_is_dealt_again_whatever_people_do(slug: str) -> None:
    async def scene() -> None:
        hall = hall_of(slug, max(2, load(slug).seats[0]))
        await hall.host_takes_every_seat()
        first = await played(hall, "one way")
        for attempt in range(3):
            await hall.must(HOST, messages.Again(same_deal=True))
            again = await played(hall, attempt)
            before, now = draws_by_name(first), draws_by_name(again)
            common = [name for name in now if name in before and now[name][0] == before[name][0]]
            assert len(common) > 5
            assert all(now[name] == before[name] for name in common)

    act(scene)


@pytest.mark.parametrize("slug", slugs())
def test_the_same_deal_with_another_number_of_seats_is_played_to_its_end(slug: str) -> None:
    async def scene() -> None:
        seats = load(slug).seats
        hall = hall_of(slug, seats[-1])
        await hall.host_takes_every_seat()
        await played(hall, "one way")
        await hall.must(HOST, messages.Again(same_deal=True))
        await hall.must(HOST, messages.Set(seats=max(2, seats[0])))
        assert (await played(hall, "another")).is_over

    act(scene)


def test_another_game_is_dealt_freshly() -> None:
    async def scene() -> None:
        hall = hall_of("stupide_vautour", 2)
        await hall.host_takes_every_seat()
        first = await played(hall, "")
        await hall.must(HOST, messages.Again(same_deal=True))
        assert is_replayed(hall)
        await hall.must(HOST, messages.Set(game="whats_up"))
        assert not is_replayed(hall)
        assert (await played(hall, "")).seeds != first.seeds

    act(scene)


def test_a_new_deal_after_a_replay_is_new_and_played_by_the_usual_rules() -> None:
    async def scene() -> None:
        hall = hall_of("team_up", 2)
        await hall.host_takes_every_seat()
        first = await played(hall, 1)
        await hall.must(HOST, messages.Again(same_deal=True))
        await played(hall, 2)
        await hall.must(HOST, messages.Again())
        assert (hall.table.replay, hall.table.settings.options["mode"]) == (None, "normal")
        assert (await played(hall, 3)).seeds != first.seeds

    act(scene)


def test_a_host_may_have_a_new_deal_instead_of_the_replay() -> None:
    async def scene() -> None:
        hall = hall_of("team_up", 2)
        await hall.host_takes_every_seat()
        first = await played(hall, 1)
        await hall.must(HOST, messages.Again(same_deal=True))
        await hall.must(HOST, messages.Again())
        assert not is_replayed(hall)
        assert hall.table.settings.options["mode"] == "normal"
        assert (await played(hall, 1)).seeds != first.seeds

    act(scene)


def test_a_challenge_keeps_the_best_score_of_all_attempts() -> None:
    async def scene() -> None:
        hall = hall_of("team_up", 2)
        await hall.host_takes_every_seat()
        scores = [(await played(hall, 0)).scores[0]]
        for attempt in range(1, 4):
            await hall.must(HOST, messages.Again(same_deal=True))
            assert (hall.table.settings.options["mode"], hall.table.settings.options["target"]) == (
                "challenge",
                max(scores),
            )
            match = await played(hall, attempt)
            scores.append(match.scores[0])
            relation = (scores[-1] > max(scores[:-1])) - (scores[-1] < max(scores[:-1]))
            assert (
                match.game.verdict(match.state) == ("equalled", "beaten", "not_reached")[relation]
            )
        told = [result.scores[0] for result in hall.table.results_of(hall.table.deal)]
        assert told == scores

    act(scene)


async def team_hall(*players: Player) -> Hall:
    """A table at which a team has played a deal, and is about to play it again."""
    hall = hall_of("team_up", 2)
    for player in players:
        await hall.must(player, messages.Sit())
    await agree_to_stop(hall, *players)
    await hall.must(HOST, messages.Again(same_deal=True))
    return hall


async def agree_to_stop(hall: Hall, *players: Player) -> None:
    await hall.must(HOST, messages.Start())
    while not hall.match.is_over:
        seat = hall.match.awaited()[0]
        legal = [hall.match.game.notation(seat, move) for move in hall.match.legal_moves(seat)]
        move = "stop" if "stop" in legal else "agree"
        await hall.must(players[seat], messages.Play(move, seat))


def mode_of(hall: Hall) -> object:
    return hall.table.settings.options["mode"]


def test_the_same_people_are_challenged_in_whatever_seats() -> None:
    async def scene() -> None:
        hall = await team_hall(HOST, BOB)
        for player in (HOST, BOB):
            await hall.must(player, messages.Leave())
        for player in (BOB, HOST):
            await hall.must(player, messages.Sit())
        await agree_to_stop(hall, BOB, HOST)
        assert hall.match.options["mode"] == "challenge"

    act(scene)


def test_with_somebody_else_in_the_team_the_same_deal_is_a_competition() -> None:
    async def scene() -> None:
        hall = await team_hall(HOST, BOB)
        assert mode_of(hall) == "challenge"
        await hall.must(BOB, messages.Leave())
        await hall.must(EVE, messages.Sit())
        assert mode_of(hall) == "competition"
        await agree_to_stop(hall, HOST, EVE)
        assert hall.match.options["mode"] == "competition"
        await hall.must(HOST, messages.Again(same_deal=True))
        assert mode_of(hall) == "challenge"
        await hall.must(EVE, messages.Leave())
        assert mode_of(hall) == "competition"
        await hall.must(BOB, messages.Sit())
        assert mode_of(hall) == "challenge"
        assert contents(hall.stored()) == contents(hall.table)

    act(scene)


def test_with_a_bot_for_somebody_the_same_deal_is_a_competition() -> None:
    async def scene() -> None:
        hall = await team_hall(HOST, BOB)
        await hall.must(BOB, messages.Leave())
        await hall.must(HOST, messages.Start())
        assert hall.match.options["mode"] == "competition"

    act(scene)


def test_people_who_share_a_device_are_told_apart() -> None:
    async def scene() -> None:
        hall = hall_of("team_up", 2)
        await hall.host_takes_every_seat()
        await agree_to_stop(hall, HOST, HOST)
        await hall.must(HOST, messages.Again(same_deal=True))
        await hall.must(HOST, messages.Leave(1))
        await hall.must(HOST, messages.Sit(name="Somebody else"))
        assert mode_of(hall) == "competition"

    act(scene)


def test_a_puzzle_stays_a_puzzle_with_any_team() -> None:
    async def scene() -> None:
        hall = Hall("team_up", 2, mode="puzzle")
        for player in (HOST, BOB):
            await hall.must(player, messages.Sit())
        await agree_to_stop(hall, HOST, BOB)
        await hall.must(HOST, messages.Again(same_deal=True))
        await hall.must(BOB, messages.Leave())
        await hall.must(EVE, messages.Sit())
        assert mode_of(hall) == "puzzle"

    act(scene)


@pytest.mark.parametrize("mode", ["challenge", "competition"])
def test_a_challenge_without_an_earlier_match_is_refused(person: NewPerson, mode: str) -> None:
    ann = person("Ann")
    wish = {"game": "team_up", "options": {"mode": mode}}
    status, problem = ann.call("POST", "/api/tables", wish)
    assert status == 400
    assert "only playing an earlier deal again" in problem["error"]
    table = ann.open_table("team_up")
    status, problem = ann.do(table, "set", options={"mode": mode})
    assert status == 409
    assert "only playing an earlier deal again" in problem["error"]
    assert ann.do(table, "set", options={"mode": "puzzle"})[0] == 200


# Between tables


def with_tables(tmp_path: Path, scene: Callable[[Tables], Coroutine[Any, Any, None]]) -> None:
    async def stage() -> None:
        store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
        await store.open()
        tables = Tables(store)
        await scene(tables)
        tables.close()
        await store.close()

    act(stage)


async def solo(tables: Tables, player: Player, wish: messages.NewTable, seed: int) -> str:
    """A match of one person at a table of their own; returns the table's id."""
    table_id = await tables.open(player, wish)
    owner, rng, count = await tables.owner(table_id), Random(seed), 0
    command: messages.AnyCommand = messages.Start()
    while True:
        count += 1
        reply = await owner.answer(player, messages.Request(str(count), command))
        assert reply.done, reply.error
        match = owner.stored.match
        assert match is not None
        if match.is_over:
            return table_id
        command = messages.Play(rng.choice(match.legal_moves(0)), 0)


def test_a_shared_deal_is_played_by_others_for_the_score_to_beat(tmp_path: Path) -> None:
    async def scene(tables: Tables) -> None:
        first = await solo(tables, HOST, messages.NewTable(game="team_up", seats=1), 1)
        deal = await tables.share_deal(first, HOST)
        assert deal == await tables.share_deal(first, HOST)
        shared = await tables.deal(deal)
        score = shared.attempts[0].scores[0]
        assert (shared.game, shared.seats, shared.attempts[0].names) == ("team_up", 1, ["Hana"])
        assert (shared.options["mode"], shared.options["target"]) == ("competition", score)
        second = await solo(tables, BOB, messages.NewTable(game="team_up", seats=1, deal=deal), 2)
        here, there = (await tables.owner(first)).stored, (await tables.owner(second)).stored
        assert here.match is not None
        assert there.match is not None
        assert here.match.seeds == there.match.seeds
        assert there.replay is not None
        assert [attempt.names for attempt in there.replay.attempts] == [["Hana"]]
        third = await tables.open(BOB, messages.NewTable(game="team_up", deal=deal))
        assert len((await tables.owner(third)).stored.seats) == 1
        told = (await tables.owner(third)).info().replay
        assert told is not None
        assert [attempt.names for attempt in told] == [["Hana"], ["Bob"]]

    with_tables(tmp_path, scene)


def test_a_team_that_follows_the_link_of_its_own_deal_is_challenged(tmp_path: Path) -> None:
    async def scene(tables: Tables) -> None:
        first = await solo(tables, HOST, messages.NewTable(game="team_up", seats=1), 1)
        deal = await tables.share_deal(first, HOST)
        modes = {}
        for player in (HOST, BOB):
            table = await tables.open(player, messages.NewTable(game="team_up", deal=deal))
            modes[player] = (await tables.owner(table)).stored.settings.options["mode"]
        assert modes == {HOST: "challenge", BOB: "competition"}

    with_tables(tmp_path, scene)


def test_a_deal_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    async def scene(tables: Tables) -> None:
        with pytest.raises(NotFound, match="there is no deal 'x'"):
            await tables.deal("x")

    with_tables(tmp_path, scene)


def test_a_deal_brings_its_own_options(person: NewPerson) -> None:
    ann = person("Ann")
    _, shared = ann.call("POST", f"/api/tables/{finished(ann)}/deal")
    wish = {"game": "stupide_vautour", "deal": shared["id"], "options": {"ties": "unmatched"}}
    status, problem = ann.call("POST", "/api/tables", wish)
    assert (status, problem["error"][:30]) == (400, "a deal brings its own options;")


def test_the_link_of_a_deal_tells_neither_its_table_nor_its_seeds(person: NewPerson) -> None:
    ann = person("Ann")
    table = finished(ann)
    _, shared = ann.call("POST", f"/api/tables/{table}/deal")
    status, told = ann.call("GET", f"/api/deals/{shared['id']}")
    _, proof = ann.call("GET", f"/api/tables/{table}/proof")
    assert status == 200
    assert table not in str(told)
    assert proof["server_seed"] not in str(told)


def test_those_who_play_a_deal_of_others_are_not_told_its_seeds(person: NewPerson) -> None:
    """Or else anybody with the link could look at every card that is still to come."""
    ann, eve = person("Ann"), person("Eve")
    table = ann.open_table("team_up", seats=1)
    ann.do(table, "start")
    assert ann.do(table, "play", move="stop")[0] == 200
    _, shared = ann.call("POST", f"/api/tables/{table}/deal")
    other = eve.open_table("team_up", deal=shared["id"])
    eve.do(other, "start")
    assert eve.do(other, "play", move="stop")[0] == 200
    status, problem = eve.call("GET", f"/api/tables/{other}/proof")
    assert status == 403
    assert "others may still play it" in problem["error"]
    assert "seeds" not in eve.call("GET", f"/api/tables/{other}/match")[1]
    assert "seeds" in ann.call("GET", f"/api/tables/{table}/match")[1]


# Fair shuffles


def finished(ann: Person) -> str:
    """A table at which Ann has played both seats to the end, with a seed of hers in the shuffle."""
    table = ann.open_table("stupide_vautour", seats=2)
    ann.do(table, "sit", name="Bo")
    commitment = ann.look(table)["table"]["commitment"]
    assert ann.do(table, "contribute", seed="ab" * 16, commitment=commitment)[0] == 200
    ann.do(table, "start")
    for value in range(1, 16):
        for seat in (0, 1):
            ann.do(table, "play", move=value, seat=seat)
    return table


def test_the_shuffle_is_bound_before_and_shown_after_the_match(person: NewPerson) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour", seats=2)
    before = ann.look(table)["table"]
    assert before["contributors"] == []
    commitment = before["commitment"]
    assert ann.do(table, "contribute", seed="cd" * 16, commitment=commitment)[0] == 200
    assert ann.look(table)["table"]["contributors"] == [ann.id]
    ann.do(table, "sit", name="Bo")
    ann.do(table, "start")
    assert ann.look(table)["table"]["commitment"] == commitment
    assert ann.call("GET", f"/api/tables/{table}/proof")[0] == 409
    for value in range(1, 16):
        for seat in (0, 1):
            ann.do(table, "play", move=value, seat=seat)
    status, proof = ann.call("GET", f"/api/tables/{table}/proof")
    assert status == 200
    server = bytes.fromhex(proof["server_seed"])
    assert chance.commitment(server) == proof["commitment"] == commitment
    assert proof["client_seeds"] == ["cd" * 16]
    key = chance.Seeds(server, (bytes.fromhex("cd" * 16),)).key
    assert len(proof["draws"]) == 15
    for name, cases, case in proof["draws"]:
        assert chance.case_of(key, name, cases) == case


def test_a_contribution_is_for_the_shuffle_it_was_made_for(person: NewPerson) -> None:
    ann, eve = person("Ann"), person("Eve")
    table = ann.open_table("stupide_vautour", seats=2)
    commitment = ann.look(table)["table"]["commitment"]
    for player, seed, bound, complaint in (
        (ann, "ab" * 16, "x", "this is not the shuffle of the next match"),
        (ann, "xyz", commitment, "a seed has 32 hexadecimal digits"),
        (eve, "ab" * 16, commitment, "only those who sit at the table"),
    ):
        status, reply = player.do(table, "contribute", seed=seed, commitment=bound)
        assert status == 409
        assert complaint in reply["error"]


def test_every_match_has_a_commitment_of_its_own(person: NewPerson) -> None:
    ann = person("Ann")
    table = finished(ann)
    before = ann.look(table)["table"]["commitment"]
    ann.do(table, "again")
    after = ann.look(table)["table"]
    assert after["commitment"] != before
    assert after["contributors"] == []
