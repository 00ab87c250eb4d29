"""The shape of the project holds."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludotheque.engine import inspection
from ludotheque.engine.game import load, slugs

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "ludotheque"


def test_imports_go_one_way() -> None:
    """In a process of its own: the linter sets up logging, which other tests read."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "Contracts: 4 kept, 0 broken" in done.stdout


@pytest.mark.parametrize("slug", slugs())
def test_nothing_outside_its_folder_names_a_game(slug: str) -> None:
    names = {slug, *(book["name"] for book in load(slug).words.values())}
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    outside = [p for p in SOURCE.rglob("*.py") if slug not in p.parts]
    assert [str(p) for p in outside if named.search(p.read_text("utf-8"))] == []


def test_every_module_of_the_engine_search_and_server_is_described() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    modules = [
        path
        for package in ("engine", "search", "server")
        for path in (SOURCE / package).glob("*.py")
        if path.name != "__init__.py"
    ]
    missing = [str(p.relative_to(SOURCE)) for p in modules if not re.search(rf"\b{p.name}", text)]
    assert missing == []


def test_every_file_of_the_five_walks_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    walks = text.partition("## Five walks")[2].partition("\n## ")[0]
    example = walks.replace("<slug>", "stupide_vautour")
    paths = re.findall(r"`((?:\w+/)*[\w.]+\.(?:py|ts|svelte))`", example)
    assert len(paths) > 30
    assert [p for p in paths if not ((SOURCE / p).exists() or (ROOT / p).exists())] == []


@pytest.mark.parametrize("slug", slugs())
def test_plain_rules_import_neither_numpy_nor_numba(slug: str) -> None:
    code = f"""
import sys
from ludotheque.engine.chance import Seeds
from ludotheque.engine.match import Match
from ludotheque.engine.game import load
game = load({slug!r})
match = Match(game, game.seats[-1], game.playout_options, seeds=Seeds(bytes(32)))
match.view(0), game.notation(0, 0), match.legal_moves(0)
assert not {{"numpy", "numba"}} & set(sys.modules), "NumPy was imported"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("slug", slugs())
def test_every_test_named_in_the_rules_exists_and_every_rule_test_is_named(slug: str) -> None:
    folder = load(slug).folder
    table = (folder / "RULES.md").read_text("utf-8").partition("## Sentences and tests")[2]
    named = set(re.findall(r"`(test_\w+)`", table))
    tests = {path.name: claims_of(path) for path in (folder / "tests").glob("test_*.py")}
    assert named - set().union(*tests.values()) == set(), "in the table of RULES.md, but no test"
    assert tests["test_rules.py"] - named == set(), "tests that the table of RULES.md leaves out"


def claims_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("slug", slugs())
def test_a_game_folder_holds_what_the_guide_lists(slug: str) -> None:
    """Beside the modules of which rules.py is made."""
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    listed = {name.partition("/")[0] for name in re.findall(r"`([\w./]+)`", guide)}
    folder = load(slug).folder
    rules = (folder / "rules.py").read_text("utf-8")
    parts = {
        f"{name}.py" for name in re.findall(rf"^from ludotheque\.games\.{slug}\.(\w+)", rules, re.M)
    }
    found = {path.name for path in folder.iterdir()} - {"__init__.py", "__pycache__"}
    assert found - listed - parts == set()


def test_the_guide_lists_what_is_asked_of_a_game() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    asked = [*inspection.NEEDED, *inspection.ADVISED, *inspection.OF_THIS_REPOSITORY]
    names = {name.partition("*")[0] for name in asked} - {"__init__.py"}
    assert [name for name in sorted(names) if f"`{name}" not in guide] == []
