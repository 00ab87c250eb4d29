"""People who are away are called to their turn, once, and the server calls nobody else."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

import push_service
from halls import BOB, HOST, Hall
from ludotheque.engine.refused import Refused
from ludotheque.server import messages, turn_calls
from ludotheque.server.notifier import Notifier
from ludotheque.server.store import SUBSCRIPTIONS_KEPT, Store
from ludotheque.server.turn_calls import TurnCalls
from ludotheque.server.web_push import (
    PUSH_HOSTS,
    Sender,
    Subscription,
    encoded,
    encrypted,
    new_secret,
)
from people import WAIT_TIMEOUT_S, Person, Server
from push_service import Browser, Mailbox, PushService, claims
from scenes import act, until

GOOGLE = "https://fcm.googleapis.com/fcm/send/abc"


@pytest.fixture(scope="module")
def services() -> Iterator[PushService]:
    with push_service.push_service() as opened:
        yield opened


@pytest.fixture
def service(services: PushService) -> Mailbox:
    return services.mailbox()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, services: PushService) -> Iterator[Server]:
    """A server that knows one push service, this one, and has little patience."""

    class CallingServer(Server):
        command = f"""
from ludotheque.server import turn_calls, web_push
web_push.PUSH_HOSTS = web_push.PushHosts(("127.0.0.1",), "http", {services.port})
turn_calls.GRACE_S = 0.1
from ludotheque.cli import main
main()
"""

    running = CallingServer(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()


def two_at_a_table(server: Server) -> tuple[Person, Person, str]:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    bob.do(table, "sit")
    return ann, bob, table


def subscribed(person: Person, endpoint: str, language: str = "en") -> Browser:
    browser = Browser()
    wish = browser.subscription(endpoint, language)
    assert person.call("PUT", "/api/me/push", wish) == (200, None)
    return browser


# The calls


def test_a_player_who_is_away_is_called_in_their_language(server: Server, service: Mailbox) -> None:
    ann, bob, table = two_at_a_table(server)
    browser = subscribed(bob, service.endpoint("bob?x=1"), "fr")
    ann.connect(table).update()
    ann.do(table, "start")
    posted = service.next()
    assert json.loads(browser.read(posted.body)) == {
        "title": "Stupide Vautour",
        "body": "À vous de jouer",
        "table": table,
        "language": "fr",
    }
    assert posted.path == "/bob?x=1"
    headers = posted.headers
    assert [headers[name] for name in ("Content-Encoding", "TTL", "Topic")] == [
        "aes128gcm",
        "86400",
        table,
    ]
    told = claims(headers["Authorization"])
    key = server.call("GET", "/api/push")[1]["key"]
    assert (told["k"], told["aud"]) == (key, f"http://127.0.0.1:{service.port}")
    assert (told["sub"], told["alg"]) == ("https://127.0.0.1", "ES256")
    assert 0 < told["exp"] - time.time() < 24 * 3600


def test_the_next_turn_is_called_too(server: Server, service: Mailbox) -> None:
    ann, bob, table = two_at_a_table(server)
    subscribed(ann, service.endpoint("ann"))
    subscribed(bob, service.endpoint("bob"))
    ann.do(table, "start")
    assert {service.next().path, service.next().path} == {"/ann", "/bob"}
    ann.do(table, "play", move=7)  # now only Bob is awaited, who has been called
    ann.connect(table).close()
    bob.do(table, "say", text="wait a moment")
    ann.connect(table).update()
    bob.do(table, "play", move=8)
    assert service.next().path == "/bob"


def test_a_table_that_wakes_calls_nobody_again(server: Server, service: Mailbox) -> None:
    ann, bob, table = two_at_a_table(server)
    subscribed(bob, service.endpoint("bob"))
    ann.connect(table).update()
    ann.do(table, "start")
    assert service.next().path == "/bob"
    server.kill()
    server.start()
    bob.call("GET", "/api/me/tables")
    ann.connect(table).update()
    subscribed(ann, service.endpoint("ann"))
    other = ann.open_table("stupide_vautour", seats=2)
    bob.do(other, "sit")
    ann.do(other, "start")  # both are called there, later than anyone would be called here
    assert {service.next().headers["Topic"], service.next().headers["Topic"]} == {other}


def test_a_player_with_a_day_for_a_move_is_called(server: Server, service: Mailbox) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    subscribed(bob, service.endpoint("bob"))
    table = ann.open_table("stupide_vautour", seats=2, move_seconds=86400)
    bob.do(table, "sit")
    ann.connect(table).update()
    ann.do(table, "start")
    assert service.next().headers["Topic"] == table


def test_who_plays_with_bots_alone_or_on_a_short_clock_is_not_called(
    server: Server, service: Mailbox
) -> None:
    ann, bob, last = two_at_a_table(server)
    subscribed(ann, service.endpoint("ann"))
    alone = ann.open_table("stupide_vautour", seats=2)
    ann.do(alone, "start")
    clocked = ann.open_table("stupide_vautour", seats=2, move_seconds=600)
    race = ann.open_table("ubongo", seats=2)
    for table in (clocked, race):
        bob.do(table, "sit")
        ann.do(table, "start")
    ann.do(last, "start")
    assert service.next().headers["Topic"] == last


def test_a_subscription_that_has_ended_is_forgotten(server: Server, service: Mailbox) -> None:
    ann, bob, table = two_at_a_table(server)
    service.statuses["/old"] = 410
    subscribed(bob, service.endpoint("old"))
    subscribed(bob, service.endpoint("new"))
    ann.connect(table).update()
    ann.do(table, "start")
    assert {service.next().path, service.next().path} == {"/old", "/new"}
    ann.do(table, "play", move=7)
    bob.do(table, "play", move=8)
    assert service.next().path == "/new"
    ann.do(table, "play", move=9)
    bob.do(table, "play", move=9)
    assert service.next().path == "/new"


def test_a_redirection_is_not_followed(server: Server, service: Mailbox) -> None:
    ann, bob, table = two_at_a_table(server)
    service.statuses["/bob"] = 307
    subscribed(bob, service.endpoint("bob"))
    ann.connect(table).update()
    ann.do(table, "start")
    for move in (7, 8):
        assert service.next().path == "/bob"
        ann.do(table, "play", move=move)
        bob.do(table, "play", move=move)
    assert service.next().path == "/bob"


def test_a_device_that_cannot_be_called_does_not_keep_others_from_being_called(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    called: list[str] = []

    def send(_: Sender, subscription: Subscription, *__: object) -> int:
        called.append(subscription.endpoint)
        if len(called) == 1:
            raise UnicodeError("label too long")
        return 201

    monkeypatch.setattr(Sender, "send", send)

    async def scene() -> None:
        store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
        await store.open()
        for endpoint in ("first", "second"):
            wish = Subscription(**Browser().subscription(endpoint), contact="here")
            await store.save_subscription("b", wish, 0)
        notifier = Notifier(store, new_secret())
        notifier.call("b", Hall("stupide_vautour", 2).table)
        await until(lambda: len(called) == 2)
        notifier.close()
        await store.close()

    act(scene)
    assert set(called) == {"first", "second"}


def test_a_device_calls_the_guest_who_asked_last_until_they_ask_it_not_to(
    server: Server, service: Mailbox
) -> None:
    ann, bob, table = two_at_a_table(server)
    shared, own = service.endpoint("shared"), service.endpoint("own")
    subscribed(ann, shared)
    browser = subscribed(bob, shared)
    subscribed(ann, own)
    assert ann.call("DELETE", "/api/me/push", {"endpoint": shared}) == (200, None)  # not hers
    ann.do(table, "start")
    posted = [service.next(), service.next()]
    assert {one.path for one in posted} == {"/shared", "/own"}
    assert any(one.path == "/shared" and browser.read(one.body) for one in posted)
    assert bob.call("DELETE", "/api/me/push", {"endpoint": shared}) == (200, None)
    ann.do(table, "play", move=7)
    bob.do(table, "play", move=8)
    assert service.next().path == "/own"


def test_the_latest_subscriptions_of_a_guest_are_kept(server: Server, service: Mailbox) -> None:
    ann, bob, table = two_at_a_table(server)
    names = [f"/{number}" for number in range(SUBSCRIPTIONS_KEPT + 2)]
    for name in names:
        subscribed(bob, service.endpoint(name[1:]))
    ann.connect(table).update()
    ann.do(table, "start")
    called = {service.next().path for _ in range(SUBSCRIPTIONS_KEPT)}
    assert called == set(names[2:])


def test_the_key_stays_when_the_server_starts_again(server: Server) -> None:
    before = server.call("GET", "/api/push")
    server.kill()
    server.start()
    assert server.call("GET", "/api/push") == before


@pytest.mark.parametrize(
    "connected",
    [
        [{"h", "b"}, {"h"}],  # a phone that was just locked seems to be connected for a while
        [{"h"}, {"h"}],
        [{"h"}, {"h", "b"}],
    ],
)
def test_a_turn_is_called_once_whether_its_guest_is_missed_at_the_first_look_or_the_last(
    monkeypatch: pytest.MonkeyPatch, connected: list[set[str]]
) -> None:
    monkeypatch.setattr(turn_calls, "GRACE_S", 0.01)
    monkeypatch.setattr(turn_calls, "LAST_LOOK_S", 0.02)
    looks = list(connected)  # the host is looked for twice in any case
    called: list[str] = []

    async def scene() -> None:
        hall = await two_in_a_hall()
        calls = TurnCalls(hall.table, lambda: looks.pop(0), called.append)
        await hall.must(HOST, messages.Start())
        calls.look(hall.table)
        await until(lambda: not looks)
        assert calls.is_idle

    act(scene)
    assert called == ["b"]


def test_a_table_stays_awake_until_everyone_who_is_away_has_been_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turn_calls, "GRACE_S", 0.01)

    async def scene() -> None:
        hall = await two_in_a_hall()
        await until(lambda: hall.owner.is_idle)
        monkeypatch.setattr(turn_calls, "LAST_LOOK_S", WAIT_TIMEOUT_S)
        await hall.must(HOST, messages.Start())
        assert not hall.owner.is_idle
        await until(lambda: hall.owner.is_idle)  # both have been called

    act(scene)


async def two_in_a_hall() -> Hall:
    hall = Hall("stupide_vautour", 2)
    await hall.must(HOST, messages.Sit())
    await hall.must(BOB, messages.Sit())
    return hall


# What is refused


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"language": "it"}, "language is 'it', expected one of fr, en, de"),
        ({"auth": "YWE"}, "auth has to be 16 bytes"),
        ({"auth": "?"}, "auth is not in base64url"),
        ({"p256dh": "YWE"}, "p256dh is not a point of P-256"),
        ({"p256dh": encoded(b"\4" + b"\1" * 64)}, "p256dh is not a point of P-256"),
        ({"endpoint": GOOGLE}, "not at a push service that this server knows"),
    ],
)
def test_a_subscription_that_cannot_be_used_is_refused(
    server: Server, service: Mailbox, change: dict[str, str], complaint: str
) -> None:
    ann = Person(server, "Ann")
    wish = Browser().subscription(service.endpoint("ann")) | change
    status, problem = ann.call("PUT", "/api/me/push", wish)
    assert (status, complaint in problem["error"]) == (400, True), problem


def test_a_visitor_without_a_name_cannot_subscribe(server: Server, service: Mailbox) -> None:
    wish = Browser().subscription(service.endpoint("x"))
    assert server.call("PUT", "/api/me/push", wish)[0] == 401
    assert server.call("DELETE", "/api/me/push", {"endpoint": "x"})[0] == 401


@pytest.mark.parametrize(
    "endpoint",
    [
        GOOGLE,
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/abc",
        "https://wns2-par02p.notify.windows.com/w/?token=abc",
    ],
)
def test_the_services_of_all_browsers_are_known(endpoint: str) -> None:
    assert PUSH_HOSTS.checked(endpoint).geturl() == endpoint


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://fcm.googleapis.com/x",
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://[::1]/x",
        "https://169.254.169.254/latest",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com:x/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evilfcm.googleapis.com/x",
        "https://evil.example/fcm.googleapis.com",
        "https://evil.example#fcm.googleapis.com",
        "https://evil.example?.push.apple.com",
        "https://evil.example\\.push.apple.com/x",
        "https://evilpush.apple.com/x",
        "https://fcm.googleapis.com@evil.example/x",
        "https://evil.example\\@fcm.googleapis.com/x",
        "https://me:secret@fcm.googleapis.com/x",
        "https://fcm.googleapis.com/x\r\nHost: evil.example",
        "https://fcm.googleapis.com/x y",
        "https://fcm.googleapis.com./x",
        "https://ｆcm.googleapis.com/x",
        f"https://{'a' * 64}.push.apple.com/x",
        "https://.push.apple.com/x",
        "https://a..push.apple.com/x",
        "https://a%2e.push.apple.com/x",
        "//fcm.googleapis.com/x",
        "file:///etc/passwd",
        GOOGLE + "x" * 1024,
    ],
)
def test_no_other_address_is_called(endpoint: str) -> None:
    wish = Subscription(**Browser().subscription(endpoint), contact="here")
    sender = Sender(new_secret())
    with pytest.raises(Refused, match="endpoint is"):
        sender.check(wish)
    with pytest.raises(Refused, match="endpoint is"):
        sender.send(wish, b"hello", "t")


# The encryption


def test_a_message_is_encrypted_as_the_example_of_the_standard() -> None:
    """RFC 8291, section 5 and appendix A."""
    ours = int.from_bytes(push_service._bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    theirs = int.from_bytes(
        push_service._bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big"
    )
    browser = Browser(
        ec.derive_private_key(theirs, ec.SECP256R1()), push_service._bytes("BTBZMqHH6r4Tts7J_aSIgg")
    )
    subscription = Subscription(**browser.subscription(GOOGLE), contact="here")
    body = encrypted(
        b"When I grow up, I want to be a watermelon",
        subscription,
        ec.derive_private_key(ours, ec.SECP256R1()),
        push_service._bytes("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
        "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy"
        "4a-fN"
    )


def test_no_message_is_encrypted_like_another() -> None:
    browser = Browser()
    subscription = Subscription(**browser.subscription(GOOGLE), contact="here")
    first, second = (encrypted(b"hello", subscription) for _ in range(2))
    assert first != second
    assert browser.read(first) == browser.read(second) == b"hello"
