"""Nobody does anything too often; who may do how much does not depend on where they do it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from ludotheque.server import limits, messages
from ludotheque.server.counts import Counts
from ludotheque.server.limits import (
    ALL,
    GUESTS,
    HINTS,
    READS,
    SHARE_WORTH_TELLING,
    TABLES,
    Bucket,
    Limit,
    Pace,
    TooOften,
)
from people import Server

CLUB = 60  # people at one address


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def allowed(pace: Pace, limit: Limit, address: str, times: int, guest: str = "") -> int:
    return sum(is_allowed(pace, limit, address, guest) for _ in range(times))


def is_allowed(pace: Pace, limit: Limit, address: str, guest: str = "") -> bool:
    try:
        pace.count(limit, address, guest)
    except TooOften:
        return False
    return True


@pytest.mark.parametrize("limit", ALL, ids=lambda limit: limit.name)
def test_an_address_has_a_minutes_share_at_once_and_then_as_time_goes_by(limit: Limit) -> None:
    clock, share = Clock(), limit.per_address
    pace = Pace(clock)
    assert allowed(pace, limit, "here", 2 * share) == share
    clock.now += 30
    assert allowed(pace, limit, "here", 2 * share) == share // 2
    clock.now += 3600
    assert allowed(pace, limit, "here", 2 * share) == share


@pytest.mark.parametrize(
    "limit", [limit for limit in ALL if limit.per_guest], ids=lambda limit: limit.name
)
def test_a_guest_has_a_share_of_their_own_wherever_they_are(limit: Limit) -> None:
    pace = Pace(Clock())
    assert allowed(pace, limit, "here", 2 * limit.per_guest, "ann") == limit.per_guest
    assert allowed(pace, limit, "there", 2 * limit.per_guest, "ann") == 0
    assert allowed(pace, limit, "here", 1, "bob") == 1


def test_addresses_and_limits_do_not_share_their_pace() -> None:
    pace = Pace(Clock())
    assert allowed(pace, GUESTS, "here", 200) == GUESTS.per_address
    assert allowed(pace, GUESTS, "there", 200) == GUESTS.per_address
    assert allowed(pace, TABLES, "here", 400) == TABLES.per_address


def test_what_a_guest_is_refused_is_not_counted_for_the_address() -> None:
    pace = Pace(Clock())
    assert allowed(pace, HINTS, "here", 10 * HINTS.per_address, "ann") == HINTS.per_guest
    rest = HINTS.per_address - HINTS.per_guest
    assert allowed(pace, HINTS, "here", HINTS.per_address) == rest


def test_a_refusal_says_what_and_when_again() -> None:
    pace = Pace(Clock())
    allowed(pace, HINTS, "here", HINTS.per_guest, "ann")
    with pytest.raises(TooOften) as refused:
        pace.count(HINTS, "here", "ann")
    assert str(refused.value) == "too much asking for hints; try again in 2 seconds"
    assert (refused.value.seconds, refused.value.reason) == (2, "too_often")
    allowed(pace, HINTS, "here", HINTS.per_address)
    with pytest.raises(TooOften) as refused:
        pace.count(HINTS, "here", "bob")
    assert str(refused.value) == (
        "too much asking for hints from your address; try again in 1 second"
    )


def test_refusals_are_counted_by_what_was_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counts()
    monkeypatch.setattr(limits, "counts", counted)
    pace = Pace(Clock())
    allowed(pace, HINTS, "here", HINTS.per_guest + 3, "ann")
    allowed(pace, TABLES, "here", TABLES.per_guest + 2, "ann")
    assert counted.refusals == {("limit", "hints"): 3, ("limit", "tables"): 2}


def test_what_one_home_has_in_ipv6_is_one_address() -> None:
    pace = Pace(Clock())
    assert allowed(pace, GUESTS, "2001:db8:0:1::1", 200) == GUESTS.per_address
    assert allowed(pace, GUESTS, "2001:db8:0:1:ffff::9", 200) == 0
    assert allowed(pace, GUESTS, "2001:db8:0:2::1", 200) == GUESTS.per_address


# What people in a hurry do in a minute, as often as anyone is likely to.
HURRY: dict[Limit, int] = {
    limits.REQUESTS: 120,  # a page with all its parts, and what it asks for
    limits.GUESTS: 1,  # everyone comes for the first time at once
    limits.ACCOUNT: 3,
    limits.DATA: 1,
    limits.CODES: 1,
    limits.SOCKETS: 6,  # the wireless network comes and goes
    limits.TABLES: 3,
    limits.SEATS: 30,
    limits.MOVES: 180,  # three a second, in a race
    limits.CHAT: 20,
    limits.HINTS: 8,
    limits.READS: 60,
    limits.WARMUPS: 40,
    limits.PUSH: 3,
}


@pytest.mark.parametrize("limit", ALL, ids=lambda limit: limit.name)
def test_a_club_of_sixty_on_one_address_meets_no_limit(limit: Limit) -> None:
    pace, times = Pace(Clock()), HURRY[limit]
    for number in range(CLUB):
        guest = f"guest {number}" if limit.per_guest else ""
        assert allowed(pace, limit, "the club", times, guest) == times


@pytest.mark.parametrize(
    ("command", "limit"),
    [
        (messages.Play(1), limits.MOVES),
        (messages.Contribute("00" * 16, ""), limits.MOVES),
        (messages.Say("hello"), limits.CHAT),
        (messages.Sit(), limits.SEATS),
        (messages.Start(), limits.SEATS),
        (messages.Rematch(), limits.SEATS),
    ],
)
def test_every_command_counts(command: Any, limit: Limit) -> None:
    assert limits.of(command) is limit


def test_a_clock_that_is_set_back_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    pace, often = Pace(), Limit("often", 60_000, 60_000, "asking")
    while is_allowed(pace, often, "here"):
        pass
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 3600)
    until = time.monotonic() + 60
    while not is_allowed(pace, often, "here"):
        assert time.monotonic() < until
        time.sleep(0.001)


def test_an_address_that_has_not_asked_for_a_while_is_forgotten() -> None:
    clock = Clock()
    pace = Pace(clock)
    allowed(pace, GUESTS, "busy", 200)
    largest = 0
    for number in range(20_480):
        pace.count(GUESTS, f"visitor {number}")
        clock.now += 1 / 512
        largest = max(largest, len(pace))
    assert largest <= 1000
    assert allowed(pace, GUESTS, "busy", 200) == 80  # 40 seconds later: it was not forgotten


def test_a_guest_is_at_the_home_from_where_they_have_last_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pace = Pace()
    assert pace.home_of("ann") == "guest ann"
    pace.count(limits.MOVES, "192.0.2.1", "ann")
    pace.count(limits.MOVES, "2001:db8::1", "ann")
    assert pace.home_of("ann") == limits.home("2001:db8::2")
    monkeypatch.setattr(limits, "GUESTS_KNOWN", 2)
    for guest in ("bob", "ann", "cid"):
        pace.count(limits.MOVES, "192.0.2.1", guest)
    homes = [pace.home_of(guest) for guest in ("ann", "bob", "cid")]
    assert homes == ["192.0.2.1", "guest bob", "192.0.2.1"]


def test_a_bucket_that_refuses_takes_nothing() -> None:
    clock = Clock()
    bucket = Bucket(2, clock=clock)
    assert [bucket.allows() for _ in range(50)] == [True, True] + [False] * 48
    clock.now += 0.5
    assert [bucket.allows() for _ in range(2)] == [True, False]


def test_guests_are_not_made_by_the_hundred(fresh_server: Server) -> None:
    """Two a second are always allowed, so this asks faster than that until it is refused."""
    until = time.monotonic() + 60
    while (answer := fresh_server.call("POST", "/api/guests", {"name": "x"}))[0] == 201:
        assert time.monotonic() < until, "an address may make guests without end"
    status, problem = answer
    assert (status, problem["reason"]) == (429, "too_often")
    assert problem["error"] == (
        "too much making or recovering guests from your address; try again in 1 second"
    )


# Several nodes


def two_nodes() -> tuple[Pace, Pace]:
    clock = Clock()
    here, there = Pace(clock), Pace(clock)
    here.is_shared = there.is_shared = True
    return here, there


@pytest.mark.parametrize("limit", ALL, ids=lambda limit: limit.name)
def test_what_was_used_on_one_node_is_used_on_the_others(limit: Limit) -> None:
    here, there = two_nodes()
    guest = "ann" if limit.per_guest else ""
    share = limit.per_guest or limit.per_address
    assert allowed(here, limit, "home", share, guest) == share
    there.count_elsewhere(here.take_used())
    assert not is_allowed(there, limit, "home", guest)
    assert is_allowed(there, limit, "elsewhere", "bob" if guest else "")


def test_what_was_told_is_told_once_and_comes_back_from_nobody() -> None:
    here, there = two_nodes()
    allowed(here, GUESTS, "home", GUESTS.per_address // 2)
    there.count_elsewhere(here.take_used())
    assert (here.take_used(), there.take_used()) == ([], [])
    assert allowed(there, GUESTS, "home", 2 * GUESTS.per_address) == GUESTS.per_address // 2


def test_next_to_nothing_is_not_worth_telling_until_it_adds_up() -> None:
    here, _ = two_nodes()
    few = READS.per_address // SHARE_WORTH_TELLING - 1
    allowed(here, READS, "home", few)
    assert here.take_used() == []
    allowed(here, READS, "home", 1)
    assert here.take_used() == [(READS.name, "home", few + 1)]


def test_a_limit_that_only_another_version_knows_is_not_counted() -> None:
    _, there = two_nodes()
    there.count_elsewhere([("of tomorrow", "home", 10**6)])
    assert len(there) == 0


def test_a_single_server_keeps_no_notes_for_others() -> None:
    pace = Pace(Clock())
    allowed(pace, GUESTS, "home", GUESTS.per_address)
    assert pace.take_used() == []
