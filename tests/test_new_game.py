"""A new game works from the first minute, wherever it stands, and is told what it lacks."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from ludotheque.bots import roster
from ludotheque.engine import conformance, discovery, inspection
from ludotheque.engine.batch import Batch
from ludotheque.engine.box import Box
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import LANGUAGES, Game, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read, replay
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import CHANCE
from ludotheque.lab.check import Report, examine
from ludotheque.lab.simulate import simulate
from ludotheque.template import write_game

TEMPLATE = Path(discovery.__file__).parents[1] / "template" / "new_game"
OURS = ("stupide_vautour", "team_up", "ubongo", "up_and_down", "whats_up")
numbers = count(1)
NewGame = Callable[[], Path]


def looked_into(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    package = importlib.import_module(discovery.GAMES)
    monkeypatch.setattr(package, "__path__", list(package.__path__))
    monkeypatch.setenv(discovery.FOLDERS, str(folder))
    discovery.places.cache_clear()
    yield folder
    discovery.places.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of games that is looked into."""
    yield from looked_into(tmp_path, monkeypatch)


class Written(NamedTuple):
    """A game that was written with the command, and what that printed."""

    name: str
    home: Path
    told: str


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """It is one for all tests that compile it, which takes longer than everything else."""
    home = tmp_path_factory.mktemp("home")
    done = run("new", "four_winds", "--into", str(home))
    assert done.returncode == 0, done.stderr
    return Written("four_winds", home, done.stdout)


