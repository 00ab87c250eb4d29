"""Known vulnerabilities of the lock files are listed, and what could not be checked is said."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import audit
import pytest

ROOT = Path(__file__).parent.parent
needs_tools = pytest.mark.skipif(
    not audit.UV.exists() or shutil.which("npm") is None, reason="make has not installed uv and npm"
)


@contextmanager
def service(answers: dict[str, Any] | None) -> Iterator[str]:
    """The address of a service that answers by path; without answers it refuses everything.

    An answer may depend on what is asked.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["content-length"])))

        def do_GET(self) -> None:
            self._answer()

        def _answer(self, asked: bytes = b"") -> None:
            found = None if answers is None else answers.get(self.path.lstrip("/"))
            found = found(asked) if callable(found) else found
            self.send_response(405 if found is None else 200)
            body = b"" if found is None else json.dumps(found).encode()
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


BULK = "-/npm/v1/security/advisories/bulk"
FLAW = {
    "id": "GHSA-0",
    "modified": "2026-01-01T00:00:00Z",
    "summary": "a hole",
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "starlette"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}],
        }
    ],
}
HOLE = {
    "id": 1,
    "url": "https://github.com/advisories/GHSA-0",
    "title": "a hole",
    "severity": "high",
    "vulnerable_versions": "*",
}


@needs_tools
@pytest.mark.parametrize(
    ("answers", "is_listed"), [({BULK: {}}, False), ({BULK: {"svelte": [HOLE]}}, True)]
)
def test_the_registry_of_npm_is_asked(answers: dict[str, Any], is_listed: bool) -> None:
    with service(answers) as registry:
        found = audit.of_node(registry)
    assert found.vulnerabilities is not None
    assert any("GHSA-0" in line for line in found.vulnerabilities) == is_listed


@needs_tools
@pytest.mark.parametrize("name", ["", "starlette"])
def test_the_service_of_osv_is_asked_for_every_package(name: str) -> None:
    """Which it does in one query for all, and one for each vulnerability that it has heard of."""
    asked: list[str] = []

    def results(body: bytes) -> dict[str, Any]:
        names = [query["package"]["name"] for query in json.loads(body)["queries"]]
        asked.extend(names)
        return {"results": [{"vulns": [FLAW]} if each == name else {} for each in names]}

    with service({"v1/querybatch": results, "v1/vulns/GHSA-0": FLAW}) as address:
        found = audit.of_python(address)
    assert {"starlette", "uvicorn", "numba"} <= set(asked)
    assert found.vulnerabilities is not None
    assert any("GHSA-0: a hole" in line for line in found.vulnerabilities) == bool(name)
    assert found.lines()[0] == (
        "uv.lock: known vulnerabilities" if name else "uv.lock: no known vulnerabilities"
    )


@needs_tools
def test_a_service_that_does_not_answer_is_named_as_unchecked() -> None:
    with service(None) as address:
        outcomes = [audit.of_python(address), audit.of_node(address)]
    for outcome in outcomes:
        assert outcome.vulnerabilities is None
        assert "NOT CHECKED" in outcome.lines()[0]
        assert outcome.reason


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([audit.Outcome("uv.lock", []), audit.Outcome("package-lock.json", [])], 0),
        ([audit.Outcome("uv.lock", ["a hole"]), audit.Outcome("package-lock.json", None)], 1),
        ([audit.Outcome("uv.lock", []), audit.Outcome("package-lock.json", None, "silence")], 2),
    ],
)
def test_the_code_tells_holes_from_silence(
    outcomes: list[audit.Outcome],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(audit, "of_python", lambda _: outcomes[0])
    monkeypatch.setattr(audit, "of_node", lambda _: outcomes[1])
    monkeypatch.setattr("sys.argv", ["audit.py"])
    assert audit.main() == code
    assert "uv.lock: " in capsys.readouterr().out


def test_an_update_renews_both_locks_and_runs_the_tests() -> None:
    done = subprocess.run(
        ["make", "--dry-run", "update"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    commands = done.stdout
    places = [commands.index(text) for text in ("uv lock --upgrade", "npm update", "make test")]
    assert places == sorted(places)
