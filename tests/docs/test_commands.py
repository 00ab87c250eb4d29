"""Every command in the documentation can be typed."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from ludotheque import cli
from ludotheque.engine import chance
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import write_text
from pages import PAGES, ROOT, SOURCE, blocks, command_lines, commands, spans, text_of
from people import WAIT_TIMEOUT_S

COMMANDS: dict[str, Any] = vars(typer.main.get_command(cli.app))["commands"]
COMMITTED_TEXT = chance.LABEL.rstrip(b"\0").decode()  # begins like a command
LONG = (
    "arena",
    "backup",
    "check",
    "doctor",
    "export",
    "import",
    "mcp",
    "report",
    "restore",
    "serve",
    "tables",
    "warm",
)  # other tests run these
LESS = {("simulate", "--games"): "20", ("solve", "--seconds"): "1"}  # than the page asks for
NEW_GAME = ["new", "tic_tac_toe", "--into", "games"]
PARTS = {"my-deck.json": "ubongo/data/deck.json", "my-set.json": "team_up/data/set.json"}
PROBLEMS = {"hand.json": "solve-ubongo.md", "order.json": "solve-team-up.md"}
PLACEHOLDERS = {"GAME": "stupide_vautour", "FILE": "match.json", "FOLDER": "games"}


def arguments_of(line: str) -> list[str]:
    """What follows `ludotheque`, without the comment."""
    return shlex.split(line.removeprefix(".venv/bin/"), comments=True)[1:]


def of_ours(lines: list[str]) -> list[str]:
    return [line for line in lines if re.match(r"(\.venv/bin/)?ludotheque ", line)]


TYPED = sorted({line for page in PAGES for line in of_ours(command_lines(page))})
NAMED = sorted({span for page in PAGES for span in of_ours(spans(page))} - {COMMITTED_TEXT})
CHOSEN_TESTS = sorted(
    {line for page in PAGES for line in command_lines(page) if "pytest" in line and " -k " in line}
)


@pytest.mark.parametrize("line", TYPED)
def test_the_command_understands_what_is_typed(line: str) -> None:
    """The names of the options and the number of arguments; nothing is run."""
    command, arguments = command_of(arguments_of(line))
    context = command.context_class(command, info_name=command.name)
    _, left, _ = command.make_parser(context).parse_args(arguments)
    assert left == []


def command_of(words: list[str]) -> tuple[Any, list[str]]:
    """The command that is typed, one of a group if it is in one, and what follows it."""
    command, rest = COMMANDS[words[0]], words[1:]
    if hasattr(command, "commands") and rest:
        command, rest = command.commands[rest[0]], rest[1:]
    return command, rest


@pytest.mark.parametrize("span", NAMED)
def test_commands_and_options_named_in_a_sentence_exist(span: str) -> None:
    command, arguments = command_of(arguments_of(span))
    known = {option for parameter in command.params for option in parameter.opts}
    assert [word for word in arguments if word.startswith("-") and word not in known] == []


@pytest.mark.parametrize("line", [line for line in TYPED if arguments_of(line)[0] not in LONG])
def test_quick_commands_run(line: str, tmp_path: Path) -> None:
    """People who are asked for a move quit."""
    write_files(tmp_path)
    arguments = shortened([PLACEHOLDERS.get(word, word) for word in arguments_of(line)])
    if "tic_tac_toe" in arguments and arguments != NEW_GAME:
        assert run(NEW_GAME, tmp_path).returncode == 0
    done = run(arguments, tmp_path)
    assert done.returncode == 0, done.stderr


def write_files(folder: Path) -> None:
    """The files that the documentation speaks of."""
    match = Match(load("team_up"), 2, seeds=chance.seeds_from("documentation"))
    while not match.is_over:
        seat = match.awaited()[0]
        match.play(seat, match.legal_moves(seat)[-1])
    (folder / "match.json").write_text(write_text(match), "utf-8")
    for name, path in PARTS.items():
        shutil.copy(SOURCE / "games" / path, folder / name)
    for name, page in PROBLEMS.items():
        (folder / name).write_text(blocks(ROOT / "docs" / page, "json")[0], "utf-8")


def shortened(arguments: list[str]) -> list[str]:
    """The same with fewer matches and less time."""
    pairs = zip(["", *arguments], arguments, strict=False)
    return [LESS.get((arguments[0], before), word) for before, word in pairs]


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ludotheque", *arguments],
        cwd=folder,
        input="q\n",
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        timeout=20 * WAIT_TIMEOUT_S,  # kernels may have to be compiled
    )


@pytest.mark.parametrize("line", CHOSEN_TESTS)
def test_tests_that_are_chosen_by_name_exist(line: str) -> None:
    _, *arguments = shlex.split(line, comments=True)
    command = [sys.executable, "-m", "pytest", "--collect-only", *arguments]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_make_targets_exist(path: Path) -> None:
    targets = re.findall(r"^(\w+):", text_of(ROOT / "Makefile"), re.MULTILINE)
    named = [line.split()[1] for line in commands(path) if line.startswith("make ")]
    assert [name for name in named if name not in targets] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_npm_scripts_exist(path: Path) -> None:
    scripts = json.loads(text_of(ROOT / "package.json"))["scripts"]
    named = [line.split()[2] for line in commands(path) if line.startswith("npm run ")]
    assert [name for name in named if name not in scripts] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_modules_that_python_runs_exist(path: Path) -> None:
    lines = [line.removeprefix(".venv/bin/") for line in commands(path)]
    modules = [line.split()[2] for line in lines if line.startswith("python -m ")]
    assert [name for name in modules if not is_module(name)] == []


def is_module(name: str) -> bool:
    place = Path(*name.split("."))
    return any(
        (base / place / "__main__.py").exists() or (base / place.with_suffix(".py")).exists()
        for base in (ROOT, ROOT / "src")
    )
