"""Calls to one's turn reach a device whose page is closed, if its player has asked for them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Playwright, Route, expect

from browsing import CHROMIUM, House, wait_for_worker, wait_until
from people import Server

# A browser that grants everything and has a push service, which tells what it was asked.
PUSH = """
window.Notification = class { static permission = "default"; };
Notification.requestPermission = async () => (Notification.permission = "granted");
const keys = { p256dh: "theirs", auth: "shared" };
const found = { endpoint: "https://push.example/1", unsubscribe: async () => (current = null) };
found.toJSON = () => ({ endpoint: found.endpoint, keys });
let current = null;
const pushManager = {
  getSubscription: async () => current,
  subscribe: async ({ userVisibleOnly, applicationServerKey }) => {
    window.subscribed = [userVisibleOnly, applicationServerKey.length];
    return (current = found);
  },
};
navigator.serviceWorker.register = async () => undefined;
navigator.serviceWorker.getRegistration = async () => ({ pushManager });
"""


def test_a_guest_who_asks_for_calls_is_subscribed_until_they_ask_no_more(
    house: House,
) -> None:
    page = house.page("Ada")
    page.add_init_script(PUSH)
    asked: list[tuple[str, Any]] = []

    def answer(route: Route) -> None:
        asked.append((route.request.method, json.loads(route.request.post_data or "")))
        route.fulfill(json=None)

    page.route("**/api/me/push", answer)
    page.goto("/")
    page.get_by_role("button", name="Language, theme and sounds").click()
    wish = page.get_by_role("checkbox", name="Notify me when it is my turn")
    expect(wish).not_to_be_checked()
    assert asked == []

    wish.check()
    wait_until(page, lambda: len(asked) == 1)
    keys = {"p256dh": "theirs", "auth": "shared"}
    there = {"endpoint": "https://push.example/1", **keys}
    assert asked[0] == ("PUT", {**there, "language": "en"})
    assert page.evaluate("window.subscribed") == [True, 65]
    page.get_by_role("button", name="Deutsch").click()
    wait_until(page, lambda: len(asked) == 2)
    assert asked[1] == ("PUT", {**there, "language": "de"})

    page.get_by_role("checkbox").last.uncheck()
    wait_until(page, lambda: len(asked) == 3)
    assert asked[2] == ("DELETE", {"endpoint": "https://push.example/1"})


@pytest.fixture
def windowed_house(playwright: Playwright, server: Server) -> Iterator[House]:
    """In a browser that has windows: one without them shows no notifications."""
    whole = {**CHROMIUM, "executable_path": shutil.which("chromium")}
    with playwright.chromium.launch(**whole) as browser:
        opened = House(browser, server)
        yield opened
        opened.close()
    assert opened.errors == []


def test_a_call_is_shown_in_its_language_and_leads_to_the_table(windowed_house: House) -> None:
    house = windowed_house
    page = house.page("Ada")
    page.context.grant_permissions(["notifications"])
    page.goto("/")
    wait_for_worker(page)
    session = page.context.new_cdp_session(page)
    found: list[Any] = []

    def note(event: Any) -> None:
        found.extend(event["registrations"])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")
    wait_until(page, lambda: found != [])
    message = {"title": "What’s Up", "body": "À vous", "table": "abc", "language": "fr"}
    session.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": f"http://{house.server.address}",
            "registrationId": found[0]["registrationId"],
            "data": json.dumps(message),
        },
    )
    shown = """navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then(
      (all) => all.map(({ title, body, lang, tag, data }) => [title, body, lang, tag, data])
    )"""
    wait_until(page, lambda: page.evaluate(shown) != [])
    assert page.evaluate(shown) == [["What’s Up", "À vous", "fr", "abc", "/t/abc"]]
