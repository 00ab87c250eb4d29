"""Firefox and WebKit, driven as far as a match needs it: scripts in the page, presses, sizes.

Playwright drives neither as Debian packages them. Firefox is spoken to over WebDriver BiDi (JSON on
a WebSocket) and WebKit over WebDriver (JSON over HTTP).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, TypeVar

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from people import WAIT_TIMEOUT_S, free_port

T = TypeVar("T")

MISSING = "{} is missing; scripts/install_browser.sh installs it"
MINI_BROWSER = "webkit2gtk-4.*/MiniBrowser"
LIBRARIES = (Path("/usr/lib"), Path("/usr/libexec"))
NOWHERE = 9  # the port of a proxy that does not exist: only this machine can be reached
PREFERENCES: dict[str, object] = {
    "intl.accept_languages": "en-GB",
    "ui.prefersReducedMotion": 1,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": NOWHERE,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": NOWHERE,
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}
WEBKIT_ENVIRONMENT = {
    "GTK_A11Y": "none",
    "NO_AT_BRIDGE": "1",
    "LANG": "C.UTF-8",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # it cannot be had as root
}


class Engine(Protocol):
    """A browser with one page."""

    def go(self, address: str) -> None: ...

    def run(self, script: str) -> Any:
        """The value of an expression in the page, as JSON; promises are waited for."""

    def press(self, x: float, y: float) -> None:
        """With the mouse, as a person does: a page may sound only after that."""

    def resize(self, width: int, height: int) -> None: ...

    def close(self) -> None: ...


def found(name: str) -> str:
    path = shutil.which(name)
    assert path is not None, MISSING.format(name)
    return path


class Firefox:
    """`firefox-esr` without a window."""

    def __init__(self) -> None:
        self.stack = ExitStack()
        home = Path(self.stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True)))
        lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items())
        (home / "user.js").write_text("".join(lines))
        port = free_port()
        self.process = subprocess.Popen(
            [
                *(found("firefox-esr"), "--headless", "--no-remote", "--profile", str(home)),
                *("--remote-debugging-port", str(port), "about:blank"),
            ],
            env={**os.environ, "HOME": str(home)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.stack.callback(end, self.process)
        self.count = 0
        self.socket = self.stack.enter_context(
            until_it_answers(
                lambda: connect(f"ws://127.0.0.1:{port}/session", max_size=None, proxy=None),
                self.process,
            )
        )
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method: str, **values: object) -> Any:
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": values}))
        while True:
            answer = json.loads(self.socket.recv(WAIT_TIMEOUT_S))
            if answer.get("id") == self.count:
                assert answer["type"] == "success", answer
                return answer["result"]

    def go(self, address: str) -> None:
        self.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def run(self, script: str) -> Any:
        answer = self.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({script})))()",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"].get("value", "null"))

    def press(self, x: float, y: float) -> None:
        self.call("input.performActions", context=self.context, actions=pressing(x, y))

    def resize(self, width: int, height: int) -> None:
        viewport = {"width": width, "height": height}
        self.call("browsingContext.setViewport", context=self.context, viewport=viewport)

    def close(self) -> None:
        self.stack.close()


class WebKit:
    """WebKitGTK's small browser, in a window of a screen that nobody sees."""

    def __init__(self) -> None:
        self.stack = ExitStack()
        home = self.stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))
        settings = Path(home) / "gtk-3.0" / "settings.ini"
        settings.parent.mkdir()
        settings.write_text("[Settings]\ngtk-enable-animations=0\n")  # motion is reduced
        environment = {
            **os.environ,
            **WEBKIT_ENVIRONMENT,
            "DISPLAY": self.screen(),
            "HOME": home,
            "XDG_CONFIG_HOME": home,
            "XDG_RUNTIME_DIR": home,
        }
        port = free_port()
        driver = subprocess.Popen(
            [found("WebKitWebDriver"), f"--port={port}"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.stack.callback(end, driver)
        self.address = f"http://127.0.0.1:{port}"
        until_it_answers(lambda: self.call("GET", "/status"), driver)
        options = {"binary": str(mini_browser()), "args": ["--automation"]}
        wish = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        session = self.call("POST", "/session", capabilities=wish)["sessionId"]
        self.address += f"/session/{session}"
        self.stack.callback(self.call, "DELETE", "")
        self.call("POST", "/timeouts", script=int(1000 * WAIT_TIMEOUT_S))

    def screen(self) -> str:
        """The name of a screen of our own."""
        reading, writing = os.pipe()
        process = subprocess.Popen(
            [
                *(found("Xvfb"), "-displayfd", str(writing), "-nolisten", "tcp"),
                *("-screen", "0", "1600x1400x24"),
            ],
            pass_fds=[writing],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.stack.callback(end, process)
        os.close(writing)
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb does not start"
        return f":{number}"

    def call(self, method: str, path: str, **values: object) -> Any:
        body = json.dumps(values).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, body, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * WAIT_TIMEOUT_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def go(self, address: str) -> None:
        self.call("POST", "/url", url=address)

    def run(self, script: str) -> Any:
        wrapped = f"return (async () => JSON.stringify(await ({script})))()"
        answer = self.call("POST", "/execute/sync", script=wrapped, args=[])
        return json.loads(answer) if answer is not None else None

    def press(self, x: float, y: float) -> None:
        self.call("POST", "/actions", actions=pressing(x, y))

    def resize(self, width: int, height: int) -> None:
        """Of the page, not of the window around it."""
        for _ in range(20):  # the frame is known once the window has a size
            frame = self.run("[outerWidth - innerWidth, outerHeight - innerHeight]")
            wide, high = width + max(0, frame[0]), height + max(0, frame[1])
            self.call("POST", "/window/rect", width=wide, height=high)
            if self.run("[innerWidth, innerHeight]") == [width, height]:
                return
            time.sleep(0.1)

    def close(self) -> None:
        self.stack.close()


def mini_browser() -> Path:
    for folder in LIBRARIES:
        for path in (*folder.glob(MINI_BROWSER), *folder.glob(f"*/{MINI_BROWSER}")):
            return path
    raise AssertionError(MISSING.format("MiniBrowser"))


def pressing(x: float, y: float) -> list[dict[str, object]]:
    """A press with the mouse, as both protocols say it."""
    acts = [
        {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    parameters = {"pointerType": "mouse"}
    return [{"type": "pointer", "id": "mouse", "parameters": parameters, "actions": acts}]


def until_it_answers(ask: Callable[[], T], process: subprocess.Popen[bytes]) -> T:
    until = time.monotonic() + WAIT_TIMEOUT_S
    while True:
        try:
            return ask()
        except (OSError, WebSocketException):
            assert process.poll() is None, f"{process.args!r} has stopped"
            assert time.monotonic() < until, f"{process.args!r} does not answer"
            time.sleep(0.05)


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
