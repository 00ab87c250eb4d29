"""Links to give to others lead to this server from their devices too."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from starlette.requests import Request

from ludotheque.server import addresses
from ludotheque.server.addresses import network_origin, origin_to_share
from ludotheque.server.api.qr_code import _drawn, qr_picture
from ludotheque.server.configuration import Configuration
from people import Server
from scenes import act

NETWORK = Configuration(host="0.0.0.0", port=8123)


@pytest.fixture(autouse=True)
def in_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_network_address", lambda: "192.0.2.7")


def asked(host: str, client: str = "127.0.0.1", **headers: str) -> Request:
    sent = {"host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return Request(
        {
            "type": "http",
            "scheme": "http",
            "path": "/",
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
            "client": (client, 4711),
        }
    )


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]"])
def test_a_browser_on_this_machine_gives_its_address_in_the_network(name: str) -> None:
    assert origin_to_share(asked(f"{name}:8123"), NETWORK) == "http://192.0.2.7:8123"


def test_a_browser_elsewhere_gives_the_address_that_it_uses() -> None:
    request = asked("192.0.2.7:8123", client="192.0.2.9")
    assert origin_to_share(request, NETWORK) == "http://192.0.2.7:8123"
    assert origin_to_share(asked("games.example"), NETWORK) == "http://games.example"


def test_behind_a_proxy_on_this_machine_the_address_stays() -> None:
    request = asked("localhost:8123", x_forwarded_for="192.0.2.9")
    assert origin_to_share(request, NETWORK) == "http://localhost:8123"


def test_a_server_for_this_machine_alone_names_no_address_in_the_network() -> None:
    alone = Configuration(host="127.0.0.1", port=8123)
    assert network_origin(alone) is None
    assert origin_to_share(asked("localhost:8123"), alone) == "http://localhost:8123"


def test_without_a_network_the_address_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_network_address", lambda: None)
    assert origin_to_share(asked("localhost:8123"), NETWORK) == "http://localhost:8123"


def test_pages_are_told_the_address(server: Server) -> None:
    assert server.call("GET", "/api/address") == (200, {"origin": f"http://{server.address}"})


def test_the_code_for_phones_leads_to_the_address_to_share() -> None:
    request = asked("localhost:8123")
    request.state.services = SimpleNamespace(configuration=NETWORK)
    picture = act(lambda: qr_picture(request, "/t/abcdefgh"))
    assert picture.body == _drawn("http://192.0.2.7:8123/t/abcdefgh")
