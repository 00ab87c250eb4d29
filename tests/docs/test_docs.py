"""What the documentation shows is true."""

from __future__ import annotations

import configparser
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from ludotheque import cli
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import replay
from ludotheque.server import api, keepalive
from ludotheque.server.configuration import DEFAULTS, SETTINGS, manual, resolve, variable
from pages import PAGES, ROOT, SOURCE, blocks, spans, text_of
from people import WAIT_TIMEOUT_S, Server

COMMANDS: dict[str, Any] = vars(typer.main.get_command(cli.app))["commands"]
MAX_PICTURE_BYTES = 120_000
BASES = (
    ROOT,
    ROOT / "docs",
    SOURCE,
    SOURCE / "games" / "*",
)  # where the paths in the documentation begin
# Files that a reader writes, a server makes or `make` installs, and names without a place.
NOT_OURS = re.compile(
    r"(my-deck|my-set|hand|order|match|copy)\.json|tables\.sqlite.*|ludotheque\.toml|games/tic_tac_toe|"
    r"\.(venv|tools|cache)/.*|deploy/\.env|[\d.]+/\d+"
)
PATH = re.compile(
    r"(?!/)[\w.*<>/-]+\.(?:py|md|toml|json|ts|svelte|svg|sh|html|yml)|[\w.*<>-]+/[\w.*<>/-]*"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()


def test_every_match_in_the_documentation_replays() -> None:
    matches = [json.loads(text) for text in blocks(ROOT / "docs" / "match-files.md", "json")]
    assert {match["game"] for match in matches} == set(slugs())
    for match in matches:
        assert len(replay(match).log) == len(match["moves"])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_and_pictures_lead_somewhere(path: Path) -> None:
    text = text_of(path)
    targets = re.findall(r"\]\((?!http)([^)]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    for target in targets:
        name, _, section = target.partition("#")
        assert (path.parent / name).exists(), f"{path.name} links to {target}"
        if section:
            assert section in sections_of(path.parent / name), f"{path.name} links to {target}"


def sections_of(page: Path) -> list[str]:
    """The headings of a page, as links name them."""
    headings = re.findall(r"^#+ (.+)$", text_of(page), re.MULTILINE)
    return [
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    ]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_files_that_are_named_exist(path: Path) -> None:
    named = [span for span in spans(path) if PATH.fullmatch(span) and not NOT_OURS.fullmatch(span)]
    assert [name for name in named if not is_file(name)] == []


def is_file(name: str) -> bool:
    """Whether there is one in a folder of ours, or anywhere if only its own name is told."""
    pattern = name.replace("<slug>", "*").rstrip("/")
    if "/" not in pattern and any(SOURCE.rglob(pattern)):
        return True
    return any(
        match for base in BASES for match in ROOT.glob(f"{base.relative_to(ROOT)}/{pattern}")
    )


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_paths_of_the_api_exist(path: Path) -> None:
    known = {re.sub(r"\{\w+\}", "X", endpoint.path) for endpoint in api.ENDPOINTS}
    known.add("/api/tables/X/socket")
    named = [each for span in spans(path) for each in re.findall(r"(?<!\w)/api/[\w/.*{}]+", span)]
    assert [p for p in named if re.sub(r"\b[A-Z]+\b|\*|\{\w+\}", "X", p) not in known] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_variables_of_the_environment_are_read(path: Path) -> None:
    readers = [*SOURCE.rglob("*.py"), ROOT / "vite.config.ts"]
    code = "".join([*(text_of(reader) for reader in readers), *map(variable, SETTINGS)])
    assert [n for n in re.findall(r"\bLUDOTHEQUE_\w+", text_of(path)) if n not in code] == []


def test_buttons_that_players_are_told_of_are_in_the_page() -> None:
    words = tomllib.loads(text_of(SOURCE / "words.toml"))["en"]["page"]
    sections = [words, *(section for section in words.values() if isinstance(section, dict))]
    texts = [text for section in sections for text in section.values()]
    told = re.findall(r"\*\*(.+?)\*\*", " ".join(text_of(ROOT / "docs" / "players.md").split()))
    assert len(told) > 20
    assert [name for name in told if name not in texts] == []


def test_every_game_has_its_picture() -> None:
    pictures = {path.stem: path.stat().st_size for path in (ROOT / "docs" / "pictures").iterdir()}
    assert set(pictures) == set(slugs())
    assert max(pictures.values()) < MAX_PICTURE_BYTES
    assert sorted(re.findall(r"docs/pictures/(\w+)", text_of(ROOT / "README.md"))) == list(slugs())


EXAMPLES = [
    example
    for name in ("research", "learning", "openspiel", "equilibrium")
    for example in blocks(ROOT / f"docs/{name}.md", "python")
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_in_python_run(example: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", example],
        capture_output=True,
        text=True,
        check=False,
        timeout=20 * WAIT_TIMEOUT_S,  # kernels may have to be compiled
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout != ""


def test_every_danger_has_its_test() -> None:
    """That the files exist is shown above."""
    rows = [row for row in text_of(ROOT / "docs" / "security.md").splitlines() if "| a" in row[:4]]
    assert len(rows) > 10
    assert all("`tests/" in row for row in rows)


# Hosting


HOSTING = ROOT / "docs" / "hosting.md"


def units() -> list[configparser.ConfigParser]:
    found = []
    for text in blocks(HOSTING, "ini"):
        unit = configparser.ConfigParser(interpolation=None)
        unit.optionxform = str  # type: ignore[assignment, method-assign]
        unit.read_string(text)
        found.append(unit)
    return found


def test_every_setting_is_in_the_table_as_the_code_has_it() -> None:
    """`ludotheque settings --manual` prints it."""
    assert "\n".join(manual()) in text_of(HOSTING)


def test_the_example_of_a_file_with_settings_is_understood(tmp_path: Path) -> None:
    [text] = blocks(HOSTING, "toml")
    (tmp_path / "ludotheque.toml").write_text(text, "utf-8")
    found = resolve({"data": str(tmp_path)}, {})
    assert list(found.origins.values()).count(str(tmp_path / "ludotheque.toml")) == 5


def test_the_units_run_commands_that_exist_with_settings_that_exist() -> None:
    lines = [unit["Service"]["ExecStart"] for unit in units() if "Service" in unit]
    assert len(lines) == 2
    for line in lines:
        name, *arguments = shlex.split(line)[1:]
        command = COMMANDS[name]
        context = command.context_class(command, info_name=name)
        assert command.make_parser(context).parse_args(arguments)[1] == []
    for unit in units():
        for setting in unit.get("Service", "Environment", fallback="").split():
            assert setting.partition("=")[0] == "LUDOTHEQUE_CACHE"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    names = ("ludotheque.service", "ludotheque-backup.service", "ludotheque-backup.timer")
    for name, text in zip(names, blocks(HOSTING, "ini"), strict=True):
        here = text.replace("/opt/ludotheque/bin/ludotheque", sys.executable)
        (tmp_path / name).write_text(here.replace("User=ludotheque\n", ""), "utf-8")
    files = [str(tmp_path / name) for name in names]
    command = ["systemd-analyze", "verify", "--recursive-errors=no", *files]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    complaints = [line for line in done.stderr.splitlines() if str(tmp_path) in line]
    assert complaints == []


def test_the_proxies_pass_on_what_the_server_needs_and_not_the_metrics() -> None:
    [nginx], [caddy] = blocks(HOSTING, "nginx"), blocks(HOSTING, "caddyfile")
    for text in (nginx, caddy):
        assert text.count("{") == text.count("}") > 0
        assert f"127.0.0.1:{DEFAULTS.port}" in text
        assert "/metrics" in text
    for header in (
        "Host $http_host",
        "X-Forwarded-For",
        "X-Forwarded-Proto",
        "Upgrade",
        "Connection",
    ):
        assert f"proxy_set_header {header}" in nginx
    timeout = re.search(r"proxy_read_timeout (\d+)s", nginx)
    assert timeout is not None
    assert int(timeout[1]) > keepalive.INTERVAL_S


def test_the_example_client_plays_a_match(server: Server) -> None:
    script = ROOT / "docs" / "example_client.py"
    assert len(script.read_text().splitlines()) < 60
    done = subprocess.run(
        [sys.executable, str(script), f"http://{server.address}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=10 * WAIT_TIMEOUT_S,
    )
    assert re.match(r"scores \[-?\d+, -?\d+\] winners \[", done.stdout)


def test_the_parts_named_as_examples_are_understood() -> None:
    text = (ROOT / "docs" / "own-parts.md").read_text("utf-8")
    examples = re.findall(r"\(\.\./(src/ludotheque/games/(\w+)/data/\w+\.json)\)", text)
    assert sorted(slug for _, slug in examples) == [
        slug for slug in slugs() if (load(slug).folder / "parts.py").exists()
    ]
    for path, slug in examples:
        game = Game(slug, json.loads((ROOT / path).read_text("utf-8")))
        assert (
            Match(game, game.seats[0], seeds=Seeds(bytes(32))).log
            == Match(load(slug), game.seats[0], seeds=Seeds(bytes(32))).log
        )


@pytest.mark.parametrize("slug", ["team_up", "ubongo"])
def test_the_problems_named_as_examples_are_understood(slug: str) -> None:
    page = ROOT / "docs" / f"solve-{slug.replace('_', '-')}.md"
    problems = blocks(page, "json")
    assert len(problems) == 2
    for text in problems:
        load(slug).module("solver.solve").read(json.loads(text))
