"""X-Forwarded-For is believed only if the host has named its writer as a proxy."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from abuse.attackers import ATTACKER, RawSocket, ask, serving
from ludotheque.engine.refused import Refused
from ludotheque.server.proxies import UNNAMED_PROXY, Proxies
from people import WAIT_TIMEOUT_S, Person, Server

PROXY = "127.0.0.9"
FEW = 5


class ProxiedServer(Server):
    options = ("--trusted-proxy", PROXY, "--trusted-proxy", "10.0.0.0/8")
    command = """
from ludotheque.server import limits
limits.GUESTS = limits.GUESTS._replace(per_address=5)
limits.CONNECTIONS_PER_ADDRESS = 5
from ludotheque.cli import main; main()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(ProxiedServer, tmp_path_factory.mktemp("data")) as running:
        yield running


def become_guest(server: Server, source: str, **headers: str) -> tuple[int, dict[str, str], Any]:
    return ask(server, "POST", "/api/guests", {"name": "Eve"}, source, **headers)


def test_an_attacker_does_not_escape_limits_by_claiming_other_addresses(server: Server) -> None:
    until, numbers = time.monotonic() + WAIT_TIMEOUT_S, count()
    while (
        become_guest(server, ATTACKER, X_Forwarded_For=f"198.51.100.{next(numbers) % 250}")[0]
        != 429
    ):
        assert time.monotonic() < until, "X-Forwarded-For is believed"


def test_clients_of_a_named_proxy_are_told_apart(server: Server) -> None:
    for number in range(4 * FEW):
        assert become_guest(server, PROXY, X_Forwarded_For=f"203.0.113.{number}")[0] == 201


def test_what_a_client_wrote_before_it_came_to_the_proxy_is_not_believed(server: Server) -> None:
    until, numbers = time.monotonic() + WAIT_TIMEOUT_S, count()
    while (
        become_guest(
            server, PROXY, X_Forwarded_For=f"203.0.113.{next(numbers) % 250}, 192.0.2.1, 10.1.2.3"
        )[0]
        != 429
    ):
        assert time.monotonic() < until, "what the client wrote is believed"


def test_only_a_named_proxy_says_that_the_page_came_over_https(server: Server) -> None:
    for source, is_secure in ((PROXY, True), ("127.0.0.7", False)):
        headers = {"X-Forwarded-For": "192.0.2.77", "X-Forwarded-Proto": "https"}
        _, answered, _ = become_guest(server, source, **headers)
        assert ("; secure" in answered["set-cookie"].lower()) == is_secure


def test_sockets_through_a_proxy_count_for_the_client_behind_it(server: Server) -> None:
    table = Person(server, "Ann").open_table("stupide_vautour")

    def connect(client: str) -> int:
        return RawSocket(server, table, "", PROXY, X_Forwarded_For=client).status

    assert [connect("192.0.2.50") for _ in range(FEW)] == [101] * FEW
    assert connect("192.0.2.50") == 503
    assert connect("192.0.2.51") == 101


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:4711", "192.0.2.1"),
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ("2001:DB8::1", "2001:db8::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("192.0.2.1, 10.0.0.7", "192.0.2.1"),
        ("10.0.0.8, 10.0.0.7", "10.0.0.8"),
        ("rubbish", "127.0.0.9"),
        ("192.0.2.1, rubbish, 10.0.0.7", "10.0.0.7"),
        ("", "127.0.0.9"),
    ],
)
def test_the_last_address_that_is_no_proxy_counts(forwarded: str, client: str) -> None:
    proxies = Proxies([PROXY, "10.0.0.0/8"])
    assert proxies.client(PROXY, [(b"x-forwarded-for", forwarded.encode())]) == client


def test_headers_that_come_twice_are_read_in_their_order() -> None:
    headers = [(b"x-forwarded-for", b"192.0.2.1"), (b"x-forwarded-for", b"192.0.2.2")]
    assert Proxies([PROXY]).client(PROXY, headers) == "192.0.2.2"


@pytest.mark.parametrize("name", ["nowhere", "10.0.0.1/8", "10.0.0.0/99", "*", ""])
def test_a_proxy_that_is_no_address_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="expected an address or a network such as"):
        Proxies([name])


def test_a_host_who_forgot_to_name_a_proxy_is_told_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    proxies = Proxies()
    for _ in range(3):
        assert proxies.client("127.0.0.1", [(b"x-forwarded-for", b"192.0.2.1")]) == "127.0.0.1"
    (record,) = caplog.records
    assert record.getMessage() == UNNAMED_PROXY


def test_the_log_does_not_tell_whose_forwarding_is_not_believed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    Proxies().client("192.168.7.23", [(b"x-forwarded-for", b"192.0.2.1")])
    assert not {"192.168.7.23", "192.0.2.1"} & set(re.findall(r"[\d.]+", caplog.text))
