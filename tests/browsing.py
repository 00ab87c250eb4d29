"""Pages of a real browser at a real server, and people who play in them by what they see."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypedDict, Unpack

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright
from playwright.sync_api import Error as PageError

from people import WAIT_TIMEOUT_S, Server

CHROMIUM: dict[str, Any] = {  # how it is launched, here and in scripts and benchmarks
    # Without a window of its own it needs a fraction of the processor time.
    "executable_path": shutil.which("chromium-headless-shell") or shutil.which("chromium"),
    "args": [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ],
}
ATTEMPT_TIMEOUT_MS = 10_000  # after which another player was probably quicker; it is tried again
GAMES = ("stupide_vautour", "whats_up", "up_and_down", "team_up", "ubongo")
SHORT: dict[str, dict[str, object]] = {
    "stupide_vautour": {},
    "whats_up": {"stall": "eight turns", "first": 0},
    "up_and_down": {"deals": 1, "ties": "shared"},
    "team_up": {},
    "ubongo": {"time_limit": 4, "countdown": 0},
}
# Notes every sentence of the match that a screen reader is given, whenever it is taken away.
LISTEN = """
window.heard = [];
new MutationObserver((changes) => {
  for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
    if (node.nodeName === "P" && node.closest("[role=log]")) window.heard.push(node.textContent);
}).observe(document, { childList: true, subtree: true });
"""
# A pallet from above is drawn sooner than one in 3-D without a graphics card; one that is asked for
# in 3-D stays so, however slow it is.
VIEW = """
if (location.protocol === "http:" && localStorage.getItem("ludotheque.team_up.view") === null)
  localStorage.setItem("ludotheque.team_up.view", "{view}");
"""
# What is told is shown for a twentieth of its time; the connection waits for answers as usual.
HURRY = """
const wait = window.setTimeout.bind(window);
window.setTimeout = (run, ms = 0) => wait(run, ms < 2500 ? ms / 20 : ms);
"""
VISIONS = ("protanopia", "deuteranopia", "tritanopia")  # each lacks one of the three kinds of cones
TARGET_PX = 44
# What a finger has to hit and is too small for it. A box to tick is hit by its label, and a link
# within a sentence is as high as its line.
SMALL_TARGETS = """(least) => {
  const hit = (element) => {
    const label = element.matches("[type=checkbox], [type=radio]") && element.closest("label");
    const { width, height } = (label || element).getBoundingClientRect();
    const after = getComputedStyle(element, "::after");  // it may take the finger as well
    const reach = after.position === "absolute" && after.content !== "none" ? after : {};
    return {
      width: Math.max(width, parseFloat(reach.width) || 0),
      height: Math.max(height, parseFloat(reach.height) || 0),
    };
  };
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  return [...(dialog ?? document).querySelectorAll("button, a, input, select, textarea, summary")]
  .filter((element) => element.checkVisibility() && !element.matches("p a"))
  .filter((element) => !element.matches("[inert] *, :disabled"))
  .map((element) => [element, hit(element)])
  .filter(([, { width, height }]) => width > 1 && Math.min(width, height) < least - 0.5)
  .map(([{ ariaLabel, textContent, tagName, className }, { width, height }]) =>
    `${tagName}.${className} ${ariaLabel ?? textContent.trim()}: ${width} × ${height}`);
}"""
# The browser's own words for what tests bring about: servers that are away, requests refused. A
# page asks nothing that needs a name before it has one (401, as for a link that signs nobody in),
# and no request may fail (5xx).
QUIET = re.compile(
    r"Failed to load resource: (net::|the server responded with a status of 4(?!01))"
    r"|Failed to load resource: the server responded with a status of 401 .*/api/recover$"
    r"|WebSocket connection to"
    r"|Chrome currently does not support the Push API in incognito mode"
)


class HurriedServer(Server):
    """A server whose bots do not keep people waiting, nor do people who are away."""

    command = """
