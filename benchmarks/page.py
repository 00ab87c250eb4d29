"""How soon the first page can be used, and how much is fetched for it, in a real Chromium."""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Response, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browsing import CHROMIUM
from people import Server

LOADS = 9


class Visitor:
    """Opens the lobby again and again, in browsers that have kept nothing."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser = browser
        self.address = f"http://{server.address}"

    def time_to_interactive(self) -> float:
        """Seconds from the address to a button that has answered a click."""
        with self.browser.new_context(base_url=self.address, locale="en-GB") as context:
            page = context.new_page()
            begun = time.perf_counter()
            page.goto("/", wait_until="commit")
            page.get_by_role("button", name="Say hello").click()
            page.get_by_role("dialog").wait_for()
            return time.perf_counter() - begun

    def fetched(self) -> list[bytes]:
        """All that the lobby fetches: the page, script, styles, words and pictures."""
        answers: list[Response] = []

        def keep(answer: Response) -> None:
            answers.append(answer)

        with self.browser.new_context(base_url=self.address, service_workers="block") as context:
            page = context.new_page()
            page.on("response", keep)
            page.goto("/", wait_until="networkidle")
            return [answer.body() for answer in answers if answer.ok]


def report() -> list[str]:
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        server = Server(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        stack.callback(server.stop)
        browser = stack.enter_context(playwright.chromium.launch(**CHROMIUM))
        visitor = Visitor(browser, server)
        bodies = visitor.fetched()
        times = [visitor.time_to_interactive() for _ in range(LOADS)]
    size = sum(len(gzip.compress(body, 9)) for body in bodies)
    return [
        "## First page",
        "",
        "From the address to a button in the lobby that has answered a click, on localhost, with "
        f"nothing kept from before: {statistics.median(times):.2f} s (median of {LOADS}, "
        f"{min(times):.2f} to {max(times):.2f} s).",
        "",
        f"All that the lobby fetches, words and pictures included: {size / 1000:.0f} kB gzipped in "
        f"{len(bodies)} answers. Boards, and three.js for one of them, come with a table.",
    ]
