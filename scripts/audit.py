"""List the known vulnerabilities of both lock files, and say plainly which could not be checked.

Ends with 1 if there are any, with 2 if there are none as far as could be checked, with 0 if all
could be. --osv and --npm name other services than OSV and the registry of npm.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
UV = ROOT / ".tools" / "bin" / "uv"
TIMEOUT_S = 120


class Outcome(NamedTuple):
    lock: str
    vulnerabilities: list[str] | None  # None if nobody has answered
    reason: str = ""

    def lines(self) -> list[str]:
        if self.vulnerabilities is None:
            return [f"{self.lock}: NOT CHECKED, {self.reason}"]
        if not self.vulnerabilities:
            return [f"{self.lock}: no known vulnerabilities"]
        return [f"{self.lock}: known vulnerabilities", *self.vulnerabilities]


def of_python(service: str = "") -> Outcome:
    command = [str(UV), "audit", "--frozen", "--preview-features", "audit-command"]
    done = _run([*command, "--service-url", service] if service else command)
    if done is None or done.returncode not in (0, 1):
        return Outcome("uv.lock", None, _last_line(done, "api.osv.dev gives no answer"))
    found = [line for line in done.stdout.splitlines() if line.strip()]
    return Outcome("uv.lock", found if done.returncode else [])


def of_node(registry: str = "") -> Outcome:
    command = ["npm", "audit", "--json", "--fetch-retries=0"]
    done = _run([*command, f"--registry={registry}"] if registry else command)
    answer = _parsed(done.stdout if done is not None else "")
    if "vulnerabilities" not in answer:
        reason = answer.get("message") or "the registry of npm gives no answer"
        return Outcome("package-lock.json", None, str(reason).splitlines()[0])
    entries = answer["vulnerabilities"].values()
    return Outcome("package-lock.json", [_described(entry) for entry in entries])


def _described(entry: dict[str, Any]) -> str:
    causes = [via["url"] for via in entry["via"] if isinstance(via, dict) and "url" in via]
    return f"{entry['name']} {entry['range']}: {entry['severity']} {' '.join(causes)}".rstrip()


def _run(command: list[str]) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def _parsed(text: str) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def _last_line(done: subprocess.CompletedProcess[str] | None, otherwise: str) -> str:
    lines = done.stderr.strip().splitlines() if done is not None else []
    return f"{otherwise} ({lines[-1].strip()})" if lines else otherwise


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--osv", default="")
    parser.add_argument("--npm", default="")
    chosen = parser.parse_args()
    outcomes = [of_python(chosen.osv), of_node(chosen.npm)]
    for outcome in outcomes:
        print("\n".join(outcome.lines()))
    if any(outcome.vulnerabilities for outcome in outcomes):
        return 1
    return 2 if any(outcome.vulnerabilities is None for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
