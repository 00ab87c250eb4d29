"""Guests are signed in on devices, by tokens that are stored nowhere and can be ended."""

from __future__ import annotations

import asyncio
import sqlite3
import time
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest
from itsdangerous import URLSafeSerializer
from starlette.requests import HTTPConnection
from websockets.exceptions import ConnectionClosed

from ludotheque.server import devices
from ludotheque.server.devices import Devices, hash_of
from ludotheque.server.identity import Identity
from ludotheque.server.player import Player
from ludotheque.server.store import Store
from ludotheque.server.web_push import Subscription
from people import NewPerson, Person, Server
from scenes import act

ANN = Player("a" * 16, "Ann", 3)
FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/124.0 Safari/537.36 Edg/124.0"
)


def who(server: Server, token: str) -> str | None:
    _, guest = server.call("GET", "/api/me", Authorization=f"Bearer {token}")
    return None if guest is None else str(guest["id"])


def cookie_of(server: Server, method: str, path: str, body: bytes, **headers: str) -> str:
    """The token in the cookie that an answer sets."""
    address = f"http://{server.address}{path}"
    request = urllib.request.Request(address, body, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        cookie: str = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    return cookie.partition(";")[0].partition("=")[2]


def recovered(server: Server, token: str, **headers: str) -> str:
    return cookie_of(server, "POST", "/api/recover", f'{{"token": "{token}"}}'.encode(), **headers)


# Tokens


def test_only_a_new_guest_is_told_a_token_and_no_page_ever(
    server: Server, person: NewPerson
) -> None:
    ann = person("Ann")
    told = {"id": ann.id, "name": "Ann", "avatar": 3}
    assert ann.call("GET", "/api/me") == (200, told)
    assert ann.call("PUT", "/api/me", {"name": "Ann", "avatar": 3}) == (200, told)
    own = f"http://{server.address}"
    _, page = server.call("POST", "/api/guests", {"name": "Eve"}, Origin=own)
    assert page["token"] == ""
    as_cookie = {"Cookie": f"ludotheque={ann.token}"}
    assert server.call("GET", "/api/me", **as_cookie) == (200, told)


def test_storage_knows_no_token(fresh_server: Server) -> None:
    ann = Person(fresh_server, "Ann")
    _, link = ann.call("POST", "/api/me/recovery")
    fresh_server.stop()
    stored = b"".join(path.read_bytes() for path in fresh_server.data.glob("tables.sqlite*"))
    assert hash_of(ann.token).encode() in stored
    assert ann.token.encode() not in stored
    assert link["token"].encode() not in stored
    fresh_server.start()


# Devices


def test_devices_are_named_by_browser_and_system() -> None:
    named = {
        (devices._named(devices.BROWSERS, agent), devices._named(devices.SYSTEMS, agent))
        for agent in (FIREFOX, SAFARI, EDGE, "Python-urllib/3.11")
    }
    expected = {("Firefox", "Android"), ("Safari", "iPhone"), ("Edge", "Windows"), ("", "")}
    assert named == expected


def test_a_guest_sees_their_devices_and_signs_one_out(server: Server, person: NewPerson) -> None:
    ann, eve = person("Ann"), person("Eve")
    _, link = ann.call("POST", "/api/me/recovery")
    phone = recovered(server, link["token"], **{"User-Agent": FIREFOX})
    assert who(server, phone) == ann.id
    _, found = ann.call("GET", "/api/me/devices")
    kinds = {(d["browser"], d["system"], d["is_this"]) for d in found}
    assert kinds == {("Firefox", "Android", False), ("", "", True)}
    other = next(d["id"] for d in found if not d["is_this"])
    assert eve.call("DELETE", f"/api/me/devices/{other}")[0] == 404
    assert who(server, phone) == ann.id
    assert ann.call("DELETE", f"/api/me/devices/{other}")[0] == 200
    assert (who(server, phone), who(server, ann.token)) == (None, ann.id)


def test_signing_out_ends_the_sockets_of_the_device_and_no_other(
    server: Server, person: NewPerson
) -> None:
    ann = person("Ann")
    table = ann.open_table("stupide_vautour")
    _, link = ann.call("POST", "/api/me/recovery")
    phone = recovered(server, link["token"])
    here, there = ann.connect(table), ann.connect(table)
    there.close()
    ann.token, laptop = phone, ann.token
    there = ann.connect(table)
    here.update(), there.update()
    _, found = ann.call("GET", "/api/me/devices")
    stolen = next(d["id"] for d in found if d["is_this"])
    ann.token = laptop
    assert ann.call("DELETE", f"/api/me/devices/{stolen}")[0] == 200
    with pytest.raises(ConnectionClosed):
        there.wait(lambda _: False)
    assert here.reply(here.request("say", text="still here"))["done"]


def test_signing_out_everywhere_leaves_nothing_that_works(
    server: Server, person: NewPerson
) -> None:
    ann = person("Ann")
    _, link = ann.call("POST", "/api/me/recovery")
    phone = recovered(server, link["token"])
    _, unused = ann.call("POST", "/api/me/recovery")
    assert ann.call("DELETE", "/api/me/devices?others")[0] == 200
    assert (who(server, phone), who(server, ann.token)) == (None, ann.id)
    assert server.call("POST", "/api/recover", unused)[0] == 401
    assert ann.call("DELETE", "/api/me/devices")[0] == 200
    assert who(server, ann.token) is None


# Recovery links


def test_a_recovery_link_works_once(server: Server, person: NewPerson) -> None:
    ann = person("Ann")
    _, link = ann.call("POST", "/api/me/recovery")
    assert who(server, link["token"]) is None  # it is not the token of a device
    assert 0 < ann.call("GET", "/api/me/recovery")[1]["seconds"] <= 15 * 60
    assert who(server, recovered(server, link["token"])) == ann.id
    assert ann.call("GET", "/api/me/recovery")[1] == {"seconds": 0}
    status, problem = server.call("POST", "/api/recover", link)
    assert status == 401
    assert "used before" in problem["error"]


def test_a_new_recovery_link_ends_the_one_before_and_any_can_be_revoked(
    server: Server, person: NewPerson
) -> None:
    ann = person("Ann")
    _, first = ann.call("POST", "/api/me/recovery")
    _, second = ann.call("POST", "/api/me/recovery")
    assert server.call("POST", "/api/recover", first)[0] == 401
    assert ann.call("DELETE", "/api/me/recovery")[0] == 200
    assert server.call("POST", "/api/recover", second)[0] == 401
    assert server.call("POST", "/api/recover", {"token": ann.token})[0] == 401


Scene = Callable[[Identity, Store], Awaitable[None]]


def with_identity(folder: Path, scene: Scene, secret: str = "s") -> None:
    async def play() -> None:
        store = Store(f"sqlite:///{folder}/tables.sqlite")
        await store.open()
        await scene(Identity(secret, store), store)
        await store.close()

    act(play)


def asking(token: str) -> HTTPConnection:
    headers = [(b"authorization", f"Bearer {token}".encode())]
    return HTTPConnection({"type": "http", "headers": headers})


def later(monkeypatch: pytest.MonkeyPatch, ms: int) -> None:
    now = time.time
    monkeypatch.setattr(devices, "now_ms", lambda: int(now() * 1000) + ms)
    monkeypatch.setattr("ludotheque.server.identity.now_ms", devices.now_ms)


def test_a_recovery_link_ends_after_15_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(identity: Identity, _: Store) -> None:
        await identity.devices.enter(ANN, "")
        link = await identity.devices.new_link(ANN.id)
        later(monkeypatch, 15 * 60 * 1000 + 1)
        assert await identity.devices.use_link(link, "", None) is None
        assert await identity.devices.link_left_ms(ANN.id) == 0

    with_identity(tmp_path, scene)


def test_when_a_device_was_seen_is_written_once_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(identity: Identity, _: Store) -> None:
        token = await identity.devices.enter(ANN, FIREFOX)
        (new,) = await identity.devices.of(ANN.id)
        assert await identity.of(asking(token)) == ANN
        assert not identity._notes
        later(monkeypatch, 3600 * 1000 + 1)
        assert await identity.of(asking(token)) == ANN
        await asyncio.gather(*identity._notes)
        (seen,) = await identity.devices.of(ANN.id)
        assert seen.seen > new.seen + 3600 * 1000
        assert await identity.of(asking(token)) == ANN
        assert not identity._notes

    with_identity(tmp_path, scene)


def test_a_guest_has_so_many_devices_and_the_oldest_go(tmp_path: Path) -> None:
    async def scene(identity: Identity, _: Store) -> None:
        first = await identity.devices.enter(ANN, "")
        tokens = [await identity.devices.add(ANN.id, "") for _ in range(devices.DEVICES_KEPT)]
        assert len(await identity.devices.of(ANN.id)) == devices.DEVICES_KEPT
        assert await identity.of(asking(first)) is None
        assert await identity.of(asking(tokens[-1])) == ANN

    with_identity(tmp_path, scene)


# Tokens of earlier versions


def former_token(secret: str, guest: str) -> str:
    return str(URLSafeSerializer(secret, salt="player").dumps(guest))


def test_a_former_token_is_accepted_until_a_device_is_signed_out(tmp_path: Path) -> None:
    async def scene(identity: Identity, store: Store) -> None:
        await identity.devices.enter(ANN, "")
        token = former_token("s", ANN.id)
        assert await identity.of(asking(token)) is None  # the guest never had one
        with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection:
            connection.execute("UPDATE players SET has_former_token = 1")
            connection.commit()
        assert await identity.of(asking(token)) == ANN
        assert await identity.of(asking(former_token("another", ANN.id))) is None
        await identity.devices.sign_out(ANN.id)
        assert await identity.of(asking(token)) is None

    with_identity(tmp_path, scene)


def test_a_former_cookie_becomes_that_of_a_device(fresh_server: Server) -> None:
    ann = Person(fresh_server, "Ann")
    with closing(sqlite3.connect(fresh_server.data / "tables.sqlite")) as connection:
        connection.execute("UPDATE players SET has_former_token = 1")
        connection.commit()
        stored = connection.execute("SELECT value FROM secrets WHERE name = 'tokens'")
        former = former_token(stored.fetchone()[0], ann.id)
    headers = {"Cookie": f"ludotheque={former}", "User-Agent": SAFARI}
    request = urllib.request.Request(f"http://{fresh_server.address}/api/me", headers=headers)
    with urllib.request.urlopen(request) as answer:
        token = answer.headers["set-cookie"].partition(";")[0].partition("=")[2]
    assert token != former
    assert who(fresh_server, token) == ann.id
    _, found = ann.call("GET", "/api/me/devices")
    assert ("Safari", "iPhone") in {(d["browser"], d["system"]) for d in found}


def test_links_of_earlier_versions_are_refused(tmp_path: Path) -> None:
    """They worked for ever, for everyone who had once seen them."""

    async def scene(identity: Identity, _: Store) -> None:
        await identity.devices.enter(ANN, "")
        link = str(URLSafeSerializer("s", salt="recovery").dumps(ANN.id))
        assert await identity.devices.use_link(link, "", None) is None

    with_identity(tmp_path, scene)


def test_devices_of_a_guest_are_nobody_elses(tmp_path: Path) -> None:
    async def scene(identity: Identity, store: Store) -> None:
        bob = Player("b" * 16, "Bob", 1)
        await identity.devices.enter(ANN, "")
        token = await Devices(store).enter(bob, "")
        (device,) = await identity.devices.of(bob.id)
        await identity.devices.sign_out(ANN.id, device.id)
        assert await identity.of(asking(token)) == bob

    with_identity(tmp_path, scene)


def test_a_device_that_is_signed_out_is_called_no_more(tmp_path: Path) -> None:
    async def scene(identity: Identity, store: Store) -> None:
        await identity.devices.enter(ANN, "")
        (device,) = await identity.devices.of(ANN.id)
        for number, name in enumerate((device.id, "another")):
            there = Subscription(f"https://push.example/{number}", "k", "a", "en", "")
            await store.save_subscription(ANN.id, there, 1, name)
        await identity.devices.sign_out(ANN.id, device.id)
        left = await store.subscriptions(ANN.id)
        assert [each.endpoint for each in left] == ["https://push.example/1"]

    with_identity(tmp_path, scene)


def test_a_name_changed_while_a_table_slept_is_there_when_it_wakes(fresh_server: Server) -> None:
    ann = Person(fresh_server, "Ann")
    table = ann.open_table("stupide_vautour", seats=2)
    fresh_server.stop()
    with closing(sqlite3.connect(fresh_server.data / "tables.sqlite")) as connection:
        connection.execute("UPDATE players SET name = 'Anna'")
        connection.commit()
    fresh_server.start()
    assert ann.look(table)["table"]["seats"][0]["name"] == "Anna"