@pytest.fixture
def found_game(written: Written, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The same game, loaded here."""
    for _ in looked_into(written.home, monkeypatch):
        yield load(written.name)


@pytest.fixture
def new_game(folder: Path) -> NewGame:
    """Writes the small game, under a name that no other test has used."""

    def write() -> Path:
        written = write_game(f"game{next(numbers)}", folder)
        discovery.places.cache_clear()
        importlib.invalidate_caches()
        return written

    return write


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ludotheque", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"LANG": "en_GB.UTF-8", "COLUMNS": "100"},
    )


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def faults(game: Path) -> list[str]:
    """What keeps the game in this folder from being played, as `check` lists it."""
    found = inspection.faults(game.name, discovery.place_to_check(game.name))
    return [f"{finding.where}: {finding.what}" for finding in found]


# From new to a match


def test_a_new_game_is_checked_played_simulated_and_tested(
    written: Written, tmp_path: Path
) -> None:
    games, saved = f"--games={written.home}", tmp_path / "match.json"
    assert f"ludotheque check four_winds --games {written.home}" in written.told

    checked = run("check", "four_winds", games)
    name, *lines = checked.stdout.rstrip().split("\n")
    advice = [line for line in lines if line.endswith("(the game works without it)")]
    assert (name, len(advice)) == ("four_winds", 2)
    assert next(line for line in lines if line not in advice) == "  75 of 75 checks passed"
    assert checked.returncode == 0

    played = run(
        *("play", "four_winds", games, "--people", "2", "--save", str(saved)),
        typed="\n3\n\n3\n\n3\n\n3\n\n3\n",
    )
    assert "Player 1 takes the last stone and wins" in played.stdout
    assert json.loads(saved.read_text())["result"]["winners"] == [0]
    verified = run("verify", str(saved), games)
    assert verified.stdout == "there is no chance in four_winds, so there is nothing to verify\n"

    counts = ("--seats", "3", "--games", "500")
    simulated = run(games, "simulate", "four_winds", *counts, "--json")
    assert sum(json.loads(simulated.stdout)["wins"]) == 500
    assert run("warm", "four_winds", games).returncode == 0
    fought = run("arena", "four_winds", "--bots", "regular,chaotic", "--json", games)
    assert [standing["bot"] for standing in json.loads(fought.stdout)] == ["regular", "chaotic"]

    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(written.home)],
        capture_output=True,
        text=True,
        check=False,
        cwd=written.home,
    )
    assert tested.returncode == 0, tested.stdout
    assert "6 passed" in tested.stdout


def test_a_new_game_bears_its_name_everywhere(new_game: NewGame) -> None:
    game = new_game()
    texts = [path.read_text("utf-8") for path in game.rglob("*.*")]
    assert [text for text in texts if "new_game" in text or "New game" in text] == []
    assert load(game.name).words["de"]["name"] == game.name.capitalize()
    assert sorted(p.relative_to(game) for p in game.rglob("*.*")) == sorted(
        p.relative_to(TEMPLATE) for p in TEMPLATE.rglob("*.*") if p.suffix != ".pyc"
    )


@pytest.mark.parametrize(
    "name", ["", "Chess", "tic-tac-toe", "4winds", "_go", "go_", "a__b", "class", "../go", "é"]
)
def test_a_name_that_cannot_be_imported_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="cannot be the name of a game; expected lower-case letters"):
        write_game(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_long_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="has 41 characters, expected at most 40"):
        write_game("a" * 41, tmp_path)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "chess").write_text("mine")
    with pytest.raises(Refused, match="chess already exists, and nothing is overwritten"):
        write_game("chess", tmp_path)
    assert (tmp_path / "chess").read_text() == "mine"
    with pytest.raises(Refused, match=r"there is a game ubongo already, in .*ubongo"):
        write_game("ubongo", tmp_path)
    with pytest.raises(Refused, match="cannot be written: Not a directory"):
        write_game("go", tmp_path / "chess")


# A game without chance, strong bots and hints


def test_a_game_without_chance_passes_the_suite_and_runs_compiled(found_game: Game) -> None:
    game = found_game
    assert (game.outcomes, game.has_chance) == (0, False)
    for claim in conformance.CHECKS:
        conformance.run(game, 3, claim)
    assert sum(simulate(game, 4, 100).wins) == 100
    batch = Batch(game, 2, 8)
    for _ in range(15):
        batch.play(batch.random_moves())
    assert batch.finished.sum() + batch.points.sum() > 0


def test_chance_that_is_not_there_is_refused_in_words(new_game: NewGame) -> None:
    game = load(new_game().name)
    match = Match(game, 2, seeds=Seeds(bytes(32)))
    with pytest.raises(Refused, match=f"^there is no chance in {game.slug}$"):
        match.play(CHANCE, 0)
    with pytest.raises(Refused, match=f"'6' is not an outcome: there is no chance in {game.slug}"):
        Match(game, 2, deal=["6"])
    assert match.draws() == []


def test_a_game_is_offered_with_the_levels_that_it_has(new_game: NewGame) -> None:
    game = load(new_game().name)
    assert roster.kinds(game) == ("regular", "chaotic")
    assert [roster.nearest(game, kind) for kind in (*roster.KINDS, "grandmaster")] == [
        *["regular"] * 4,
        *("chaotic", "regular"),
    ]
    with pytest.raises(Refused, match="there is no bot 'master'; the bots are: regular, chaotic"):
        roster.hire("master", game, 0)
    assert not game.has_hints


def test_a_game_without_players_is_played_at_random(new_game: NewGame) -> None:
    folder = new_game()
    (folder / "bot" / "__init__.py").unlink()
    game = load(folder.name)
    assert roster.kinds(game) == ("chaotic",)
    assert roster.nearest(game, "master") == "chaotic"
    roster.warm(game)
    played = run("play", game.slug, "--people", "0")
    assert "takes the last stone and wins" in played.stdout


def test_our_games_have_every_level_and_hints() -> None:
    for slug in OURS:
        assert roster.levels(load(slug)) == roster.LEVELS
        assert load(slug).has_hints


# Where games are found


def test_games_of_a_folder_are_listed_among_ours(new_game: NewGame) -> None:
    game = new_game()
    assert slugs() == tuple(sorted((*OURS, game.name)))
    place = discovery.place_of(game.name)
    assert (place.folder, place.is_ours) == (game, False)
    assert discovery.place_of("ubongo").is_ours
    recorded = read(next((game / "matches").glob("*.json")))
    assert replay(recorded.to_json()).winners == [1]


def test_a_folder_may_be_named_twice(new_game: NewGame, folder: Path) -> None:
    game = new_game()
    discovery.use_folders([folder, folder / ".." / folder.name])
    assert slugs() == tuple(sorted((*OURS, game.name)))


def test_two_games_of_one_name_are_refused(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for place in (folder, elsewhere):
        write_game("twin", place)
    discovery.use_folders([elsewhere])
    with pytest.raises(Refused, match=r"there are two games twin, in .* and in .*; rename one"):
        discovery.places()


@pytest.mark.parametrize(
    ("made", "complaint"),
    [
        ("", "is not a folder; --games and LUDOTHEQUE_GAMES name folders of games"),
        ("rules.py", "is a game; expected the folder that it stands in, "),
        ("Tic Tac/rules.py", "'Tic Tac' cannot be the name of a game"),
    ],
)
def test_a_folder_that_holds_no_games_is_refused(
    made: str, complaint: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if made:
        (folder / "x" / made).parent.mkdir(parents=True)
        (folder / "x" / made).touch()
    monkeypatch.setenv(discovery.FOLDERS, str(folder / "x"))
    with pytest.raises(Refused, match=re.escape(complaint)):
        discovery.places()


def install(site: Path, name: str, value: str) -> None:
    """A distribution that names a game as an entry point."""
    info = site / "gamebox-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gamebox\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{discovery.GAMES}]\n{name} = {value}\n")


def test_an_installed_package_brings_a_game(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path_factory.mktemp("site")
    (site / "gamebox").mkdir()
    write_game("boxed", site / "gamebox")
    install(site, "boxed", "gamebox.boxed")
    monkeypatch.syspath_prepend(site)
    discovery.places.cache_clear()
    game = load("boxed")
    assert (game.package, game.folder) == ("gamebox.boxed", site / "gamebox" / "boxed")
    conformance.run(game, 2, "golden_matches_are_unchanged")
    assert roster.kinds(game) == ("regular", "chaotic")


def test_an_installed_package_without_its_game_is_named(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path_factory.mktemp("site")
    install(site, "lost", "nowhere.lost")
    monkeypatch.syspath_prepend(site)
    discovery.places.cache_clear()
    with pytest.raises(Refused, match="the installed game lost cannot be found"):
        discovery.places()


# What check says


def test_the_template_lacks_nothing_that_it_needs(new_game: NewGame) -> None:
    game = new_game()
    found = inspection.findings(game.name, discovery.place_of(game.name))
    lacking = {finding.where: finding.is_needed for finding in found}
    assert lacking == {"story.py": False, "lessons/first.toml": False}


def test_a_game_of_this_repository_is_told_what_the_tests_will_ask(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game()
    monkeypatch.setattr(discovery.Place, "is_ours", property(lambda _: True))
    found = inspection.findings(game.name, discovery.place_of(game.name))
    asked = {*inspection.OF_THIS_REPOSITORY, "story.py", "lessons/first.toml", "matches/*.json"}
    assert {finding.where for finding in found} == asked - {"tests/test_rules.py"}


def test_our_games_lack_nothing() -> None:
    for slug in OURS:
        assert inspection.findings(slug, discovery.place_of(slug)) == []


BROKEN = [
    ("rules.py", "def setup(", "def setup((", "rules.py: cannot be imported: rules.py, line 25: "),
    ("rules.py", "VERSION = 1", "VERSION = one", "line 9: NameError: name 'one' is not defined"),
    ("rules.py", "MOVES =", "MUVES =", "rules.py: MOVES is None, expected a whole number"),
    ("rules.py", "range(2, 5)", "4", "rules.py: SEATS is 4, expected a range, such as"),
    ("rules.py", "class State(Record)", "class Stat(Record)", "NameError: name 'State'"),
    (
        "rules.py",
        "def score(",
        "def points(",
        "rules.py: has no function score(s, seat): The points this seat has now.",
    ),
    (
        "rules.py",
        "VERSION = 1",
        'VERSION = 1\nfrom ludotheque.engine import flag\nOPTIONS = (flag("misere"),)',
        "rules.py: State has no number 'misere'; write misere: int = number(…)",
    ),
    (
        "rules.py",
        "VERSION = 1",
        "VERSION = 1\nOUTCOMES = 6",
        "rules.py: has no function draw_name(s): Which draw comes next",
    ),
    ("notation.py", "def prompt(", "def ask(", "notation.py: has no function prompt; "),
    ("notation.py", "from .rules", "import nonsense\nfrom .rules", "No module named 'nonsense'"),
    ("terminal.py", "def draw(", "def paint(", "terminal.py: has no function draw; "),
    ("box.toml", "age = 6", "age = 0", "box.toml: age is 0, expected a number of years from 1"),
    ("box.toml", "age = 6", "from = 6", "box.toml: from is unknown; expected age, minutes, usual_"),
    ("box.toml", "= 5", "= [9, 5]", "box.toml: minutes is [9, 5], expected a number, or two"),
    ("box.toml", "= 2", "= 9", "box.toml: usual_seats is 9, expected one of [2, 3, 4]"),
    ("words.toml", "[de]", "[it]", "words.toml: name is missing in de"),
    ("words.toml", "[fr]", "[fr", "words.toml: cannot be read: "),
    ("words.toml", "take_one =", "one =", "words.toml: moves.take_one is missing in fr, en and de"),
    ("words.toml", "[de.results]", "[de.ends]", "words.toml: results.won is missing in de"),
    (
        "words.toml",
        "{count} Steine",
        "Steine",
        "words.toml: moves.take does not have the same {blanks}",
    ),
    (
        "words.toml",
        "take {count} stones",
        "take {number}",
        "moves.take does not have the same {blanks}",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "complaint"), BROKEN)
def test_what_is_wrong_is_named(
    file: str, old: str, new: str, complaint: str, new_game: NewGame
) -> None:
    game = new_game()
    change(game / file, old, new)
    found = faults(game)
    assert [text for text in found if complaint in text], found


STORY = """
from ludotheque.engine.story import Fact

def chapter(view):
    return 1

def tell(before, seat, move, after):
    return [Fact("move", "took", {"seat": seat})]
"""


def test_the_story_of_a_new_game_is_checked(new_game: NewGame) -> None:
    game = new_game()
    (game / "story.py").write_text(STORY.replace("def tell", "def say"), "utf-8")
    assert faults(game) == ["story.py: has no function tell; CONTRIBUTING.md says what it does"]


def test_the_words_of_a_new_games_story_are_checked(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = "every_fact_has_its_words"
    monkeypatch.setattr(conformance, "CHECKS", {claim: conformance.CHECKS[claim]})
    game = new_game()
    (game / "story.py").write_text(STORY, "utf-8")
    assert faults(game) == ["words.toml: story.chapter is missing in fr, en and de"]
    words = (game / "words.toml").read_text("utf-8")
    for language in LANGUAGES:
        words += f'\n[{language}.story]\nchapter = "{{number}}"\n'
    (game / "words.toml").write_text(words, "utf-8")
    discovery.places.cache_clear()
    report = report_on(game)
    assert report.faults == []
    assert list(report.failures) == ["words.toml: story.took is missing in fr"]


def test_a_language_that_is_missing_is_named(new_game: NewGame) -> None:
    game = new_game()
    text = (game / "words.toml").read_text("utf-8")
    (game / "words.toml").write_text(text[: text.index("[de]")], "utf-8")
    assert faults(game) == ["words.toml: [de] is missing; write every word in fr, en and de"]


def test_a_game_without_a_box_is_sound_and_told_so(new_game: NewGame) -> None:
    game = new_game()
    (game / "box.toml").unlink()
    assert faults(game) == []
    assert load(game.name).box == Box(2)


@pytest.mark.parametrize("file", inspection.NEEDED)
def test_a_file_that_is_missing_is_named(file: str, new_game: NewGame) -> None:
    game = new_game()
    (game / file).unlink()
    discovery.places.cache_clear()
    assert faults(game) == [f"{file}: is missing; it holds {inspection.NEEDED[file]}"]


def test_what_a_game_can_do_without_is_advised(new_game: NewGame) -> None:
    game = new_game()
    for path in ("bot/__init__.py", "RULES.md", "matches/last_stone.json"):
        (game / path).unlink()
    found = inspection.findings(game.name, discovery.place_of(game.name))
    assert [(f.where, f.is_needed) for f in found] == [
        ("RULES.md", False),
        ("bot/__init__.py", False),
        ("story.py", False),
        ("lessons/first.toml", False),
        ("matches/*.json", False),
    ]


def report_on(game: Path) -> Report:
    return examine(game.name, lambda done, of: None)


def test_everything_that_goes_wrong_in_play_is_told_once(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = ("compiled_rules_are_the_plain_ones", "compiled_rules_stay_in_bounds")
    plain = {k: v for k, v in conformance.CHECKS.items() if k not in compiled}
    monkeypatch.setattr(conformance, "CHECKS", plain)
    game = new_game()
    change(game / "rules.py", "s.stones -= move + 1", "s.stones -= (1, 2, 3)[move + 5]")
    report = report_on(game)
    assert report.is_failure
    reason = "rules.py, line 38: IndexError: tuple index out of range"
    assert list(report.failures) == [reason]
    *lines, last = report.lines()
    assert re.fullmatch(r"  \d+ of 69 checks passed", last)
    assert any(line.startswith(f"  ✗ {reason} (found by ") for line in lines)


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("words.toml", "bots.regular", "bots.novice", "bots.regular.name is missing in every"),
        ("words.toml", "wait =", "rest =", "prompts.wait is missing in every language"),
        ("bot/__init__.py", "def hire(", "def fire(", "has no function hire(level, game, seat,"),
        ("bot/__init__.py", '("regular",)', '("boss",)', "expected some of novice, regular"),
        ("bot/__init__.py", "return best if", "return 9 if", "regular chose 9 of the legal moves"),
        ("words.toml", ".bots.regular]", ".hints]\nx = 'x'\n[{0}.bots.regular]", "has no advise"),
    ],
)
def test_bots_and_prompts_are_tried(
    file: str,
    old: str,
    new: str,
    complaint: str,
    new_game: NewGame,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {"every_state_is_told_in_words": conformance.every_state_is_told_in_words}
    monkeypatch.setattr(conformance, "CHECKS", told)
    game = new_game()
    if "{0}" in new:
        for language in ("fr", "en", "de"):
            change(game / file, f"[{language}{old}", f"[{language}{new.format(language)}")
    else:
        change(game / file, old, new)
    assert [line for line in report_on(game).lines() if "✗" in line and complaint in line]


@pytest.mark.parametrize("command", [["games"], ["serve", "--port", "9"], ["play", "broken"]])
def test_a_game_that_does_not_import_is_refused_in_one_sentence(
    command: list[str], tmp_path: Path
) -> None:
    change(write_game("broken", tmp_path) / "rules.py", "def setup(", "def setup((")
    done = run(*command, f"--games={tmp_path}")
    assert done.returncode == 2
    assert "broken cannot be" in done.stderr
    assert "rules.py, line 25: SyntaxError" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
