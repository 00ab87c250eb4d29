"""What comes over the wire, to every kind of connection, is what its viewer may know and no more.

The truth is taken from the server's own storage: for every message the log so far is replayed, and
the view that this connection is entitled to is made from it.
"""

from __future__ import annotations

import json
import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ludotheque.engine.game import load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.seats import NOBODY
from people import WAIT_TIMEOUT_S, Person, Server, Socket

SEATS = 4
MOVES = 14  # that people make in each match


def stored_events(data: Path, table: str) -> list[dict[str, Any]]:
    with sqlite3.connect(data / "tables.sqlite") as connection:
        rows = connection.execute(
            'SELECT body FROM events WHERE "table" = ? ORDER BY place', (table,)
        ).fetchall()
    connection.close()
    return [json.loads(body) for (body,) in rows]


class Truth:
    """All that has happened in the match of a table, from storage."""

    def __init__(self, data: Path, table: str, slug: str) -> None:
        events = stored_events(data, table)
        options = next(e["options"] for e in events if e["event"] == "opened")
        self.moves = [m for e in events if e["event"] == "moved" for m in e["moves"]]
        self.seeds = [e["server_seed"] for e in events if "server_seed" in e]
        self.seeds += [e["seed"] for e in events if e["event"] == "contributed"]
        self.match = Match(load(slug), SEATS, options)
        self.states = [self.match.state.copy()]
        for seat, move, at in self.moves:
            self.match.make(seat, move, at)
            self.states.append(self.match.state.copy())

    def scores(self, lines: int, viewer: int) -> list[int | None]:
        game, state = self.match.game, self.states[lines]
        return [
            game.score(state, seat) if seat == viewer or game.shows_score(state, seat) else None
            for seat in range(SEATS)
        ]

    def view(self, lines: int, viewer: int) -> Any:
        return self.match.game.view(self.states[lines], viewer).to_json()


@dataclass
class Listener:
    """A connection, and the seat whose view it is entitled to."""

    kind: str
    socket: Socket
    viewer: int
    heard: list[tuple[int, int, Any]] = field(default_factory=list)  # viewer, lines, message

    def hear_all(self) -> None:
        """Take in everything that has been sent until the server answers a ping."""
        self.socket.send({"type": "ping"})
        while True:
            message = self.socket.receive()
            if message["type"] == "pong":
                return
            self.heard.append((self.viewer, len(self.socket.lines), message))


class Evening:
    """People of every kind at one table: nameless, spectator, host without a seat, two windows of
    one player, another player, one whose seat a bot keeps; a bot; big screens of players."""

    def __init__(self, server: Server, slug: str) -> None:
        self.game, self.rng = load(slug), Random(slug)
        self.host, self.ann, self.bob, self.cid, self.eve = (
            Person(server, name) for name in ("Hana", "Ann", "Bob", "Cid", "Eve")
        )
        options = {"time_limit": 600} if self.game.timed else {}
        self.table = self.host.open_table(slug, seats=SEATS, options=options, sit=False)
        for person in (self.ann, self.bob, self.cid):
            assert person.do(self.table, "sit")[0] == 200
        assert self.host.do(self.table, "seat", seat=3, bot="novice")[0] == 200
        self.listeners = [
            Listener("nameless", Socket(server, self.table, ""), NOBODY),
            Listener("spectator", self.eve.connect(self.table), NOBODY),
            Listener("host", self.host.connect(self.table), NOBODY),
            Listener("Ann", self.ann.connect(self.table), 0),
            Listener("Ann again", self.ann.connect(self.table), 0),
            Listener("Bob", self.bob.connect(self.table), 1),
            Listener("Cid", self.cid.connect(self.table), 2),
            Listener("spy", self.eve.connect(self.table, viewer=0), NOBODY),
            Listener("screen", self.ann.connect(self.table, screen=True), NOBODY),
            Listener(
                "screen of a seat", self.bob.connect(self.table, screen=True, viewer=1), NOBODY
            ),
        ]
        commitment = self.ann.look(self.table)["table"]["commitment"]
        for person, seed in ((self.ann, "a1" * 16), (self.bob, "b0" * 16)):
            person.do(self.table, "contribute", seed=seed, commitment=commitment)
        assert self.host.do(self.table, "start")[0] == 200

    def play(self) -> None:
        self.listen()
        for turn in range(MOVES):
            if turn == MOVES // 2:
                self.let_a_bot_keep_cids_seat()
            self.somebody_moves()
            self.listen()

    def let_a_bot_keep_cids_seat(self) -> None:
        assert self.cid.do(self.table, "leave")[0] == 200
        cid = next(listener for listener in self.listeners if listener.kind == "Cid")
        while cid.socket.latest["you"]:
            message = cid.socket.receive()
            seat = 2 if message.get("you") else NOBODY
            cid.heard.append((seat, len(cid.socket.lines), message))
        cid.viewer = NOBODY

    def somebody_moves(self) -> None:
        """Let one of the people make a random move as soon as one of them can."""
        until = time.monotonic() + WAIT_TIMEOUT_S
        while time.monotonic() < until:
            for seat, person in enumerate((self.ann, self.bob, self.cid)):
                match = person.look(self.table)["match"]
                if match["over"] or (match["viewer"] == seat and self.moves(person, seat, match)):
                    return
            time.sleep(0.05)  # bots are thinking
        raise AssertionError("nobody can move")

    def moves(self, person: Person, seat: int, match: Any) -> bool:
        view = self.game.State.from_json(match["view"])
        legal = self.game.legal_moves(view, seat) if seat in match["awaited"] else []
        if not legal:
            return False
        move = max(self.rng.choices(legal, k=3), key=lambda m: self.game.notation(0, m) != "stop")
        return bool(person.do(self.table, "play", move=move, seat=seat)[0] == 200)

    def listen(self) -> None:
        for listener in self.listeners:
            listener.hear_all()