from ludotheque.bots import roster
roster.pause = lambda game, kind, bot: 0.9 if game.timed else 0.05
from ludotheque.server import absences
absences.REPLACED_AFTER_S = 1
from ludotheque.cli import main
main()
"""


@contextmanager
def opened_house() -> Iterator[House]:
    """A house with a browser and a server of its own, for scripts."""
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        server = HurriedServer(Path(stack.enter_context(TemporaryDirectory())))
        stack.callback(server.stop)
        browser = stack.enter_context(playwright.chromium.launch(**CHROMIUM))
        house = House(browser, server)
        stack.callback(house.close)
        yield house


class Settings(TypedDict, total=False):
    """Of a browser; the names are Playwright's."""

    locale: str
    color_scheme: Literal["dark", "light"]
    reduced_motion: Literal["reduce", "no-preference"]
    viewport: Any
    has_touch: bool
    is_mobile: bool


PHONE: Settings = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}


class House:
    """Opens browsers at a server, and closes them; what they complain about is kept."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser = browser
        self.server = server
        self.errors: list[str] = []
        self.contexts = ExitStack()

    def page(
        self,
        name: str = "",
        *,
        in_3d: bool = False,
        hurried: bool = False,
        **settings: Unpack[Settings],
    ) -> Page:
        """A new browser of nobody yet, or of a guest with a name.

        Where a test is not about how things are told or drawn, it may be `hurried`.
        """
        wanted: Settings = {"locale": "en-GB", "reduced_motion": "reduce", **settings}
        context = self.browser.new_context(base_url=f"http://{self.server.address}", **wanted)
        context.set_default_timeout(1000 * WAIT_TIMEOUT_S)
        self.contexts.callback(context.close)
        page = context.new_page()
        page.add_init_script(LISTEN)
        page.add_init_script(VIEW.replace("{view}", "3d" if in_3d else "flat"))
        if hurried:
            page.add_init_script(HURRY)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self.listen)
        if name:
            context.request.post("/api/guests", data={"name": name, "avatar": len(name)})
        return page

    def listen(self, message: ConsoleMessage) -> None:
        told = f"{message.text} {message.location['url']}".rstrip()
        if message.type == "error" and not QUIET.match(told):
            self.errors.append(told)

    def close(self) -> None:
        self.contexts.close()


def open_table(page: Page, game: str, seats: int | None = None, **options: object) -> str:
    """Open a table without the lobby, and go there; the answer is its path."""
    wish = {"game": game, "seats": seats, "options": {**SHORT.get(game, {}), **options}}
    answer = page.request.post("/api/tables", data=wish)
    assert answer.status == 201, answer.text()
    path = f"/t/{answer.json()['id']}"
    page.goto(path)
    expect(start_button(page)).to_be_visible()
    return path


def open_match(page: Page, game: str, seats: int | None = None, **options: object) -> str:
    """Open a table and begin; bots take the seats that are free."""
    path = open_table(page, game, seats, **options)
    start_button(page).click()
    expect(start_button(page)).to_be_hidden()
    expect(board(page)).to_be_visible()
    return path


def do(page: Page, path: str, do: str, **values: object) -> None:
    """Give a command without the page."""
    body = {"id": str(time.monotonic_ns()), "command": {"do": do, **values}}
    answer = page.request.post(f"/api/tables/{path.removeprefix('/t/')}/commands", data=body)
    assert answer.ok, answer.text()


def finish(page: Page, path: str, is_watched: bool = False) -> None:
    """Play on without the page, always the last of the legal moves, until the result.

    Unless it is watched the page is shown the result alone: to draw a match move by move takes
    most of the time of a test.
    """
    if not is_watched:
        page.goto("about:blank")
    until = time.monotonic() + WAIT_TIMEOUT_S
    while not (found := look(page, path))["over"]:
        assert time.monotonic() < until, f"nothing happens: {found['view']}"
        if found["legal"]:
            do(page, path, "play", move=max(found["legal"]), seat=None)
            until = time.monotonic() + WAIT_TIMEOUT_S
        else:
            page.wait_for_timeout(20)
    if not is_watched:
        page.goto(path)
    expect(result(page)).to_be_visible()


def look(page: Page, path: str) -> Any:
    """The match at this table, as its host is told it."""
    return page.request.get(f"/api/tables/{path.removeprefix('/t/')}").json()["match"]


def heard(page: Page) -> list[str]:
    """What a screen reader was told of the match, in its order."""
    texts: list[str] = page.evaluate("window.heard")
    return texts


@contextmanager
def seen_with(page: Page, vision: str) -> Iterator[None]:
    """Pictures of this page are as people see it whose colour vision is like this."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
    yield
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
    session.detach()


