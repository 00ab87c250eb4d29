"""An assistant plays by the Model Context Protocol, and is told what a browser in its seat is."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from websockets.exceptions import ConnectionClosedError

from ludotheque.commands import assistants
from ludotheque.engine.game import load, slugs
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE
from ludotheque.mcp.disguise import Disguise, common_words
from ludotheque.mcp.house import House, away
from ludotheque.mcp.seat import Seat
from ludotheque.mcp.tools import Assistant, server_for
from people import WAIT_TIMEOUT_S, Person, Server, free_port
from scenes import act

SHORT: dict[str, dict[str, Any]] = {
    "ubongo": {"countdown": 0, "fair_hands": False},
    "up_and_down": {"deals": 1},
    "whats_up": {"stall": "eight turns"},
}
MOVES_WATCHED = 8
THEMES = {"vautour", "vulture", "meerkat", "ubongo", "bird", "pallet", "red", "green", "purple"}
THEMES |= {"rose", "feather", "monocle", "hat"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()


def arguments(server: Server, *more: str) -> list[str]:
    return ["-m", "ludotheque", "mcp", "--server", f"http://{server.address}", *more]


class Caller:
    """A client of the protocol: tools called by name."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.heard: list[str] = []

    async def __call__(self, tool: str, **given: Any) -> list[str]:
        result = await self.client.call_tool(tool, given)
        texts = [getattr(block, "text", "") for block in result.content]
        self.heard += texts
        assert not result.is_error, texts
        return texts

    async def error(self, tool: str, **given: Any) -> str:
        result = await self.client.call_tool(tool, given)
        [block] = result.content
        assert result.is_error
        return str(getattr(block, "text", "")).removeprefix(f"Error executing tool {tool}: ")


@asynccontextmanager
async def by_stdio(server: Server, *more: str) -> AsyncIterator[Caller]:
    command = StdioServerParameters(command=sys.executable, args=arguments(server, *more))
    async with Client(stdio_client(command)) as client:
        yield Caller(client)


@asynccontextmanager
async def by_http(server: Server, *more: str) -> AsyncIterator[Caller]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, *arguments(server, "--http", str(port), *more)], stderr=subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(WAIT_TIMEOUT_S):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    await asyncio.sleep(0.05)
                else:
                    writer.close()
                    await writer.wait_closed()
                    break
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            yield Caller(client)
    finally:
        process.terminate()
        process.wait()


@asynccontextmanager
async def in_this_process(server: Server, disguise: Disguise) -> AsyncIterator[Any]:
    """A caller, and its assistant, into whom a test can look."""
    assistant = Assistant(House(f"http://{server.address}", "Ann"), "en", disguise)
    async with Client(server_for(assistant)) as client:
        yield Caller(client), assistant


async def play_on(caller: Caller, rng: Random, most: int = 1000) -> None:
    """Make random legal moves until the match is over, or this many."""
    for _ in range(most):
        if "The match is over" in (await caller("wait", seconds=5))[0]:
            return
        moves = await caller("legal_moves")
        if moves:  # in a race they may be gone
            move = rng.choice(moves[-2:] if "stop" in moves[-1] else moves).partition(": ")[0]
            await caller.client.call_tool("play", {"move": move})


async def meet(host: Caller, guest: Caller, slug: str, game: str = "") -> None:
    opened = await host("open_table", game=game or slug, seats=2, options=SHORT.get(slug))
    await guest("join_table", table=json.loads(opened[0])["code"])
    await host("start_match")


def test_assistants_play_whole_matches_of_every_game_by_stdio_and_by_http(server: Server) -> None:
    async def both() -> None:
        async with by_stdio(server, "--lang", "en") as host, by_http(server) as guest:
            for slug in slugs():
                await meet(host, guest, slug)
                await asyncio.gather(play_on(host, Random(1)), play_on(guest, Random(2)))
                assert json.loads((await host("look"))[-1])["match"]["over"]
                assert (await guest("leave_table")) == ["You have left the table."]

    act(both)


