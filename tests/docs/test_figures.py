"""Every figure in the documentation is that of the code, or of the measurements."""

from __future__ import annotations

import json
import re
import tomllib
from math import comb
from pathlib import Path
from typing import Any

import mutants
import pytest
import typer

from ludotheque import cli
from ludotheque.bots import roster
from ludotheque.engine import chance, rulebook
from ludotheque.engine.game import load
from ludotheque.games.stupide_vautour.bot.thinker import SKILLS
from ludotheque.games.team_up import parts as team_up
from ludotheque.games.ubongo import field, layable
from ludotheque.games.ubongo import parts as ubongo
from ludotheque.games.ubongo.solver import ports
from ludotheque.lab import cluster, estimate
from ludotheque.mcp import seat
from ludotheque.server import (
    autoplay,
    decision,
    devices,
    keepalive,
    limits,
    manners,
    readiness,
    requests,
    retention,
    round_trips,
    run,
    sqlite_file,
    thinkers,
    warmup,
)
from ludotheque.server.configuration import DEFAULTS, SETTINGS
from pages import PAGES, ROOT, prose, text_of

PROJECT = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
COMMANDS: dict[str, Any] = vars(typer.main.get_command(cli.app))["commands"]
KB = 1024
UNITS = r"%|µs|ms|s|seconds?|minutes?|hours?|days?|bytes|kB|MB|GB|×"
# A number of two digits, or one with a unit. What a name ends in (SHA-256) is not a figure.
FIGURE = re.compile(rf"(?<![\w⁰-⁹.-])(?:\d[\d,.]*\d|\d+(?= ?(?:{UNITS})(?!\w)))")
HISTORY = "CHANGELOG.md"
COMPUTED = "scale.md"  # from the results, as test_deploying.py checks


def default(command: str, option: str) -> object:
    [found] = [each for each in COMMANDS[command].params if each.name == option]
    return found.default


def node() -> str:
    return re.search(r'"node": ">=(\d+)', text_of(ROOT / "package.json"))[1]  # type: ignore[index]


def dev_port() -> str:
    return re.search(r"port: (\d+)", text_of(ROOT / "vite.config.ts"))[1]  # type: ignore[index]


def image(name: str) -> str:
    """The version of a program in the Containerfile's images."""
    [found] = set(re.findall(rf"/{name}:([\d.]+)-", text_of(ROOT / "deploy" / "Containerfile")))
    return str(found)


def grace_s() -> int:
    """How long the compose file and the unit give a node to stop."""
    compose = text_of(ROOT / "deploy" / "compose.yaml")
    unit = text_of(ROOT / "deploy" / "ludotheque@.service")
    [found] = {*re.findall(r"grace_period: (\d+)s", compose), *re.findall(r"StopSec=(\d+)", unit)}
    return int(found)


def oldest(browser: str) -> str:
    found = re.search(rf'"{browser}([\d.]+)"', text_of(ROOT / "vite.config.ts"))
    return found[1]  # type: ignore[index]


def _often(per_minute: int) -> str:
    return f"{per_minute:,}" if per_minute else "–"


THINK = [f"{roster.THINK_S[level]:g}" for level in roster.LEVELS]
SECOND, THIRD = (f"{n * ubongo.PILE} to {(n + 1) * ubongo.PILE - 1}" for n in (1, 2))
LATEST_MS = f"{round_trips.LONGEST_S / 2 * 1000:g} ms"
LINK_MINUTES = f"within {devices.RECOVERY_MS / 60_000:g} minutes"


def variant(slug: str, option: str) -> str:
    """The smallest value of an option, and the sheet's."""
    found = load(slug).options[option]
    return f"| {found.low} | {found.default} |"


def counted(slug: str, **options: int) -> str:
    """How many states a variant has, at one number of seats after the other."""
    counts = json.loads((load(slug).folder / "counts.json").read_text("utf-8"))["small"]
    return ", ".join(f"{c['states']:,}" for c in counts if options.items() <= c["options"].items())