def small_targets(page: Page) -> list[str]:
    """What is too small for a finger, in the dialog that is open or else on the page."""
    found: list[str] = page.evaluate(SMALL_TARGETS, TARGET_PX)
    return found


def introduce(page: Page, name: str) -> None:
    """Answer the dialog that asks who we are."""
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill(name)
    dialog.get_by_role("button").last.click()
    expect(dialog).to_be_hidden()


# What is on the page


def seat_beside(page: Page, name: str) -> None:
    """Let another person share this device."""
    page.get_by_role("button", name="Add somebody on this device").click()
    page.get_by_label("Name of this person").fill(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text=name)).to_be_visible()


def start_button(page: Page) -> Locator:
    return page.locator(".start button.primary")


def board(page: Page) -> Locator:
    return page.locator("main .board").first


def result(page: Page) -> Locator:
    return page.locator("section.result h2")


def open_more(page: Page) -> Locator:
    """What the result keeps behind its last button."""
    page.get_by_role("button", name="Result and more").click()
    return page.get_by_role("dialog")


def shared_link(page: Page) -> str:
    """The link in the dialog that gives one away."""
    link = page.get_by_role("dialog").locator(".link").last
    expect(link).to_contain_text("/")
    return f"http://{link.evaluate('(link) => link.lastChild.textContent')}"


def is_over(page: Page) -> bool:
    return result(page).is_visible()


def is_awaited(page: Page) -> bool:
    return page.locator("p.prompt.ours").is_visible()


def is_behind(page: Page) -> bool:
    """Whether to act now only shows what the move is about, and makes none."""
    return page.locator("p.prompt[data-behind]").is_visible()


def press(button: Locator, timeout_ms: float = 1000 * WAIT_TIMEOUT_S) -> None:
    """With the finger or the mouse, as the page is held."""
    if button.page.evaluate("navigator.maxTouchPoints > 0"):
        button.tap(timeout=timeout_ms)
    else:
        button.click(timeout=timeout_ms)


def try_to_press(button: Locator) -> None:
    """The same where there may be nothing to press any more: `play` tries again if there is."""
    press(button, ATTEMPT_TIMEOUT_MS)


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """For what `expect` cannot say because it is about several pages."""
    until = time.monotonic() + WAIT_TIMEOUT_S
    while not holds():
        assert time.monotonic() < until, f"nothing happens: {page.locator('main').inner_text()}"
        page.wait_for_timeout(20)


def wait_for_worker(page: Page) -> None:
    """Until the service worker has kept all it keeps, and answers for the next page.

    It may not answer for this one, which was perhaps being opened just then.
    """
    state = "navigator.serviceWorker.getRegistration().then((found) => found?.active?.state)"
    wait_until(page, lambda: bool(page.evaluate(state) == "activated"))


def play_match(game: str, pages: list[Page], meanwhile: Callable[[], None]) -> None:
    """Play what the pages offer until the result; after a few moves do something else."""
    moves = 0
    until = time.monotonic() + WAIT_TIMEOUT_S
    while not all(is_over(page) for page in pages):
        assert time.monotonic() < until, f"nothing happens: {board(pages[0]).inner_text()}"
        made = sum(is_awaited(page) and play(game, page, moves) for page in pages)
        if made == 0:
            pages[0].wait_for_timeout(20)
            continue
        moves += 1
        until = time.monotonic() + WAIT_TIMEOUT_S
        if moves == 3:
            meanwhile()