def test_an_assistant_is_told_byte_for_byte_what_a_browser_in_its_seat_is(server: Server) -> None:
    bob = Person(server, "Bob")

    async def watch() -> tuple[list[str], list[str], list[str]]:
        async with in_this_process(server, Disguise(None)) as (caller, assistant):
            opened = json.loads((await caller("open_table", game="stupide_vautour", seats=2))[0])
            bob.do(opened["id"], "sit")
            await caller("start_match")
            browser = Person.__new__(Person)
            browser.server, browser.token = server, assistant.house.token
            socket = browser.connect(opened["id"], plain="en").socket
            first = [str(await asyncio.to_thread(socket.recv, WAIT_TIMEOUT_S))]
            reloaded = Seat(assistant.house, opened["id"], "en")
            await reloaded.open()
            assert reloaded.look() == first
            await reloaded.close()
            await caller("look")
            told: list[str] = []
            for card in range(1, 16):
                bob.do(opened["id"], "play", move=16 - card)
                board, *updates = await caller("play", move=str(card))
                told += updates
                assert json.loads(updates[-1])["plain"]["drawing"] in board
            told += (await caller("wait"))[1:]
            shown: list[str] = []
            while not shown or not json.loads(shown[-1])["match"]["over"]:
                shown.append(str(await asyncio.to_thread(socket.recv, WAIT_TIMEOUT_S)))
            return first, told, shown

    _, told, shown = act(watch)
    unseen = [text for text in told if text not in shown]
    assert unseen == []
    assert len(set(told)) >= 15
    versions = [json.loads(text)["version"] for text in told]
    assert versions == sorted(versions)


@pytest.mark.parametrize("slug", slugs())
def test_in_every_game_each_update_is_one_that_a_browser_gets_byte_for_byte(
    slug: str, server: Server
) -> None:
    """Both sides wait for each other before the next move, so that no update is left out."""
    rng, bob = Random(slug), Person(server, "Bob")

    async def watch() -> tuple[list[str], list[str]]:
        async with in_this_process(server, Disguise(None)) as (caller, assistant):
            wish = {"game": slug, "seats": 2, "options": SHORT.get(slug)}
            table = json.loads((await caller("open_table", **wish))[0])["id"]
            bob.do(table, "sit")
            await caller("start_match")
            browser = Person.__new__(Person)
            browser.server, browser.token = server, assistant.house.token
            socket = browser.connect(table, plain="en").socket
            shown = [str(await asyncio.to_thread(socket.recv, WAIT_TIMEOUT_S))]
            await caller("look")
            told: list[str] = []
            for _ in range(MOVES_WATCHED):
                latest = assistant.seat.latest
                if latest["match"]["over"]:
                    break
                await make_a_move(caller, bob, table, latest["match"]["awaited"], rng)
                while assistant.seat.latest["version"] <= latest["version"]:
                    await caller("wait", seconds=0.1)
                told += (await caller("look"))[1:]
                while json.loads(shown[-1])["version"] < json.loads(told[-1])["version"]:
                    shown.append(str(await asyncio.to_thread(socket.recv, WAIT_TIMEOUT_S)))
            return told, shown

    told, shown = act(watch)
    assert len(set(told)) >= 4
    assert [text for text in told if text not in shown] == []


async def make_a_move(
    caller: Caller, bob: Person, table: str, awaited: list[int], rng: Random
) -> None:
    """One of those who are awaited does something legal."""
    if 0 in awaited:
        moves = await caller("legal_moves")
        await caller("play", move=rng.choice(moves).partition(": ")[0])
    else:
        moves = bob.look(table)["match"]["legal"]
        assert bob.do(table, "play", move=rng.choice(moves))[0] == 200


def test_what_is_refused_is_said_in_the_servers_words(server: Server) -> None:
    async def ask() -> list[str]:
        async with in_this_process(server, Disguise(None)) as (caller, _):
            said = [await caller.error("look")]
            said.append(await caller.error("open_table", game="chess"))
            said.append(await caller.error("join_table", table="nowhere1"))
            opened = json.loads((await caller("open_table", game="whats_up", seats=2))[0])
            said.append(await caller.error("play", move="a1"))
            bob, eve = Person(server, "Bob"), House(f"http://{server.address}", "Eve")
            bob.do(opened["id"], "sit")
            async with Client(server_for(Assistant(eve, "en", Disguise(None)))) as other:
                said.append(await Caller(other).error("join_table", table=opened["code"]))
            bob.do(opened["id"], "say", text="hello there")
            await caller("start_match")
            said.append(await caller.error("play", move="z9"))
            match = json.loads((await caller("look"))[-1])["match"]
            if match["awaited"] == [0]:
                await caller("play", move="a1")
            said.append(await caller.error("play", move="b1"))
            return said

    assert act(ask) == [
        "you are at no table yet: use open_table or join_table first",
        "there is no game 'chess'; the games are: " + ", ".join(slugs()),
        "there is no table 'nowhere1'",
        "no match is being played",
        "every seat is taken",
        "'z9' is not a move in whats_up; such are written like a1, b1, c1",
        "seat 0 may not play b1 now (not your turn); it may play nothing now",
    ]