@pytest.fixture(scope="module", params=[slug for slug in slugs() if SEATS in load(slug).seats])
def evening(request: pytest.FixtureRequest, server: Server) -> Evening:
    played = Evening(server, request.param)
    played.play()
    return played


def test_every_connection_sees_its_own_view_and_no_other(evening: Evening, server: Server) -> None:
    truth = Truth(server.data, evening.table, evening.game.slug)
    assert len(truth.moves) > MOVES
    checked = dict.fromkeys((listener.kind for listener in evening.listeners), 0)
    for listener in evening.listeners:
        for viewer, lines, message in listener.heard:
            if message["type"] == "update" and message["match"] is not None:
                told = message["match"]
                assert told["viewer"] == viewer, listener.kind
                assert told["view"] == truth.view(lines, viewer), listener.kind
                assert told["scores"] == truth.scores(lines, viewer), listener.kind
                if viewer == NOBODY:
                    assert (told["legal"], told["prompt"]) == ([], ""), listener.kind
                checked[listener.kind] += 1
    assert min(checked.values()) >= 3, checked


def test_every_connection_is_told_of_the_moves_it_may_see(evening: Evening, server: Server) -> None:
    truth = Truth(server.data, evening.table, evening.game.slug)
    over = truth.match.is_over
    for listener in evening.listeners:
        for place, line in enumerate(listener.socket.lines):
            entry = truth.match.log[place]
            is_seen = over or listener.viewer in entry.seen_by
            assert line["move"] == (entry.move if is_seen else None), listener.kind


def test_over_http_everyone_sees_their_own_view(evening: Evening, server: Server) -> None:
    for token, viewer in (
        ("", NOBODY),
        (evening.eve.token, NOBODY),
        (evening.host.token, NOBODY),
        (evening.ann.token, 0),
        (evening.cid.token, NOBODY),
    ):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        _, update = server.call("GET", f"/api/tables/{evening.table}", **headers)
        truth = Truth(server.data, evening.table, evening.game.slug)
        match = update["match"]
        assert match["viewer"] == viewer
        assert match["view"] == truth.view(len(update["lines"]), viewer)


def test_nobody_may_look_from_a_seat_or_be_advised_on_one_that_is_not_theirs(
    evening: Evening, server: Server
) -> None:
    tokens = ("", evening.eve.token, evening.host.token, evening.cid.token)
    for token in tokens:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        for seat in range(SEATS):
            path = f"/api/tables/{evening.table}"
            assert server.call("GET", f"{path}?seat={seat}", **headers)[0] == 403
            assert server.call("POST", f"{path}/hints?seat={seat}", **headers)[0] in (400, 401)
        if not Truth(server.data, evening.table, evening.game.slug).match.is_over:
            assert server.call("GET", f"/api/tables/{evening.table}/match", **headers)[0] == 409
            assert server.call("GET", f"/api/tables/{evening.table}/proof", **headers)[0] == 409