def play(game: str, page: Page, move: int) -> bool:
    try:
        return PLAY[game](page, move)
    except PageError:  # another player was quicker, and there is nothing left to do
        return False


def play_one(game: str, page: Page, move: int) -> None:
    """Play when there is something to do, however long that takes."""
    wait_until(page, lambda: play(game, page, move))


# One move of each game, by mouse or finger. False if there is nothing to do after all, or if the
# page may have shown what the move is about instead of making it.


def play_stupide_vautour(page: Page, _: int) -> bool:
    hand = page.get_by_role("group", name="Hand").get_by_role("button")
    count = hand.count()
    top = hand.last  # it overlaps the others
    if top.get_attribute("aria-disabled") == "true":
        return False
    was_behind = is_behind(page)
    try_to_press(top)
    if top.and_(page.locator(".raised")).count() == 1:
        try_to_press(top)  # a finger raises it first
    if was_behind:
        return False
    expect(hand).to_have_count(count - 1)
    return True


def play_whats_up(page: Page, move: int) -> bool:
    """Mostly the same card, so that little is taken."""
    grid = page.get_by_role("grid")
    cards = grid.locator("button[aria-disabled=false]")
    was_behind = is_behind(page)
    before = grid.aria_snapshot()
    try_to_press(cards.nth(move if move < 4 else 0))
    if was_behind:
        return False
    wait_until(page, lambda: grid.aria_snapshot() != before)
    return True


def play_up_and_down(page: Page, move: int) -> bool:
    changes = page.get_by_role("group", name="Change one rule").get_by_role("button")
    count, was_behind = changes.count(), is_behind(page)
    if count > 0:
        try_to_press(changes.nth(move % count))
        if was_behind:
            return False
        expect(changes).to_have_count(0)
        return True
    hand = page.get_by_role("group", name="Hand").get_by_role("button")
    count = hand.count()
    if count == 0:  # the last trick is being told
        return False
    card = hand.nth(move % count)
    if card.get_attribute("aria-disabled") == "true":
        return False
    try_to_press(card)
    if was_behind:
        return False
    expect(hand).to_have_count(count - 1)
    return True


def play_team_up(page: Page, move: int) -> bool:
    """Draw and place a few boxes, then propose to stop, or agree to it."""
    before = board(page).inner_text()
    bar = page.locator(".bar")
    box = page.get_by_role("group", name="Boxes to choose from").locator("button:enabled").first
    place = bar.get_by_role("button", name="Place")
    if box.is_visible():
        try_to_press(box)
        was_behind = is_behind(page)
        try_to_press(place)
        if was_behind:
            return False
        expect(place).to_be_hidden()
    else:
        draw = bar.get_by_role("button", name="Draw a card")
        try_to_press(draw if move < 4 and draw.is_visible() else bar.get_by_role("button").last)
    wait_until(page, lambda: board(page).inner_text() != before)
    return True


def play_ubongo(page: Page, move: int) -> bool:
    """Be ready, lay a card, agree to stop. The race may be over at any moment."""
    ready = page.get_by_role("button", name="I’m ready!")
    stop = page.locator("button.stop")
    hand = page.get_by_role("group", name="Your cards").get_by_role("button")
    if ready.is_visible():
        try_to_press(ready)
        expect(ready).to_be_hidden()
    elif stop.and_(page.locator(":enabled")).count() == 0:
        return False
    elif move < 4 and page.get_by_label("laid at").count() == 0:
        try_to_press(hand.first)
        try_to_press(page.get_by_role("button", name="Lay it here"))
        expect(page.get_by_label("laid at")).to_have_count(1)
    else:
        try_to_press(stop)
        try_to_press(stop)
        expect(stop).to_be_hidden()
    return True


PLAY: dict[str, Callable[[Page, int], bool]] = {
    "stupide_vautour": play_stupide_vautour,
    "whats_up": play_whats_up,
    "up_and_down": play_up_and_down,
    "team_up": play_team_up,
    "ubongo": play_ubongo,
}