def test_a_server_that_is_away_is_named() -> None:
    async def ask() -> str:
        assistant = Assistant(House(f"http://127.0.0.1:{free_port()}", "Ann"), "en", Disguise(None))
        async with Client(server_for(assistant)) as client:
            return await Caller(client).error("list_tables")

    said = act(ask)
    assert said.startswith("no server of Ludothèque answers at http://127.0.0.1:")
    assert said.endswith("is it running?")


def test_an_assistant_knocks_once_and_comes_in_when_the_host_lets_it(server: Server) -> None:
    host = Person(server, "Ann")
    table = host.open_table("stupide_vautour", seats=2, asks_host=True)
    window = host.connect(table)

    def is_knocked_at(update: Any) -> bool:
        return bool((update.get("door") or {}).get("waiting"))

    async def knock() -> tuple[list[str], str]:
        async with in_this_process(server, Disguise(None)) as (caller, _):
            said = [await caller.error("join_table", table=table) for _ in range(3)]
            door = await asyncio.to_thread(window.wait, is_knocked_at)
            (guest,) = door["door"]["waiting"]
            assert host.do(table, "let_in", guest=guest["id"])[0] == 200
            return said, (await caller("join_table", table=table))[0]

    said, joined = act(knock)
    assert len(set(said)) == 1
    assert "has not let you in" in said[0]
    assert json.loads(joined)["id"] == table


def test_chat_is_said_and_heard(server: Server) -> None:
    async def talk() -> Any:
        async with in_this_process(server, Disguise(None)) as (caller, _):
            opened = json.loads((await caller("open_table", game="team_up", seats=2))[0])
            assert await caller("say", text="good evening") == ["said"]
            bob = Person(server, "Bob")
            return bob.look(opened["id"])["chat"]

    assert [line["text"] for line in act(talk)] == ["good evening"]


def test_an_assistant_is_told_how_many_updates_it_has_missed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludotheque.mcp.seat.MOST_UNREAD", 3)
    bob = Person(server, "Bob")

    async def play() -> tuple[list[str], list[str], int]:
        async with in_this_process(server, Disguise(None)) as (caller, assistant):
            opened = json.loads((await caller("open_table", game="stupide_vautour", seats=2))[0])
            bob.do(opened["id"], "sit")
            await caller("start_match")
            await caller("look")
            for card in (1, 2, 3):
                bob.do(opened["id"], "play", move=card)
                await assistant.seat.do("play", move=str(card))  # after it has been told
            return await caller("look"), await caller("look"), assistant.seat.latest["version"]

    (board, note, *updates), again, version = act(play)
    assert note == "You did not look in time for 3 updates: only the latest 3 are kept."
    assert [json.loads(update)["version"] for update in updates] == [
        version - 2,
        version - 1,
        version,
    ]
    assert again == [board, updates[-1]]


