"""Who may come in, what may be said, who is sent away, and who is replaced."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from halls import HOST, Hall
from ludotheque.server import messages
from ludotheque.server.absences import REPLACED_AFTER_S, VOTED_AFTER_S, Absences
from ludotheque.server.player import NAMELESS, Player
from ludotheque.server.snapshot import Connection
from people import NewPerson, Person, Server, Socket
from scenes import act

BOB, CY = Player("b", "Bob", 2), Player("c", "Cy", 3)


def at_door(client: Socket) -> str:
    """Why a client is not let in."""
    while (message := client.receive())["type"] != "at_door":
        pass
    return str(message["reason"])


# Ask the host


def closed_table(host: Person) -> tuple[str, Socket]:
    table = host.open_table("stupide_vautour", seats=3, asks_host=True)
    inside = host.connect(table)
    inside.update()
    return table, inside


def test_nobody_comes_in_before_the_host_has_let_them_in(person: NewPerson) -> None:
    ann, eve = person("Ann"), person("Eve")
    table, inside = closed_table(ann)
    outside = eve.connect(table)
    assert at_door(outside) == "asked"
    told = inside.wait(lambda u: bool(u.get("door") and u["door"]["waiting"]))
    assert told["door"]["waiting"] == [{"id": eve.id, "name": "Eve", "avatar": 3}]
    for command in ({"do": "sit"}, {"do": "say", "text": "hi"}, {"do": "let_in", "guest": eve.id}):
        status, reply = eve.do(table, **command)
        assert (status, reply["reason"]) == (409, "not_admitted")
    for path in ("", "/match", "/proof", "/screen"):
        assert eve.call("GET", f"/api/tables/{table}{path}")[0] == 403
    assert ann.do(table, "let_in", guest=eve.id)[0] == 200
    assert outside.update()["table"]["id"] == table
    assert eve.do(table, "sit")[0] == 200


def test_a_visitor_without_a_name_sees_nothing_of_a_closed_table(person: NewPerson) -> None:
    ann = person("Ann")
    table, _ = closed_table(ann)
    assert at_door(Socket(ann.server, table, "")) == "name"
    assert at_door(Socket(ann.server, table, "", screen=True)) == "name"
    assert ann.server.call("GET", f"/api/tables/{table}")[0] == 403
    _, screen = ann.call("GET", f"/api/tables/{table}/screen")
    shown = Socket(ann.server, table, "", screen=True, key=screen["key"])
    assert shown.update()["table"]["id"] == table


def test_a_refused_guest_stays_out_until_they_are_let_in(person: NewPerson) -> None:
    ann, eve = person("Ann"), person("Eve")
    table, inside = closed_table(ann)
    outside = eve.connect(table)
    assert at_door(outside) == "asked"
    assert ann.do(table, "remove", guest=eve.id)[0] == 200
    assert at_door(outside) == "removed"
    assert at_door(eve.connect(table)) == "removed"
    told = inside.wait(lambda u: bool(u.get("door") and u["door"]["removed"]))
    assert [one["name"] for one in told["door"]["removed"]] == ["Eve"]
    assert told["door"]["waiting"] == []
    assert ann.do(table, "let_in", guest=eve.id)[0] == 200
    assert eve.do(table, "sit")[0] == 200


def test_a_host_who_begins_to_be_asked_sends_nobody_away(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    watching = bob.connect(table)
    watching.update()
    ann.do(table, "start")
    assert ann.do(table, "set", asks_host=True)[0] == 200  # during the match, too
    assert watching.wait(lambda u: bool(u["table"]["asks_host"]))
    assert bob.call("GET", f"/api/tables/{table}")[0] == 200
    assert at_door(person("Eve").connect(table)) == "asked"
    assert bob.do(table, "set", asks_host=False)[0] == 409
    assert ann.do(table, "set", seats=3)[0] == 409


def test_those_who_play_mind_the_door_of_a_host_who_is_away(person: NewPerson) -> None:
    ann, bob, eve = person("Ann"), person("Bob"), person("Eve")
    table, inside = closed_table(ann)
    calling = bob.connect(table)
    at_door(calling)
    ann.do(table, "let_in", guest=bob.id)
    calling.close()
    bob.do(table, "sit")
    at_door(eve.connect(table))
    assert bob.do(table, "let_in", guest=eve.id)[0] == 409
    inside.close()
    playing = bob.connect(table)
    playing.wait(lambda u: not u["table"]["has_host"])
    assert bob.do(table, "let_in", guest=eve.id)[0] == 200
    assert bob.do(table, "remove", guest=ann.id)[0] == 409


def test_only_the_host_lets_those_in_again_who_were_removed(person: NewPerson) -> None:
    ann, bob, eve = person("Ann"), person("Bob"), person("Eve")
    table = ann.open_table("stupide_vautour", seats=3)
    inside = ann.connect(table)
    assert bob.do(table, "sit")[0] == 200
    at_table = eve.connect(table)
    at_table.update()
    assert ann.do(table, "remove", guest=eve.id)[0] == 200
    inside.close()
    playing = bob.connect(table)
    told = playing.wait(lambda u: not u["table"]["has_host"])
    assert told["door"]["removed"] == []
    status, reply = bob.do(table, "let_in", guest=eve.id)
    assert (status, reply["error"]) == (409, "only the host of the table can do this")
    assert at_door(eve.connect(table)) == "removed"
    assert ann.do(table, "let_in", guest=eve.id)[0] == 200
    assert at_table.update()["table"]["id"] == table


# Mute and remove


def test_a_muted_guest_is_read_by_nobody(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    bob.do(table, "say", text="rude words")
    assert bob.do(table, "mute", guest=ann.id)[0] == 409
    assert ann.do(table, "mute", guest=bob.id)[0] == 200
    status, reply = bob.do(table, "say", text="more")
    assert (status, reply["reason"]) == (409, "muted")
    assert bob.do(table, "say", phrase="hello")[0] == 409
    seen = ann.look(table)
    assert seen["table"]["muted"] == [bob.id]
    assert [line["text"] for line in seen["chat"]] == [""]
    assert ann.do(table, "mute", guest=bob.id, muted=False)[0] == 200
    assert [line["text"] for line in ann.look(table)["chat"]] == ["rude words"]
    assert bob.do(table, "say", text="sorry")[0] == 200


def test_a_removed_player_is_kept_by_a_bot_and_the_match_goes_on(person: NewPerson) -> None:
    ann, bob, cid = person("Ann"), person("Bob"), person("Cid")
    table = ann.open_table("stupide_vautour", seats=3)
    bob.do(table, "sit")
    cid.do(table, "sit")
    ann.do(table, "start")
    client = bob.connect(table)
    client.update()
    cid.do(table, "play", move=4)
    assert bob.do(table, "remove", guest=cid.id)[0] == 409
    assert ann.do(table, "remove", guest=ann.id)[0] == 409
    assert ann.do(table, "remove", guest=bob.id)[0] == 200
    assert at_door(client) == "removed"
    for command in ({"do": "sit"}, {"do": "play", "move": 5}, {"do": "say", "text": "hey"}):
        assert bob.do(table, **command)[0] == 409
    assert bob.call("GET", f"/api/tables/{table}")[0] == 403
    assert bob.call("GET", "/api/me/tables")[1]["tables"] == []
    assert ann.do(table, "give_back", seat=1)[0] == 409
    assert ann.do(table, "play", move=3)[0] == 200
    seats = ann.look(table)["table"]["seats"]
    assert (seats[1]["kept_by"], seats[2]["kept_by"]) == ("regular", None)
    assert ann.do(table, "let_in", guest=bob.id)[0] == 200
    assert bob.do(table, "sit")[0] == 200
    assert bob.look(table)["you"] == [1]


def test_a_host_mutes_and_lets_in_only_those_who_are_or_were_there(person: NewPerson) -> None:
    ann, bob, eve = person("Ann"), person("Bob"), person("Eve")
    table, _ = closed_table(ann)
    for guest in ("0123456789abcdef", "no such guest", eve.id):
        for command in ({"do": "mute", "muted": True}, {"do": "let_in"}):
            status, reply = ann.do(table, guest=guest, **command)
            assert (status, reply["error"]) == (409, "nobody with that id is at the table")
    assert ann.look(table)["table"]["muted"] == []
    outside = bob.connect(table)
    at_door(outside)
    assert ann.do(table, "let_in", guest=bob.id)[0] == 200
    assert bob.do(table, "sit")[0] == 200
    assert bob.do(table, "say", text="hello")[0] == 200
    outside.close()
    assert bob.do(table, "leave")[0] == 200
    assert ann.do(table, "mute", guest=bob.id)[0] == 200  # who has spoken
    assert ann.do(table, "mute", guest=bob.id, muted=False)[0] == 200


# Replacing


def test_a_player_who_is_present_cannot_be_replaced(person: NewPerson) -> None:
    ann, bob, cid = person("Ann"), person("Bob"), person("Cid")
    table = ann.open_table("stupide_vautour", seats=3)
    bob.do(table, "sit")
    cid.do(table, "sit")
    bob.connect(table).update()
    status, reply = ann.do(table, "seat", seat=1, bot="novice")
    assert (status, reply["reason"]) == (409, "present")
    ann.do(table, "start")
    for who in (ann, cid):
        status, reply = who.do(table, "replace", seat=1)
        assert (status, reply["reason"]) == (409, "present")
    assert ann.do(table, "seat", seat=1, bot="novice")[0] == 409
    assert bob.look(table)["you"] == [1]


class ImpatientServer(Server):
    """Where a vote may begin as soon as somebody is away."""

    command = """