def test_no_message_tells_a_seed_of_the_shuffle(evening: Evening, server: Server) -> None:
    truth = Truth(server.data, evening.table, evening.game.slug)
    assert len(truth.seeds) == 4  # of the table, of the match, of Ann and of Bob
    for listener in evening.listeners:
        text = json.dumps(listener.heard)
        assert not any(seed in text for seed in truth.seeds), listener.kind


def test_an_invited_friend_without_a_name_finds_a_free_seat_beside_bots(server: Server) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    table = ann.open_table("stupide_vautour", seats=3)
    assert ann.do(table, "seat", seat=1, bot="novice")[0] == 200
    visitor = Socket(server, table, "").update()
    assert (visitor["you"], visitor.get("me")) == ([], None)
    assert bob.do(table, "sit")[0] == 200
    assert bob.look(table)["you"] == [2]


def test_a_big_screen_is_nobody_whoever_its_browser_belongs_to(server: Server) -> None:
    ann = Person(server, "Ann")
    table = ann.open_table("stupide_vautour", seats=2)
    screen = ann.connect(table, screen=True)
    update = screen.update()
    assert (update["you"], update["me"]) == ([], None)
    screen.send({"type": "hello", "viewer": 0})
    assert screen.update()["me"] is None
    for do in ("start", "sit", "leave"):
        assert screen.reply(screen.request(do))["done"] is False
    assert ann.look(table)["table"]["status"] == "gathering"


def test_everyone_is_told_while_a_big_screen_shows_the_table(server: Server) -> None:
    ann = Person(server, "Ann")
    table = ann.open_table("stupide_vautour", seats=2)
    phone = ann.connect(table)
    assert phone.update()["table"]["has_screen"] is False
    screen = ann.connect(table, screen=True)
    told = phone.wait(lambda update: update["table"]["has_screen"])
    assert told["table"]["watchers"] == 1
    assert told["table"]["seats"][0]["is_here"] is True
    screen.close()
    phone.wait(lambda update: not update["table"]["has_screen"])


def has_screen(person: Person, table: str) -> bool:
    return bool(person.look(table)["table"]["has_screen"])


def test_the_screen_of_a_stranger_shows_the_table_and_changes_nothing_there(
    server: Server,
) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    table, other = (ann.open_table("stupide_vautour", seats=2) for _ in range(2))
    key = screen_key(ann, other)
    strangers = [
        Socket(server, table, "", screen=True),
        Socket(server, table, "", screen=True, key="a guess"),
        Socket(server, table, "", screen=True, key=key),
        bob.connect(table, screen=True),
    ]
    for screen in strangers:
        shown = screen.update()
        assert (shown["table"]["id"], shown["me"]) == (table, None)
    assert not has_screen(ann, table)
    bob.do(table, "sit")
    assert has_screen(ann, table)
    bob.do(table, "leave")
    assert not has_screen(ann, table)


def test_the_host_has_a_screen_without_a_seat(server: Server) -> None:
    ann = Person(server, "Ann")
    table = ann.open_table("stupide_vautour", seats=2, sit=False)
    ann.connect(table, screen=True).update()
    assert has_screen(ann, table)


def test_a_screen_elsewhere_is_the_tables_own_by_a_key_from_its_players(server: Server) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    assert bob.call("GET", f"/api/tables/{table}/screen")[0] == 403
    assert server.call("GET", f"/api/tables/{table}/screen")[0] == 401
    screen = Socket(server, table, "", screen=True, key=screen_key(ann, table))
    update = screen.update()
    assert (update["me"], update["you"], update["table"]["has_screen"]) == (None, [], True)
    bob.do(table, "sit")
    assert screen_key(bob, table) == screen_key(ann, table)


def screen_key(person: Person, table: str) -> str:
    status, told = person.call("GET", f"/api/tables/{table}/screen")
    assert status == 200, told
    return str(told["key"])