def test_a_seat_that_has_lost_its_connection_goes_on_where_it_was(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    running = Server(tmp_path_factory.mktemp("data"))

    async def play() -> None:
        async with in_this_process(running, Disguise(None)) as (caller, _):
            await caller("open_table", game="stupide_vautour", seats=2)
            await caller("start_match", bots="chaotic")
            await caller("play", move="7")
            await caller("wait")
            await asyncio.to_thread(running.kill)
            assert "is it running?" in await caller.error("play", move="8")
            await asyncio.to_thread(running.start)
            board, *updates = await caller("play", move="8")
            assert " 7 8 " not in board
            lines = [line for update in updates for line in json.loads(update)["lines"]]
            assert [line["move"] for line in lines if line["seat"] == 0] == [8]

    try:
        act(play)
    finally:
        running.stop()


def test_a_connection_that_breaks_is_told_as_a_server_that_does_not_answer() -> None:
    told = str(away("http://here", ConnectionClosedError(None, None)))
    assert told == (
        "no server of Ludothèque answers at http://here (no close frame received or sent); "
        "is it running?"
    )


# Made-up words


def test_in_disguise_no_word_of_the_themes_is_told_and_notation_is_understood(
    server: Server,
) -> None:
    async def play() -> list[str]:
        heard = []
        async with in_this_process(server, Disguise("7")) as (host, assistant):
            async with in_this_process(server, Disguise("8")) as (guest, _):
                for slug in slugs():
                    await meet(host, guest, slug, assistant.disguise.text(slug))
                    await asyncio.gather(play_on(host, Random(3), 6), play_on(guest, Random(4), 6))
                    await host("rules")
                    await host("list_games")
            heard += host.heard
        return heard

    heard = set(re.findall(r"[^\W\d_]+", " ".join(act(play)).lower()))
    assert len(heard) > 300
    assert {word for word in THEMES if {word, f"{word}s"} & heard} == set()


def test_after_a_restart_made_up_words_of_the_same_seed_are_still_understood(
    server: Server,
) -> None:
    """Nothing has been told yet when the first of them come back."""
    remembered = Disguise("9").text

    async def play() -> list[str]:
        async with in_this_process(server, Disguise("9")) as (caller, assistant):
            options = {remembered("ties"): remembered("unmatched")}
            wish = {"game": remembered("stupide_vautour"), "seats": 2, "options": options}
            await caller("open_table", **wish)
            not_understood = [
                text
                for slug in slugs()
                for seat, move in every_move(load(slug))
                if assistant.disguise.reveal(remembered(text := load(slug).notation(seat, move)))
                != text
            ]
        async with in_this_process(server, Disguise("9")) as (caller, _):
            assert "# " in (await caller("rules", game=remembered("ubongo")))[0]
        return not_understood

    assert act(play) == []


def test_a_move_that_an_assistant_remembers_is_understood_after_a_restart(server: Server) -> None:
    remembered, game = Disguise("9").text, load("up_and_down")
    moves = [game.notation(0, move) for move in range(game.moves)]
    flower = next(text for text in moves if "rose" in text)

    async def play() -> str:
        async with in_this_process(server, Disguise("9")) as (caller, assistant):
            await assistant.house.sign_in()
            wish = {"game": "up_and_down", "seats": 2}
            table = await assistant.house.call("POST", "/api/tables", wish)
            await caller("join_table", table=table["id"])
            await caller("start_match", bots="novice")
            error: str = await caller.error("play", move=remembered(flower))
            return error

    assert f"may not play {remembered(flower)} now" in act(play)


def test_disguised_words_depend_on_the_seed_alone_and_can_be_undone() -> None:
    texts = [
        load(slug).notation(0, move)
        for slug in slugs()
        for move in range(0, 800, 7)
        if move < load(slug).moves
    ]
    one, same, other = Disguise("1"), Disguise("1"), Disguise("2")
    told = [one.text(text) for text in texts]
    assert [same.text(text) for text in reversed(texts)][::-1] == told
    assert [other.text(text) for text in texts] != told
    assert [one.reveal(text) for text in told] == texts
    assert (
        one.text("Vultures, a vulture")
        == f"{one.text('vulture').capitalize()}s, a {one.text('vulture')}"
    )
    assert one.data({"id": "vulture", "vulture": 3}) == {"id": "vulture", one.text("vulture"): 3}


@pytest.mark.parametrize("slug", slugs())
def test_in_disguise_no_letter_of_a_notation_is_the_initial_that_it_was(slug: str) -> None:
    game, disguise = load(slug), Disguise("5")
    texts = {game.notation(seat, move) for seat, move in every_move(game)}
    exchanged = 0
    for text in texts:
        told = disguise.text(text)
        assert disguise.reveal(told) == text
        letters = re.findall(ALONE, text)
        pairs = list(zip(letters, re.findall(ALONE, told), strict=True))
        assert all(real != other for real, other in pairs if real not in "ai")
        exchanged += len(pairs)
    assert (exchanged > 0) == (slug != "stupide_vautour")


ALONE = r"(?<![a-z])[a-z](?![a-z])"


def every_move(game: Any) -> Iterator[tuple[int, int]]:
    yield from ((0, move) for move in range(0, game.moves, 1 + game.moves // 500))
    yield from ((CHANCE, outcome) for outcome in range(game.outcomes))


def test_a_letter_is_exchanged_alike_in_moves_on_boards_and_in_texts_but_not_in_words() -> None:
    disguise = Disguise("5")
    rose = disguise.text("r7")[0]
    assert rose != "r"
    assert disguise.text("rules: r, r12 and R") == f"rules: {rose}, {rose}12 and {rose.upper()}"
    for text in ("a card", "A card", "the player's card", "it’s"):
        assert disguise.text(text) == text
    assert Disguise("6").text("b c d e f g h") != disguise.text("b c d e f g h")
    assert Disguise(None).text("r7") == Disguise(None).reveal("r7") == "r7"


def test_common_words_are_of_no_theme() -> None:
    assert "card" in common_words()
    assert common_words() & THEMES == set()


# The command


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"server": "localhost"}, "the server is 'localhost', expected an address like"),
        (
            {"server": "http://localhost", "obfuscate": "1", "lang": "fr"},
            "words are exchanged in English only; leave --lang fr out",
        ),
    ],
)
def test_the_command_says_what_it_expects(given: dict[str, Any], error: str) -> None:
    with pytest.raises(Refused, match=error):
        assistants.mcp(**given)


def test_without_the_protocol_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    monkeypatch.delitem(sys.modules, "ludotheque.mcp.tools")
    with pytest.raises(Refused, match=re.escape("pip install 'ludotheque[mcp]'")):
        assistants.mcp("http://localhost")