from ludotheque.server import absences
absences.VOTED_AFTER_S = 0
from ludotheque.cli import main
main()
"""


@pytest.fixture
def impatient_server(tmp_path: Path) -> Iterator[Server]:
    running = ImpatientServer(tmp_path)
    yield running
    running.stop()


def test_an_absent_player_is_replaced_by_the_votes_of_all_who_are_present(
    impatient_server: Server,
) -> None:
    names = ("Ann", "Bob", "Cid", "Dora", "Eve")
    ann, bob, cid, dora, eve = (Person(impatient_server, name) for name in names)
    table = ann.open_table("stupide_vautour", seats=4)
    for one in (bob, cid, dora):
        one.do(table, "sit")
    ann.do(table, "start")
    clients = [one.connect(table) for one in (ann, cid, dora)]
    for client in clients:
        client.wait(lambda u: all(u["table"]["seats"][seat]["is_here"] for seat in (0, 2, 3)))
    assert ann.do(table, "seat", seat=1, bot="novice")[1]["reason"] == "too_soon"
    assert eve.do(table, "replace", seat=1)[0] == 409
    for one in (ann, ann, cid):
        assert one.do(table, "replace", seat=1)[0] == 200
    told = clients[2].wait(lambda u: len(u["table"]["seats"][1]["votes"]) == 2)
    assert set(told["table"]["seats"][1]["votes"]) == {ann.id, cid.id}
    assert told["table"]["seats"][1]["kept_by"] is None
    assert dora.do(table, "replace", seat=1)[0] == 200
    clients[2].wait(lambda u: u["table"]["seats"][1]["kept_by"] == "regular")
    assert bob.do(table, "sit")[0] == 200  # and comes back


def test_a_single_opponent_waits_two_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    async def scene() -> None:
        nonlocal now
        hall = Hall("stupide_vautour", 2)
        hall.owner._absences = Absences(clock=lambda: now)
        host = Connection(HOST, lambda _: None)
        guest = Connection(BOB, lambda _: None)
        for connection in (host, guest):
            hall.owner.join(connection, messages.Hello())
        await hall.must(HOST, messages.Sit())
        await hall.must(BOB, messages.Sit())
        await hall.must(HOST, messages.Start())
        hall.owner.part(guest)
        reply = await hall.ask(HOST, messages.Replace(1))
        assert (reply.done, reply.reason) == (False, "too_soon")
        now += REPLACED_AFTER_S - 1
        await hall.must(BOB, messages.Play(3))  # somebody who plays without a socket is heard
        now += REPLACED_AFTER_S - 1
        assert not (await hall.ask(HOST, messages.Replace(1))).done
        now += 1
        await hall.must(HOST, messages.Replace(1))
        assert hall.table.bot_seats() == {1: "regular"}
        hall.owner.close()

    act(scene)


def test_nobody_is_voted_out_whose_connection_was_lost_a_moment_ago() -> None:
    now = 0.0
    absences = Absences(clock=lambda: now)

    async def scene() -> None:
        nonlocal now
        absences.look({"a", "b", "c"}, {"a", "b"})
        assert absences.is_brief("c")
        now += VOTED_AFTER_S
        assert not absences.is_brief("c")
        assert absences.is_brief("a")  # who is here
        absences.stop()

    act(scene)


def test_a_player_who_comes_back_ends_the_vote() -> None:
    async def scene() -> None:
        absences = Absences()
        absences.look({"a", "b"}, {"a"})
        absences.vote("b", "a")
        absences.look({"a", "b"}, {"a", "b"})
        absences.look({"a", "b"}, {"a"})
        assert absences.votes("b") == frozenset()
        absences.stop()

    act(scene)


# Seats and names


def test_a_changed_name_reaches_taken_seats_at_all_tables(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    tables = [ann.open_table("stupide_vautour", seats=3) for _ in range(2)]
    for table in tables:
        bob.do(table, "sit")
        bob.do(table, "sit", name="Bob's son")
    client = ann.connect(tables[0])
    client.update()
    assert bob.call("PUT", "/api/me", {"name": "Robert", "avatar": 9})[0] == 200
    client.wait(lambda u: u["table"]["seats"][1]["name"] == "Robert")
    for table in tables:
        seats = ann.look(table)["table"]["seats"]
        assert [(s["name"], s["avatar"]) for s in seats[:2]] == [("Ann", 3), ("Robert", 9)]
        assert (seats[2]["name"], seats[2]["shares"]) == ("Bob's son", True)
    socket = bob.connect(tables[0])
    socket.update()
    assert bob.call("PUT", "/api/me", {"name": "Rob", "avatar": 9})[0] == 200
    socket.wait(lambda u: u["table"]["seats"][1]["name"] == "Rob")
    assert socket.reply(socket.request("say", text="hi"))["done"]
    assert ann.look(tables[0])["chat"][-1]["name"] == "Rob"


def test_one_guest_takes_one_seat_unless_the_device_is_shared(person: NewPerson) -> None:
    ann, eve = person("Ann"), person("Eve")
    table = ann.open_table("stupide_vautour", seats=4)
    status, reply = ann.do(table, "sit", seat=2)
    assert (status, reply["reason"]) == (409, "one_seat")
    status, reply = eve.do(table, "sit", name="Ann")
    assert (status, reply["reason"]) == (409, "own_name")
    assert ann.do(table, "sit", seat=2, name="Grandma")[0] == 200
    seats = ann.look(table)["table"]["seats"]
    assert [seat and (seat["name"], seat["shares"]) for seat in seats] == [
        ("Ann", False),
        None,
        ("Grandma", True),
        None,
    ]


# Chat


def test_chat_has_a_length_and_a_pace(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    assert "1 to 300 characters" in ann.do(table, "say", text="x" * 301)[1]["error"]
    refused = [
        reply["reason"]
        for number in range(40)
        if not (reply := ann.do(table, "say", text=f"line {number}")[1])["done"]
    ]
    assert len(refused) > 20
    assert set(refused) == {"chat_pace"}
    assert bob.do(table, "say", text="I am heard")[0] == 200


def test_a_table_for_children_takes_reactions_and_phrases_only(person: NewPerson) -> None:
    ann, bob = person("Ann"), person("Bob")
    table = ann.open_table("stupide_vautour", seats=2, phrases_only=True)
    bob.do(table, "sit")
    status, reply = bob.do(table, "say", text="where do you live?")
    assert (status, reply["reason"]) == (409, "phrases_only")
    assert bob.do(table, "say", text="👏")[0] == bob.do(table, "say", phrase="hello")[0] == 200
    assert bob.do(table, "set", phrases_only=False)[0] == 409
    ann.do(table, "start")
    assert ann.do(table, "set", phrases_only=False)[0] == 200
    assert bob.do(table, "say", text="well done")[0] == 200


def test_a_removed_guest_takes_no_key_of_the_screen_along(person: NewPerson) -> None:
    ann, eve = person("Ann"), person("Eve")
    table, _ = closed_table(ann)
    at_door(eve.connect(table))
    ann.do(table, "let_in", guest=eve.id)
    assert eve.do(table, "sit")[0] == 200
    key = eve.call("GET", f"/api/tables/{table}/screen")[1]["key"]
    assert ann.do(table, "remove", guest=eve.id)[0] == 200
    assert at_door(Socket(ann.server, table, "", screen=True, key=key)) == "name"
    assert at_door(Socket(ann.server, table, eve.token, screen=True, key=key)) == "removed"
    theirs = ann.call("GET", f"/api/tables/{table}/screen")[1]["key"]
    shown = Socket(ann.server, table, "", screen=True, key=theirs)
    assert shown.update()["table"]["id"] == table


def test_a_screen_that_a_removed_guest_has_opened_before_shows_nothing_more(
    person: NewPerson,
) -> None:
    ann, eve = person("Ann"), person("Eve")
    table, _ = closed_table(ann)
    at_door(eve.connect(table))
    ann.do(table, "let_in", guest=eve.id)
    assert eve.do(table, "sit")[0] == 200
    key = eve.call("GET", f"/api/tables/{table}/screen")[1]["key"]
    shown = Socket(ann.server, table, "", screen=True, key=key)
    own = Socket(ann.server, table, ann.token, screen=True, key=key)
    assert shown.update()["table"]["id"] == own.update()["table"]["id"] == table
    assert ann.do(table, "remove", guest=eve.id)[0] == 200
    assert ann.do(table, "say", text="they are gone")[0] == 200
    with pytest.raises(ConnectionClosed) as closed:
        shown.wait(lambda update: bool(update["chat"]))
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == CloseCode.SERVICE_RESTART  # the page connects again
    assert at_door(Socket(ann.server, table, "", screen=True, key=key)) == "name"
    own.wait(lambda update: bool(update["chat"]))  # it is Ann's by its cookie
    ann.do(table, "let_in", guest=eve.id)
    assert Socket(ann.server, table, "", screen=True, key=key).update()


def test_phones_count_on_no_screen_of_a_removed_guest(person: NewPerson) -> None:
    ann, eve = person("Ann"), person("Eve")
    table = ann.open_table("stupide_vautour", seats=3)
    inside = ann.connect(table)
    assert eve.do(table, "sit")[0] == 200
    key = eve.call("GET", f"/api/tables/{table}/screen")[1]["key"]
    shown = Socket(ann.server, table, "", screen=True, key=key)
    inside.wait(lambda update: bool(update["table"]["has_screen"]))
    assert ann.do(table, "remove", guest=eve.id)[0] == 200
    inside.wait(lambda update: not update["table"]["has_screen"])
    shown.close()


def test_a_muted_or_removed_guest_says_nothing_by_a_name(person: NewPerson) -> None:
    ann, bob, cy = person("Ann"), person("Bob"), person("Cy")
    table = ann.open_table("stupide_vautour", seats=3)
    for one in (bob, cy):
        one.do(table, "sit")
    ann.do(table, "start")
    assert ann.do(table, "mute", guest=bob.id, muted=True)[0] == 200
    assert ann.do(table, "remove", guest=cy.id)[0] == 200
    for one in (bob, cy):
        assert one.call("PUT", "/api/me", {"name": "Boo", "avatar": 1})[0] == 200
    names = [seat["name"] for seat in ann.look(table)["table"]["seats"]]
    assert names == ["Ann", "Bob", "Cy"]


def test_a_muted_guest_says_nothing_by_the_name_of_a_seat(person: NewPerson) -> None:
    ann, bob, cy, dan = (person(name) for name in ("Ann", "Bob", "Cy", "Dan"))
    table = ann.open_table("stupide_vautour", seats=5)
    watching = dan.connect(table)
    watching.update()
    for one in (bob, cy):
        assert one.do(table, "sit")[0] == 200
    for one in (bob, cy, dan):
        assert ann.do(table, "mute", guest=one.id, muted=True)[0] == 200
    for one in (bob, cy):
        status, reply = one.do(table, "sit", name="you are all silly")
        assert (status, reply["reason"]) == (409, "muted")
        assert one.do(table, "leave")[0] == 200
    for one in (bob, cy, dan):
        assert one.call("PUT", "/api/me", {"name": "Boo", "avatar": 1})[0] == 200
        assert one.do(table, "sit")[0] == 200
    names = [seat and seat["name"] for seat in ann.look(table)["table"]["seats"]]
    assert names == ["Ann", "Bob", "Cy", NAMELESS, None]
    assert ann.do(table, "mute", guest=bob.id, muted=False)[0] == 200
    assert bob.do(table, "leave")[0] == 200
    assert bob.do(table, "sit")[0] == 200
    assert ann.look(table)["table"]["seats"][1]["name"] == "Boo"
