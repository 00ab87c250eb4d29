"""People at a table, each with a socket."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from people import WAIT_TIMEOUT_S, NewPerson, Person, Server, Socket


@pytest.fixture
def pair(server: Server) -> tuple[Person, Person, str]:
    """Two people at a running match of Stupide Vautour."""
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    ann.do(table, "start")
    return ann, bob, table


def test_everyone_is_told_of_every_move(pair: tuple[Person, Person, str]) -> None:
    ann, bob, table = pair
    first, second = ann.connect(table), bob.connect(table)
    watcher = Socket(ann.server, table, "")
    watcher.update()
    first.reply(first.request("play", move=7))
    for client in (second, watcher):
        client.wait(lambda u: u["match"]["view"]["bids"][:2] == [-1, 0])
        assert client.lines[1] == {
            "seat": 0, "move": None, "at": None, "key": "", "values": {}
        }  # fmt: skip
    second.reply(second.request("play", move=9))
    told = watcher.wait(lambda u: u["match"]["view"]["tops"][:2] == [7, 9])
    assert told["match"]["viewer"] == -2
    assert told["you"] == []


def test_a_request_sent_twice_is_carried_out_once(pair: tuple[Person, Person, str]) -> None:
    ann, _, table = pair
    client = ann.connect(table)
    for _ in range(3):
        assert client.reply(client.request("play", "same", move=7))["done"]
    assert len(ann.look(table)["lines"]) == 2


def test_an_id_that_could_not_be_stored_is_refused(pair: tuple[Person, Person, str]) -> None:
    ann, _, table = pair
    client = ann.connect(table)
    reply = client.reply(client.request("play", "x" * 41, move=7))
    assert reply["done"] is False
    assert reply["error"] == "a request id has at most 40 characters, not 41"
    assert len(ann.look(table)["lines"]) == 1


def test_a_refused_move_names_the_reason_and_changes_nothing(
    pair: tuple[Person, Person, str],
) -> None:
    ann, _, table = pair
    client = ann.connect(table)
    client.reply(client.request("play", move=7))
    before = ann.look(table)
    reply = client.reply(client.request("play", move=8))
    assert reply["done"] is False
    assert reply["reason"] == "not_now"
    assert "seat 0 may not play 8 now" in reply["error"]
    assert ann.look(table) == before


def test_nobody_plays_for_another(pair: tuple[Person, Person, str], person: NewPerson) -> None:
    ann, bob, table = pair
    stranger = person("Eve").connect(table)
    assert "you hold no seat" in stranger.reply(stranger.request("play", move=3))["error"]
    forger = bob.connect(table)
    reply = forger.reply(forger.request("play", move=3, seat=0))
    assert "you do not hold seat 0" in reply["error"]
    assert len(ann.look(table)["lines"]) == 1


def test_who_only_watches_cannot_act(pair: tuple[Person, Person, str]) -> None:
    ann, _, table = pair
    watcher = Socket(ann.server, table, "")
    assert "create a guest" in watcher.reply(watcher.request("say", text="hello"))["error"]


def test_only_those_at_the_table_speak(pair: tuple[Person, Person, str], person: NewPerson) -> None:
    ann, bob, table = pair
    client = bob.connect(table)
    client.update()
    assert ann.do(table, "say", text=" good\nluck ")[0] == 200
    told = client.wait(lambda u: bool(u["chat"]))
    said = {"guest": ann.id, "name": "Ann", "avatar": 3, "text": "good luck", "phrase": ""}
    assert told["chat"] == [said]
    status, reply = person("Eve").do(table, "say", text="hi")
    assert status == 409
    assert "only those at the table" in reply["error"]


def test_two_who_move_at_once_are_put_in_order(pair: tuple[Person, Person, str]) -> None:
    ann, bob, table = pair
    first, second = ann.connect(table), bob.connect(table)
    for value in range(1, 8):
        ids = first.request("play", move=value), second.request("play", move=value)
        assert first.reply(ids[0])["done"]
        assert second.reply(ids[1])["done"]
    assert len(ann.look(table)["lines"]) == 22


def test_a_client_that_returns_gets_only_what_it_missed(
    pair: tuple[Person, Person, str],
) -> None:
    ann, bob, table = pair
    client = ann.connect(table)
    seen = client.update()
    client.close()
    bob.do(table, "play", move=4)
    ann.do(table, "play", move=5)
    again = ann.connect(table, match=seen["table"]["match"], lines=1)
    told = again.update()
    assert told["fresh"] is False
    assert [line["seat"] for line in told["lines"]] == [1, 0, -1]
    stale = ann.connect(table, match=77, lines=40).update()
    assert stale["fresh"] is True
    assert len(stale["lines"]) == 4


def test_a_table_is_told_again_only_when_it_has_changed(pair: tuple[Person, Person, str]) -> None:
    ann, bob, table = pair
    client = ann.connect(table)
    client.update()

    def told_after(person: Person, do: str, **values: object) -> Any:
        person.do(table, do, **values)
        return json.loads(client.socket.recv(timeout=WAIT_TIMEOUT_S)).get("table")

    assert told_after(bob, "play", move=4) is None
    assert told_after(bob, "leave")["seats"][1]["kept_by"] == "regular"
    assert told_after(ann, "say", text="a pity") is None


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ("rubbish", "a message was not what was expected"),
        ("{}", "a message was not what was expected"),
        ('{"type": "hello", "x": 1}', "unknown field `x`"),
        ('{"type": "request", "id": "1", "command": {"do": "start"}}', "the first message"),
    ],
)
def test_a_client_that_talks_nonsense_is_told_so_and_dropped(
    pair: tuple[Person, Person, str], message: str, complaint: str
) -> None:
    ann, _, table = pair
    client = Socket(ann.server, table, "", first=message)
    gone = client.receive()
    assert gone["type"] == "gone"
    assert complaint in gone["error"]
    with pytest.raises(ConnectionClosed):
        client.socket.recv(timeout=WAIT_TIMEOUT_S)


def test_a_message_that_is_too_large_ends_the_connection(
    pair: tuple[Person, Person, str],
) -> None:
    ann, _, table = pair
    client = ann.connect(table)
    client.update()
    client.send("x" * 200_000)
    with pytest.raises(ConnectionClosed):
        client.wait(lambda update: False)
    assert len(ann.look(table)["lines"]) == 1


def test_a_client_that_floods_is_dropped(pair: tuple[Person, Person, str]) -> None:
    ann, _, table = pair
    client = ann.connect(table)
    client.send_many(200, "say", text="x")
    with pytest.raises(ConnectionClosed):
        client.wait(lambda update: False)


def test_a_ping_is_answered(pair: tuple[Person, Person, str]) -> None:
    ann, _, table = pair
    client = ann.connect(table)
    client.update()
    client.send({"type": "ping"})
    assert client.receive() == {"type": "pong"}


def test_hidden_moves_are_told_when_the_match_is_over(
    pair: tuple[Person, Person, str],
) -> None:
    ann, bob, table = pair
    client = ann.connect(table)
    for value in range(1, 16):
        bob.do(table, "play", move=value)
        ann.do(table, "play", move=value)
    told = client.wait(lambda u: bool(u["match"]["over"]))
    assert told["fresh"] is True
    assert [line["move"] for line in client.lines if line["seat"] == 1] == list(range(1, 16))


def test_there_is_no_socket_where_there_is_no_table(server: Server) -> None:
    client = Socket(server, "nowhere", "")
    gone = client.receive()
    assert gone == {"type": "gone", "error": "there is no table 'nowhere'", "reason": "not_found"}
