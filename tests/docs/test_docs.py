"""What the documentation shows is true."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import replay
from people import WAIT_TIMEOUT_S, Server

ROOT = Path(__file__).parents[2]
DOCS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", path.read_text("utf-8"), re.DOTALL)


def test_every_match_in_the_documentation_replays() -> None:
    matches = [json.loads(text) for text in blocks(ROOT / "docs" / "match-files.md", "json")]
    assert {match["game"] for match in matches} == set(slugs())
    for match in matches:
        assert len(replay(match).log) == len(match["moves"])


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", path.read_text("utf-8")):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


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
