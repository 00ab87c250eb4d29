"""What comes over the wire, to every kind of connection, is what its viewer may know and no more.

The truth is taken from the server's own storage: for every message the log so far is replayed, and
the view that this connection is entitled to is made from it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from homes import Home, postgresql_home, sqlite_home
from ludotheque.engine.drawing import drawn
from ludotheque.engine.game import LANGUAGES, Game, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import Fact, Story, decided, history
from ludotheque.engine.words import Words
from ludotheque.server import questions
from ludotheque.server.identity import NOT_SIGNED_IN
from ludotheque.server.nodes import thoughts, wire
from ludotheque.server.nodes.broker import PREFIX
from ludotheque.server.nodes.post import EVERYONE
from nodes import GuardedHouse, WireTap, stored_events
from people import WAIT_TIMEOUT_S, Person, Server, Socket

SEATS = 4
MOVES = 14  # that people make in each match
PLAIN = LANGUAGES[0]  # of those who ask for the board as text


class Truth:
    """All that has happened in the match of a table, from storage, and what a viewer may be told.

    It asks the engine alone, with the state as the viewer may see it.
    """

    def __init__(self, home: Home, table: str, slug: str, seats: int = SEATS) -> None:
        events = stored_events(home, table)
        options = next(e["options"] for e in events if e["event"] == "opened")
        self.moves = [m for e in events if e["event"] == "moved" for m in e["moves"]]
        self.seeds = [e["server_seed"] for e in events if "server_seed" in e]
        self.seeds += [e["seed"] for e in events if e["event"] == "contributed"]
        self.match = Match(load(slug), seats, options)
        self.game = self.match.game
        self.matches = [self.match.copy()]  # after every line of the log
        for seat, move, at in self.moves:
            self.match.make(seat, move, at)
            self.matches.append(self.match.copy())

    def scores(self, lines: int, viewer: int) -> list[int | None]:
        game, match = self.game, self.matches[lines]
        return [
            game.score(match.state, seat)
            if seat == viewer or game.shows_score(match.state, seat)
            else None
            for seat in range(match.seats)
        ]

    def view(self, lines: int, viewer: int) -> Any:
        return self.game.view(self.matches[lines].state, viewer).to_json()

    def told(self, lines: int, viewer: int) -> dict[str, Any]:
        """Those parts of a MatchInfo that depend on the viewer, or might."""
        view = self.game.view(self.matches[lines].state, viewer)
        return {
            "viewer": viewer,
            "view": view.to_json(),
            "scores": self.scores(lines, viewer),
            "notes": plain_json(self.game.notes(view, viewer)),
            "legal": self._listed(view, viewer),
            "prompt": self.game.prompt(view, viewer) if viewer >= 0 else "",
            "decided": self._decided(lines),
            "breakdown": self._breakdown(lines, viewer),
        }

    def _listed(self, view: Any, viewer: int) -> list[int]:
        moves = range(self.game.unlisted_moves, self.game.moves) if viewer >= 0 else ()
        return [move for move in moves if self.game.is_legal(view, viewer, move)]

    def _decided(self, lines: int) -> Any:
        match = self.matches[lines]
        found = decided(match, list(history(match, NOBODY))) if match.is_over else None
        return None if found is None else plain_json(found._asdict())

    def _breakdown(self, lines: int, viewer: int) -> list[dict[str, Any]]:
        seat = 0 if self.game.team else viewer
        if seat < 0 or not self.matches[lines].is_over:
            return []
        parts = self.game.breakdown(self.matches[lines].state, seat)
        return [dict(zip(("key", "count", "points"), part, strict=True)) for part in parts]

    def history(self, lines: int, viewer: int) -> list[Any]:
        match = self.matches[lines]
        told = history(match, NOBODY if match.is_over else viewer)
        return [fact_json(chapter, fact) for chapter, fact in told]

    def steps(self, before: int, lines: int, viewer: int) -> list[Any]:
        """What is told of these lines; the view after the last of them is told elsewhere."""
        story = Story(self.matches[before], from_now=True)
        return [
            {"facts": [fact_json(step.chapter, fact) for fact in step.facts]}
            | (
                {"view": None, "notes": None, "scores": None}
                if step.place == lines - 1
                else {
                    "view": self.view(step.place + 1, viewer),
                    "notes": plain_json(self.game.notes(step.view, viewer)),
                    "scores": self.scores(step.place + 1, viewer),
                }
            )
            for step in story.go_on(self.matches[lines], {viewer})[viewer]
        ]

    def plain(self, lines: int, viewer: int, names: list[str]) -> dict[str, Any]:
        view = self.game.view(self.matches[lines].state, viewer)
        moves = [
            (move, self.game.notation(viewer, move), *self.game.move_words(viewer, move))
            for move in self._listed(view, viewer)
        ]
        keys = ("move", "notation", "key", "values")
        return {
            "drawing": drawn(view, viewer, Words(self.game, PLAIN), names),
            "moves": [plain_json(dict(zip(keys, move, strict=True))) for move in moves],
        }

    def refusals(self, attempt: Attempt) -> set[str]:
        """How it was refused, in any of the positions that the table may have been in by then."""
        if attempt.viewer == NOBODY:
            return {NOT_SIGNED_IN, "you hold no seat at this table; sit down first"}
        positions = self.matches[attempt.lines :]
        return {str(match.refusal(attempt.viewer, attempt.move)) for match in positions}


def plain_json(value: object) -> Any:
    return json.loads(json.dumps(value))


def fact_json(chapter: int, fact: Fact) -> Any:
    return plain_json({**fact._asdict(), "chapter": chapter})


@dataclass(frozen=True)
class Heard:
    """A message, and how many lines the client had before it and after it."""

    viewer: int
    before: int
    lines: int
    message: Any


@dataclass(frozen=True)
class Attempt:
    """A move that a client may not make: where it was asked for, with how many lines."""

    viewer: int
    move: int
    lines: int


@dataclass
class Listener:
    """A connection, and the seat whose view it is entitled to."""

    kind: str
    socket: Socket
    viewer: int
    heard: list[Heard] = field(default_factory=list)
    attempts: dict[str, Attempt] = field(default_factory=dict)  # by the id of the request

    def try_a_wrong_move(self, game: Game, rng: Random) -> None:
        move = rng.randrange(game.moves)
        if self.viewer >= 0:
            view = game.State.from_json(self.socket.latest["match"]["view"])
            while game.is_legal(view, self.viewer, move):
                move = rng.randrange(game.moves)
        request = self.socket.request("play", move=move, seat=max(0, self.viewer))
        self.attempts[request] = Attempt(self.viewer, move, len(self.socket.lines))

    def hear_all(self) -> None:
        """Take in everything that has been sent until the server answers a ping."""
        self.socket.send({"type": "ping"})
        while self.hear()["type"] != "pong":
            pass

    def hear_until(self, version: int) -> None:
        """Hear what is on its way from another node as well."""
        while self.socket.latest is None or self.socket.latest["version"] < version:
            self.hear()

    def hear(self) -> Any:
        before = len(self.socket.lines)
        message = self.socket.receive()
        self.note(before, message)
        return message

    def note(self, before: int, message: Any) -> None:
        self.heard.append(Heard(self.viewer, before, len(self.socket.lines), message))


class Place(NamedTuple):
    """The server that owns the tables and has Ann, that of Bob and Cid, and where all is stored."""

    servers: tuple[Server, Server]
    home: Home
    tap: WireTap | None = None  # if the two are nodes


class Evening:
    """People of every kind at one table: nameless, spectator, host without a seat, two windows of
    one player, another player, one whose seat a bot keeps; a bot; big screens of players; one
    whose page has no board and asks for text."""

    def __init__(self, place: Place, slug: str) -> None:
        self.game, self.rng = load(slug), Random(slug)
        self.place, (near, far) = place, place.servers
        self._views: dict[int, list[Any]] = {}
        self.host, self.ann, self.eve = (Person(near, name) for name in ("Hana", "Ann", "Eve"))
        self.bob, self.cid = (Person(far, name) for name in ("Bob", "Cid"))
        options = {"time_limit": 600} if self.game.timed else {}
        self.table = self.host.open_table(slug, seats=SEATS, options=options, sit=False)
        for person in (self.ann, self.bob, self.cid):
            assert person.do(self.table, "sit")[0] == 200
        assert self.host.do(self.table, "seat", seat=3, bot="novice")[0] == 200
        self.listeners = [
            Listener("nameless", Socket(near, self.table, ""), NOBODY),
            Listener("nameless there", Socket(far, self.table, ""), NOBODY),
            Listener("spectator there", Socket(far, self.table, self.eve.token), NOBODY),
            Listener("spectator", self.eve.connect(self.table), NOBODY),
            Listener("host", self.host.connect(self.table), NOBODY),
            Listener("Ann", self.ann.connect(self.table), 0),
            Listener("Ann again", self.ann.connect(self.table), 0),
            Listener("Bob", self.bob.connect(self.table, plain=PLAIN), 1),
            Listener("text", self.eve.connect(self.table, plain=PLAIN), NOBODY),
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

    @property
    def truth(self) -> Truth:
        return Truth(self.place.home, self.table, self.game.slug)

    def truth_views(self, viewer: int) -> list[Any]:
        """Every view that this viewer has been entitled to."""
        if viewer not in self._views:
            truth = self.truth
            self._views[viewer] = [truth.view(n, viewer) for n in range(len(truth.matches))]
        return self._views[viewer]

    def play(self) -> None:
        self.listen()
        for turn in range(MOVES):
            if turn == MOVES // 2:
                self.let_a_bot_keep_cids_seat()
                self.let_others_come_late()
            self.somebody_moves()
            self.listen()

    def let_a_bot_keep_cids_seat(self) -> None:
        assert self.cid.do(self.table, "leave")[0] == 200
        cid = next(listener for listener in self.listeners if listener.kind == "Cid")
        while cid.socket.latest["you"]:
            before, message = len(cid.socket.lines), cid.socket.receive()
            if message["type"] == "update" and not message["you"]:
                cid.viewer = NOBODY
            cid.note(before, message)

    def let_others_come_late(self) -> None:
        """They are told the history of the match."""
        late, window = self.eve.connect(self.table), self.bob.connect(self.table)
        self.listeners += [Listener("late", late, NOBODY), Listener("late window", window, 1)]

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
        version = self.host.look(self.table)["version"]
        for listener in self.listeners:
            listener.hear_until(version)
            listener.hear_all()
            if not listener.socket.latest["match"]["over"]:
                listener.try_a_wrong_move(self.game, self.rng)


GAMES = [slug for slug in slugs() if SEATS in load(slug).seats]


@pytest.fixture(scope="module", params=["one server", "two nodes"])
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    if request.param == "one server":
        server: Server = request.getfixturevalue("server")
        yield Place((server, server), sqlite_home(server.data))
        return
    house = GuardedHouse(tmp_path_factory.mktemp("house"), home=postgresql_home())
    with WireTap(house.broker_of("tap")) as tap:
        yield Place((house.nodes[0], house.nodes[1]), house.home, tap)
    house.stop()


@pytest.fixture(scope="module", params=GAMES)
def evening(request: pytest.FixtureRequest, place: Place) -> Evening:
    played = Evening(place, request.param)
    played.play()
    return played


@pytest.fixture
def tap(evening: Evening) -> WireTap:
    if evening.place.tap is None:
        pytest.skip("a single server sends nothing to others")
    return evening.place.tap


def test_every_connection_sees_its_own_view_and_no_other(evening: Evening) -> None:
    truth = evening.truth
    assert len(truth.moves) > MOVES
    for listener in evening.listeners:
        updates = updates_of_the_match(listener)
        assert len(updates) >= 3, listener.kind
        for heard in updates:
            expect_the_truth(truth, heard, listener.kind)


def updates_of_the_match(listener: Listener) -> list[Heard]:
    updates = [heard for heard in listener.heard if heard.message["type"] == "update"]
    return [heard for heard in updates if heard.message["match"] is not None]


def expect_the_truth(truth: Truth, heard: Heard, kind: str) -> None:
    """Whatever an update tells, a viewer of the match in storage may know."""
    viewer, lines, told = heard.viewer, heard.lines, heard.message
    expected = truth.told(lines, viewer)
    assert {key: told["match"][key] for key in expected} == expected, kind
    if "history" in told:
        assert told["history"] == truth.history(lines, viewer), kind
    if "history" not in told or "steps" in told:
        assert told.get("steps", []) == truth.steps(heard.before, lines, viewer), kind
    if "plain" in told:
        names = [seat["name"] for seat in told["table"]["seats"]]
        assert told["plain"] == truth.plain(lines, viewer, names), kind


def test_text_is_for_those_who_ask_and_the_history_for_those_who_come_late(
    evening: Evening,
) -> None:
    for listener in evening.listeners:
        updates = [heard.message for heard in updates_of_the_match(listener)]
        wants_text = listener.kind in ("Bob", "text")
        assert all(("plain" in update) == wants_text for update in updates), listener.kind
        expected = "history" if listener.kind.startswith("late") else "steps"
        assert any(expected in update for update in updates), listener.kind


def test_a_reply_goes_to_the_asker_alone_and_tells_what_the_asker_may_know(
    evening: Evening,
) -> None:
    truth = evening.truth
    for listener in evening.listeners:
        replies = [h.message for h in listener.heard if h.message["type"] == "reply"]
        assert len(replies) >= 3, listener.kind
        for reply in replies:
            attempt = listener.attempts[reply["id"]]
            assert not reply["done"], listener.kind
            assert reply["error"] in truth.refusals(attempt), listener.kind


ENDINGS: dict[str, list[tuple[int | str, int | str]]] = {  # moves of Ann and of Bob
    "stupide_vautour": [(card, 16 - card) for card in range(1, 16)],
    "team_up": [("stop", "agree")],
}


@pytest.mark.parametrize("slug", ENDINGS)
def test_at_the_end_everyone_is_told_what_is_theirs_of_it(server: Server, slug: str) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    table = ann.open_table(slug, seats=2)
    assert bob.do(table, "sit")[0] == 200
    listeners = [
        Listener("nameless", Socket(server, table, "", plain=PLAIN), NOBODY),
        Listener("Ann", ann.connect(table), 0),
        Listener("Bob", bob.connect(table), 1),
    ]
    assert ann.do(table, "start")[0] == 200
    for moves in ENDINGS[slug]:
        for person, move in zip((ann, bob), moves, strict=True):
            assert person.do(table, "play", move=move)[0] == 200
    truth = Truth(sqlite_home(server.data), table, slug, seats=2)
    for listener in listeners:
        listener.hear_all()
        updates = updates_of_the_match(listener)
        last = updates[-1].message
        assert last["match"]["decided"] or last["match"]["breakdown"]
        assert "history" in last
        for heard in updates:
            expect_the_truth(truth, heard, listener.kind)


def test_every_connection_is_told_of_the_moves_it_may_see(evening: Evening) -> None:
    truth = evening.truth
    over = truth.match.is_over
    for listener in evening.listeners:
        for place, line in enumerate(listener.socket.lines):
            entry = truth.match.log[place]
            is_seen = over or listener.viewer in entry.seen_by
            assert line["move"] == (entry.move if is_seen else None), listener.kind


def test_over_http_everyone_sees_their_own_view(evening: Evening) -> None:
    tokens = {
        "": NOBODY,
        evening.eve.token: NOBODY,
        evening.host.token: NOBODY,
        evening.ann.token: 0,
        evening.cid.token: NOBODY,
    }
    for server, (token, viewer) in product(set(evening.place.servers), tokens.items()):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        _, update = server.call("GET", f"/api/tables/{evening.table}", **headers)
        truth = evening.truth
        match = update["match"]
        assert match["viewer"] == viewer
        assert match["view"] == truth.view(len(update["lines"]), viewer)


def test_nobody_may_look_from_a_seat_or_be_advised_on_one_that_is_not_theirs(
    evening: Evening,
) -> None:
    tokens = ("", evening.eve.token, evening.host.token, evening.cid.token)
    for server, token in product(set(evening.place.servers), tokens):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        for seat in range(SEATS):
            path = f"/api/tables/{evening.table}"
            assert server.call("GET", f"{path}?seat={seat}", **headers)[0] == 403
            assert server.call("POST", f"{path}/hints?seat={seat}", **headers)[0] in (400, 401)
        if not evening.truth.match.is_over:
            assert server.call("GET", f"/api/tables/{evening.table}/match", **headers)[0] == 409
            assert server.call("GET", f"/api/tables/{evening.table}/proof", **headers)[0] == 409


def test_no_message_tells_a_seed_of_the_shuffle(evening: Evening) -> None:
    truth = evening.truth
    assert len(truth.seeds) == 4  # of the table, of the match, of Ann and of Bob
    for listener in evening.listeners:
        text = json.dumps([heard.message for heard in listener.heard])
        assert not any(seed in text for seed in truth.seeds), listener.kind


# What nodes send each other


def expect_views(evening: Evening, update: bytes, viewers: set[int]) -> bool:
    """Expect an update to be of one of these viewers; whether it tells of a match."""
    told = json.loads(update)
    match = told.get("match")
    if match is None:
        return False
    assert match["viewer"] in viewers
    views = evening.truth_views(match["viewer"])
    assert match["view"] in views
    return True


def test_a_node_is_sent_the_views_of_its_own_clients_alone(evening: Evening, tap: WireTap) -> None:
    """Ann is where the table is; Bob, Cid and those without a seat are on the other node."""
    of_others = {1, 2, NOBODY}
    shown = [
        (subject, message.update)
        for subject, message in tap.messages
        if isinstance(message, wire.Shown) and message.table == evening.table
    ]
    assert {subject.split(".")[2] for subject, _ in shown} == {"b"}
    assert sum(expect_views(evening, update, of_others) for _, update in shown) > MOVES


def test_a_node_is_answered_what_its_own_clients_may_ask(evening: Evening, tap: WireTap) -> None:
    asked: dict[tuple[str, int], questions.AnyQuestion] = {}
    looks = 0
    seats = {evening.ann.id: {0}, evening.bob.id: {1}, evening.cid.id: {2, NOBODY}}
    for subject, letter in tap.letters:
        receiver = subject.removeprefix(f"{PREFIX}.to.")
        for message in letter.messages:
            if isinstance(message, wire.Consult) and message.table == evening.table:
                assert receiver.startswith("a.")
                asked[letter.sender, message.call] = message.question
            elif isinstance(message, wire.Told) and not message.kind:
                question = asked.get((receiver, message.call))
                if isinstance(question, questions.Look):
                    viewers = seats.get(question.player.id if question.player else "", {NOBODY})
                    update = msgspec.msgpack.decode(message.value, type=bytes)
                    looks += expect_views(evening, update, viewers)
    assert looks > 0


def test_what_all_nodes_read_tells_nothing_of_a_match(evening: Evening, tap: WireTap) -> None:
    to_all = [message for subject, message in tap.messages if subject == EVERYONE]
    assert to_all
    assert all(isinstance(message, wire.Beat) for message in to_all)


def test_a_bot_that_thinks_on_another_node_is_told_what_its_seat_sees(
    evening: Evening, tap: WireTap
) -> None:
    game, asked = evening.game, msgspec.msgpack.Decoder(thoughts.Asked)
    sent = [t for s, t in tap.texts if s.startswith((f"{thoughts.THINK}.", f"{thoughts.WORKER}."))]
    told = [each for each in map(asked.decode, sent) if isinstance(each, thoughts.Think)]
    for think in (each for each in told if each.game == game.slug):
        assert think.seat in (2, 3)  # the bot's own, and the one that it keeps for Cid
        views = evening.truth_views(think.seat)
        for view in thoughts.views_of(game.State, think.views):
            assert view.to_json() in views


def test_no_letter_tells_a_seed_but_the_one_that_a_client_gives_to_the_owner(
    evening: Evening, tap: WireTap
) -> None:
    *secret, bobs = evening.truth.seeds
    for subject, text in tap.texts:
        assert not any(seed.encode() in text for seed in secret), subject
        assert bobs.encode() not in text or subject.startswith(f"{PREFIX}.to.a."), subject


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