FIGURES = {
    "ARCHITECTURE.md": [f"at most {LATEST_MS}", f"gains {LATEST_MS} at most"],
    "README.md": [f"Python {PROJECT['requires-python'].removeprefix('>=')}", f"Node {node()}"],
    "CONTRIBUTING.md": [f"at most {rulebook.MAX_LEGAL_BITS} moves and outcomes"],
    "bots.md": [
        f"within {', '.join(THINK[:-1])} or {THINK[-1]} s on one core",
        "95 % intervals",
        f"after {warmup.RETRY_S / 60:g} minutes",
    ],
    "developing.md": [
        f"port {dev_port()}",
        f"port {DEFAULTS.port}",
        f"At most {mutants.MOST_UNEXPLAINED:.0%}".replace("%", " %"),
    ],
    "fair-shuffles.md": [
        f"{chance.SERVER_SEED_BYTES} random bytes, chosen by the server",
        f"{chance.CLIENT_SEED_BYTES} random bytes from each person",
        "each as 8 bytes",
        "first 8 bytes",
    ],
    "deploying.md": [
        "with Python 3.11 as that user, with Python 3.13 as root, and with Node 20",  # was tried
        f"Python {image('python')} and Node {image('node')}",
        f"within {grace_s()} seconds",
    ],
    "equilibrium.md": ["Two cards have 20 information states, three have 546"],
    "mcp.md": [f"the latest {seat.MOST_UNREAD} of more"],
    "research.md": [
        "95 % intervals",
        f"pieces of {cluster.SMALLEST_PIECE:,}",
        variant("stupide_vautour", "cards"),
        variant("up_and_down", "values"),
        variant("ubongo", "cards"),
        f"{field.FIELD} × {field.FIELD} cells",
        f"Stupide Vautour, 2 | 2, 3, 4, 5 | {counted('stupide_vautour', cards=2)} |",
        "Stupide Vautour, 3, 4 | 2 | "
        f"{counted('stupide_vautour', cards=3)}, {counted('stupide_vautour', cards=4)} |",
        f"Up & Down, 2, one deal | 2, 3, 4 | {counted('up_and_down', values=2)} |",
    ],
    "security.md": [f"for {retention.COPIES_KEPT_DAYS} days in the copy"],
    "hosting.md": [
        f"every {decision.DIGEST_EVERY} moves",
        f"port {DEFAULTS.port}",
        f"Node {node()}",
        *(
            SETTINGS[name].kind.expected
            for name in ("port", "workers", "broker", "node", "keep_finished_days")
        ),
        "such as 10.0.0.0/8",
        LINK_MINUTES,
        "(0700)",
        f"(0{sqlite_file.PRIVATE:o})",
        f"{run.GRACE_S} seconds to end",
        *(
            f"{limit.doing} | {_often(limit.per_guest)} | {_often(limit.per_address)} |"
            for limit in limits.ALL
        ),
        "answers 429",
        "(a /64)",
        "status 500",
        f"sockets included | {limits.CONNECTIONS_PER_ADDRESS} |",
        f"in all | {limits.CONNECTIONS:,}, or",
        f"without {limits.SPARE_FILES};",
        f"{limits.LARGEST_HEADERS_BYTES // KB} kB in {limits.MOST_HEADERS} lines, "
        f"within {limits.HEADERS_TIMEOUT_S:g} seconds",
        f"{limits.LARGEST_BODY_BYTES // KB} kB in {limits.MOST_CHUNKS:,} chunks, "
        f"within {limits.BODY_TIMEOUT_S:g} seconds",
        f"answer to the first | {limits.MOST_PIPELINED} |",
        f"worked on at a time | {limits.WORKED_ON_AT_ONCE};",
        f"of its answer | {limits.READING_TIMEOUT_S:g} seconds",
        f"within {limits.HELLO_TIMEOUT_S} seconds",
        f"a socket | {limits.LARGEST_MESSAGE_BYTES // KB} kB |",
        f"{limits.FRAMES_PER_S} a second",
        f"{limits.BYTES_PER_S // KB} kB a second, after {limits.BURST_BYTES // KB} kB at once",
        f"of one host | {limits.MATCHES_WITH_BOTS} |",
        "status 503",
        f"the last {readiness.AFTER_FAILURE_S:g} seconds",
        f"after {retention.COPIES_KEPT_DAYS} days",
        f"({DEFAULTS.keep_finished_days})",
        f"({DEFAULTS.keep_abandoned_days})",
        f"every {keepalive.INTERVAL_S:g} seconds",
    ],
    "http-api.md": [
        "answered 429",
        "answers 403",
        f"at most {manners.LINES_AT_ONCE} lines at once",
        f"one every {1 / manners.LINES_PER_S:g} seconds",
        LINK_MINUTES,
        "closed with 1008",
        f"up to {requests.LONGEST_ID} characters",
        f"last {requests.REMEMBERED_REQUESTS} requests",
        f"up to {warmup.PROGRESS_TIMEOUT_S:g} seconds",
        f"{chance.CLIENT_SEED_BYTES} random bytes",
        f"for {autoplay.SHUFFLE_SECONDS:g} seconds at most",
        "answered with 409",
        "answers 503",
        "answer 503",
        "closed with 1013",
    ],
    "own-parts.md": [
        f"1 to {ubongo.MAX_SYMBOLS} of",
        f"{ubongo.PILE} cards",
        f"{comb(ubongo.PILE, layable.HAND):,} hands",
        f"{team_up.WIDTH} × {team_up.DEPTH} and five layers",
        f"up to {team_up.MAX_SHAPES},",
        f"up to {team_up.MAX_CARDS},",
    ],
    "players.md": [
        LINK_MINUTES,
        f"Safari from {oldest('safari')}",
        f"(from {oldest('firefox')})",
        f"Edge from {oldest('edge')}",
    ],
    "solve-team-up.md": [f"({default('solve', 'seconds')} by default)"],
    "solve-ubongo.md": [
        f"0 to {ubongo.PILE - 1}",
        f"{SECOND} in the second pile",
        f"{THIRD} in the third",
        "numbers from 0 to 99",
        f"1 to {ports.MAX_CARDS}",
    ],
}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_figures_are_those_of_the_code(path: Path) -> None:
    text = prose(path)
    for phrase in FIGURES.get(path.name, ()):
        assert phrase in text
        text = text.replace(phrase, " ")
    if path.name not in (HISTORY, COMPUTED):
        assert [text[m.start() - 30 : m.end() + 20] for m in FIGURE.finditer(text)] == []


