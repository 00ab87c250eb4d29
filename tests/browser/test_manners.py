"""Being oneself on several devices, letting people in, and peace at the table, as people see it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from playwright.sync_api import Page, expect

from browsing import House, do, open_match, open_table, wait_until
from people import Person

MARKUP = "<b onclick=x>&amp;"
RIGHT_TO_LEFT = "שלום 123"


def id_of(page: Page) -> str:
    return str(page.request.get("/api/me").json()["id"])


def menu(page: Page) -> Any:
    page.get_by_role("button", name="Table menu").click()
    return page.get_by_role("dialog")


def test_one_more_device_by_a_link_that_no_server_is_sent(house: House) -> None:
    laptop = house.page("Ada")
    laptop.add_init_script("navigator.clipboard.writeText = async (text) => (window.copied = text)")
    laptop.goto("/me")
    expect(laptop.get_by_text("this device")).to_be_visible()
    laptop.get_by_role("button", name="Make and copy a personal link").click()
    expect(laptop.get_by_role("button", name="Revoke this link")).to_be_visible()
    link: str = laptop.evaluate("window.copied")
    phone = house.page("Bob")
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url + str(request.headers)))
    phone.goto(link)
    expect(phone).to_have_url(f"http://{house.server.address}/r")
    phone.get_by_role("button", name="Yes, that’s me").click()
    expect(phone.get_by_role("button", name="Ada")).to_be_visible()
    token = link.partition("#")[2]
    assert len(token) > 20
    assert not any(token in text for text in asked)
    laptop.reload()
    expect(laptop.get_by_role("listitem")).to_have_count(2)
    laptop.get_by_role("button", name="Sign out Chrome on").click()
    expect(laptop.get_by_role("listitem")).to_have_count(1)
    phone.reload()
    expect(phone.get_by_role("button", name="Say hello")).to_be_visible()


def test_a_newcomer_knocks_and_the_host_lets_them_in(house: House) -> None:
    host, guest, other = house.page("Ada"), house.page("Ben"), house.page("Eve")
    path = open_table(host, "stupide_vautour", 3)
    host.get_by_label("Ask the host").check()
    expect(host.get_by_label("Ask the host")).to_be_checked()
    guest.goto(path)
    expect(guest.get_by_role("status").filter(has_text="The host has been asked")).to_be_visible()
    expect(guest.get_by_text("Ada")).to_have_count(0)
    expect(host.get_by_text("Ben would like to come in").first).to_be_visible()
    host.get_by_role("button", name="Let Ben in").focus()
    host.keyboard.press("Enter")
    guest.get_by_role("button", name="Sit down").first.click()
    expect(host.get_by_role("listitem").filter(has_text="Ben")).to_be_visible()
    other.goto(path)
    host.get_by_role("button", name="Refuse Eve").click()
    expect(other.get_by_role("heading", name="You cannot come in")).to_be_visible()
    nobody = house.page()
    nobody.goto(path)
    expect(nobody.get_by_role("button", name="Ask to come in")).to_be_visible()


def test_a_host_mutes_and_removes(house: House) -> None:
    host, guest = house.page("Ada", viewport={"width": 1440, "height": 900}), house.page("Ben")
    path = open_table(host, "stupide_vautour", 3)
    do(guest, path, "sit")
    do(host, path, "start")
    guest.goto(path)
    do(guest, path, "say", text="rude words")
    host.get_by_role("tab", name="Chat").click()
    chat = host.get_by_role("list", name="Chat")
    expect(chat.get_by_text("rude words")).to_be_visible()
    people = menu(host)
    people.get_by_role("button", name="Mute Ben").click()
    expect(people.get_by_role("button", name="Unmute Ben")).to_be_visible()
    expect(chat.get_by_text("rude words")).to_have_count(0)
    people.get_by_role("button", name="Remove Ben from the table").click()
    people.get_by_role("button", name="Yes, remove").click()
    expect(guest.get_by_role("heading", name="You cannot come in")).to_be_visible()
    people.get_by_role("button", name="Let Ben in").click()
    expect(guest.get_by_role("button", name="Take my seat back")).to_be_visible()


def test_when_somebody_is_removed_the_link_to_the_big_screen_has_another_key(house: House) -> None:
    host, guest = house.page("Ada"), house.page("Ben")
    path = open_table(host, "stupide_vautour", 3)
    host.get_by_label("Ask the host").check()
    expect(host.get_by_label("Ask the host")).to_be_checked()
    do(host, path, "let_in", guest=knock(guest, path))
    do(guest, path, "sit")
    link = host.get_by_role("link", name="big screen")
    expect(link).to_have_attribute("href", re.compile(f"{path}/screen#."))
    wait_until(host, lambda: link.get_attribute("href") == key_of(guest, path))
    before = link.get_attribute("href")
    do(host, path, "remove", guest=id_of(guest))
    expect(link).not_to_have_attribute("href", str(before))
    wait_until(host, lambda: link.get_attribute("href") == key_of(host, path))


def knock(page: Page, path: str) -> str:
    page.goto(path)
    expect(page.get_by_role("status").filter(has_text="The host has been asked")).to_be_visible()
    return id_of(page)


def key_of(page: Page, path: str) -> str:
    told = page.request.get(f"/api/tables/{path.removeprefix('/t/')}/screen").json()
    return f"{path}/screen#{told['key']}"


def test_a_guest_deletes_all_that_is_kept_of_them(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "stupide_vautour", 2)
    page.goto("/me")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download my data").click()
    assert '"Ada"' in download.value.path().read_text()
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("button", name="Yes, delete everything").click()
    expect(page.get_by_role("button", name="Say hello")).to_be_visible()
    assert page.request.get("/api/me").json() is None
    assert "Ada" not in page.evaluate("JSON.stringify(localStorage)")


def test_markup_and_right_to_left_texts_are_only_texts(house: House) -> None:
    page = house.page(MARKUP, viewport={"width": 1440, "height": 900})
    path = open_table(page, "stupide_vautour", 3)
    do(page, path, "say", text='<img src=x onerror="window.hacked=1">')
    dana = Person(house.server, RIGHT_TO_LEFT)
    assert dana.do(path.removeprefix("/t/"), "sit")[0] == 200
    assert dana.do(path.removeprefix("/t/"), "say", text=f"{RIGHT_TO_LEFT}\u202e abc")[0] == 200
    chat = page.get_by_role("list", name="Chat")
    expect(chat).to_contain_text("<img src=x onerror=")
    expect(chat.locator("img, b [onclick]")).to_have_count(0)
    expect(chat).to_contain_text(f"{RIGHT_TO_LEFT} abc")  # the override is gone
    expect(page.get_by_role("listitem").filter(has_text=MARKUP).first).to_be_visible()
    remove = page.get_by_role("button", name="Free")
    label = remove.first.get_attribute("aria-label") or ""
    assert f"\u2068{RIGHT_TO_LEFT}\u2069" in label
    assert page.evaluate("window.hacked") is None


# Other pages


@contextmanager
def hostile_page(script: str) -> Iterator[str]:
    """The address of a page of another origin."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(script.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_hostile_page_does_not_act_for_a_guest(house: House) -> None:
    """Another port of the same machine is the same site: the cookie is sent, and does not help."""
    page = house.page("Ada")
    path = open_table(page, "stupide_vautour", 2)
    own, me = f"http://{house.server.address}", id_of(page)
    script = f"""<script>
    const own = "{own}", table = own + "/api/tables/{path.removeprefix("/t/")}";
    const ask = (address, method, body) => fetch(address, {{
      method, credentials: "include", mode: body ? "no-cors" : "cors",
      headers: {{ "Content-Type": "text/plain" }}, ...(body && {{ body }}),
    }}).then((answer) => answer.type, () => "failed");
    const socket = new Promise((resolve) => {{
      const one = new WebSocket(table.replace("http", "ws") + "/socket");
      one.onopen = () => resolve("open");
      one.onerror = () => resolve("failed");
    }});
    Promise.all([
      ask(own + "/api/me", "GET"), ask(own + "/api/me/data", "GET"), ask(own + "/api/me", "DELETE"),
      ask(table + "/commands", "POST", '{{"id":"1","command":{{"do":"leave"}}}}'), socket,
    ]).then((found) => (window.found = found));
    </script>"""
    with hostile_page(script) as address:
        evil = page.context.new_page()
        evil.goto(address)
        evil.wait_for_function("() => window.found")
        assert evil.evaluate("found") == ["failed", "failed", "failed", "opaque", "failed"]
    assert id_of(page) == me
    assert page.request.get(f"/api/tables/{path.removeprefix('/t/')}").json()["you"] == [0]


def test_a_hostile_page_does_not_frame_the_table(house: House) -> None:
    """Beside it stands a frame that is not refused: it shows that this browser has tried."""
    page = house.page("Ada")
    path = open_table(page, "stupide_vautour", 2)
    own = f"http://{house.server.address}{path}"
    script = f'<iframe src="{own}"></iframe><iframe srcdoc="<main>Mine</main>"></iframe>'
    told: list[str] = []
    with hostile_page(script) as address:
        evil = page.context.new_page()
        evil.on("console", lambda message: told.append(message.text))
        evil.goto(address)  # which has loaded when its frames have
        _, table, mine = evil.frames
        assert mine.locator("main").inner_text() == "Mine"
        assert table.url == "chrome-error://chromewebdata/"
        wait_until(page, lambda: any("frame-ancestors" in text for text in told))
