"""Another match: who asks for it, when it begins, and how everyone has fared so far."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from halls import BOB, EVE, HOST, Hall, contents
from ludotheque.server import autoplay, messages
from ludotheque.server.events import Said, decode, encode
from ludotheque.server.player import Player
from ludotheque.server.snapshot import Connection
from scenes import act

SEEDS = {HOST.id: "0a" * 16, BOB.id: "0b" * 16}


async def finished(game: str = "stupide_vautour", *guests: Player) -> Hall:
    """A match of the host and these guests that is over."""
    players = (HOST, *guests)
    hall = Hall(game, max(2, len(players)))
    for player in players:
        await hall.must(player, messages.Sit())
    await hall.must(HOST, messages.Start())
    await play_out(hall, players)
    return hall


async def play_out(hall: Hall, players: tuple[Player, ...]) -> None:
    rng = Random(7)
    while not hall.match.is_over:
        seat = hall.match.awaited()[0]
        await hall.must(players[seat], messages.Play(hall.random_move(seat, rng), seat))


async def come(hall: Hall, *players: Player) -> None:
    for player in players:
        hall.owner.join(Connection(player, lambda snapshot: None), messages.Hello())
    await hall.ask(players[0], messages.Say("here"))  # a round has passed: they are in


async def contribute(hall: Hall, player: Player) -> None:
    command = messages.Contribute(SEEDS[player.id], hall.table.commitment)
    await hall.must(player, command)


def test_the_wish_of_a_guest_is_shown_and_waits_for_the_host() -> None:
    async def scene() -> None:
        hall = await finished("stupide_vautour", BOB)
        await come(hall, HOST, BOB)
        await hall.must(BOB, messages.Rematch())
        assert hall.owner.info().wishes == [BOB.id]
        assert hall.table.status == "over"
        await hall.must(BOB, messages.Rematch(wanted=False))
        assert hall.owner.info().wishes == []

    act(scene)


def test_a_match_begins_when_everyone_present_asks_for_it() -> None:
    async def scene() -> None:
        hall = await finished("stupide_vautour", BOB)
        await come(hall, BOB)
        await hall.must(BOB, messages.Rematch())
        assert hall.owner.info().is_beginning
        await contribute(hall, BOB)
        assert (hall.table.status, hall.table.matches) == ("playing", 2)
        assert hall.table.wishes == ()
        assert contents(hall.stored()) == contents(hall.table)

    act(scene)


def test_the_host_begins_at_once_and_everyone_present_adds_to_the_shuffle() -> None:
    async def scene() -> None:
        hall = await finished("stupide_vautour", BOB)
        await come(hall, HOST, BOB)
        await hall.must(HOST, messages.Rematch())
        assert hall.table.status == "gathering"
        await contribute(hall, HOST)
        assert hall.table.status == "gathering"
        await contribute(hall, BOB)
        assert hall.table.status == "playing"
        assert hall.match.seeds is not None
        assert [seed.hex() for seed in hall.match.seeds.clients] == list(SEEDS.values())

    act(scene)


def test_a_page_that_adds_nothing_does_not_keep_the_others_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(autoplay, "SHUFFLE_SECONDS", 0)

    async def scene() -> None:
        hall = await finished("stupide_vautour", BOB)
        await come(hall, HOST, BOB)
        await hall.must(HOST, messages.Rematch())
        async with asyncio.timeout(30):
            while hall.table.status != "playing":
                await asyncio.sleep(0)
        assert contents(hall.stored()) == contents(hall.table)

    act(scene)


def test_a_leaver_asks_for_nothing_any_more() -> None:
    async def scene() -> None:
        hall = await finished("stupide_vautour", BOB, EVE)
        await come(hall, HOST, BOB, EVE)
        await hall.must(BOB, messages.Rematch())
        await hall.must(BOB, messages.Leave())
        assert hall.table.wishes == ()

    act(scene)


def test_when_the_last_one_who_does_not_ask_leaves_the_others_begin() -> None:
    async def scene() -> None:
        hall = await finished("stupide_vautour", BOB, EVE)
        await come(hall, BOB, EVE)
        await hall.must(BOB, messages.Rematch())
        await hall.must(EVE, messages.Leave())
        assert hall.table.is_beginning

    act(scene)


def test_who_may_ask_for_another_match_and_when() -> None:
    async def scene() -> None:
        hall = await finished("stupide_vautour", BOB)
        assert "only those who sit" in (await hall.ask(EVE, messages.Rematch())).error
        await hall.must(HOST, messages.Rematch())
        assert "no finished match" in (await hall.ask(BOB, messages.Rematch())).error

    act(scene)


def test_the_wins_of_everyone_at_the_table_are_counted() -> None:
    async def scene() -> None:
        hall = await finished("stupide_vautour", BOB)
        await hall.must(HOST, messages.Rematch())
        winners = [hall.table.series[seat].wins for seat in (0, 1)]
        await play_out(hall, (HOST, BOB))
        for seat in hall.match.winners:
            winners[seat] += 1
        told = hall.owner.info().series
        assert [(one.player, one.name, one.matches) for one in told] == [
            (HOST.id, "Hana", 2),
            (BOB.id, "Bob", 2),
        ]
        assert [one.wins for one in told] == winners
        assert contents(hall.stored()) == contents(hall.table)

    act(scene)


def test_a_match_on_a_known_deal_is_not_counted() -> None:
    async def scene() -> None:
        hall = await finished("stupide_vautour", BOB)
        before = hall.table.series
        await hall.must(HOST, messages.Again(same_deal=True))
        await hall.must(HOST, messages.Start())
        await play_out(hall, (HOST, BOB))
        assert hall.table.series == before
        await hall.must(HOST, messages.Rematch())
        await play_out(hall, (HOST, BOB))
        assert [one.matches for one in hall.table.series] == [2, 2]

    act(scene)


def test_a_team_has_no_series() -> None:
    async def scene() -> None:
        hall = await finished("team_up", BOB)
        assert hall.owner.info().series == []

    act(scene)


def test_a_phrase_is_said_by_its_key_and_only_a_known_one() -> None:
    async def scene() -> None:
        hall = Hall("stupide_vautour", 2)
        await hall.must(HOST, messages.Sit())
        await hall.must(HOST, messages.Say(phrase="well_played"))
        assert hall.table.chat == (Said("Hana", 1, "", "well_played", HOST.id),)
        assert "no phrase" in (await hall.ask(HOST, messages.Say(phrase="shout"))).error

    act(scene)


def test_lines_of_chat_from_before_there_were_phrases_are_read() -> None:
    stored = '{"event":"said","name":"Hana","avatar":1,"text":"hello"}'
    assert decode(stored) == Said("Hana", 1, "hello")
    assert encode(Said("Hana", 1, "hello")) == stored