def test_figures_that_are_words_are_those_of_the_code() -> None:
    assert (team_up.LAYERS, team_up.COLOURS) == (5, 3)
    parts = text_of(ROOT / "docs" / "own-parts.md")
    assert "five layers; `colours`: three names" in parts
    bots = text_of(ROOT / "docs" / "bots.md")
    assert (thinkers.LEAST_SHARE, thinkers.MANY) == (0.1, 8)
    assert "more than eight thoughts" in bots
    assert "never less than a tenth" in bots
    assert SKILLS["master"].solved_cards == 7
    assert "the last seven cards" in bots
    assert round(estimate.STANDARD_ERRORS, 2) == 1.96  # 95 % of a normal distribution


def test_the_games_have_the_seats_that_the_readme_gives_them() -> None:
    text = text_of(ROOT / "README.md")
    shown = [load(slug) for slug in re.findall(r"docs/pictures/(\w+)", text)]
    told = re.findall(r"(\d)–(\d) players", text)
    assert told == [(str(game.seats[0]), str(game.seats[-1])) for game in shown]


def test_a_million_random_matches_a_second_have_been_measured() -> None:
    assert "more than a million random matches of Stupide Vautour a second between two" in prose(
        ROOT / "docs" / "research.md"
    )
    rows = text_of(ROOT / "benchmarks" / "results.md").splitlines()
    [row] = [row for row in rows if row.startswith("| stupide_vautour | 2 |")]
    assert int(row.split(" | ")[3].replace(",", "")) > 1_000_000


def test_the_newest_version_in_the_changelog_is_that_of_the_package() -> None:
    versions = re.findall(r"^## (\S+)", text_of(ROOT / HISTORY), re.MULTILINE)
    assert versions[0] == PROJECT["version"]
    assert versions == sorted(versions, key=lambda v: [int(n) for n in v.split(".")], reverse=True)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_local_addresses_have_the_right_port(path: Path) -> None:
    ports_named = set(re.findall(r"localhost:(\d+)", text_of(path)))
    assert ports_named <= {str(DEFAULTS.port), dev_port()}
