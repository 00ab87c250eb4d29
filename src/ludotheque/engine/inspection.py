"""What is missing from a game's folder and how to fix it, checked before anything is played.

The conformance suite plays; this reads. So it also has something to say of a game that does not
even import.
"""

from __future__ import annotations

import importlib
import inspect
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from ludotheque.engine import box, rulebook
from ludotheque.engine.discovery import Place, explained
from ludotheque.engine.game import LANGUAGES, Game
from ludotheque.engine.record import Record
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.text import BLANK

NEEDED = {
    "rules.py": "the constants, the State and the functions that engine/rulebook.py lists",
    "notation.py": "move_text, move_words and prompt",
    "words.toml": "every word that a player reads, in fr, en and de",
    "terminal.py": "draw(view, viewer, words, names)",
    "checks.py": "faults(state) and reseal(state, viewer, rng)",
}
ADVISED = {
    "__init__.py": "one line that says what the game is",
    "RULES.md": "the rules in your own words",
    box.FILE: "the age, the minutes and the usual seats that the lobby shows",
    "bot/__init__.py": "players with hire(level, game, seat, rng); until then bots play at random",
    "story.py": "tell(before, seat, move, after): what happened, as facts that players are told",
    "lessons/first.toml": "a lesson to play, which newcomers are offered",
    "tests/test_*.py": "a test for every sentence of the rules",
    "matches/*.json": "recorded matches: `ludotheque play GAME --save FILE`",
}
OF_THIS_REPOSITORY = {  # what `make test` asks of games that live here
    "board/Board.svelte": "the board in the browser; until then the page shows the terminal's",
    "board/art.svg": "the picture in the lobby",
    "bot/memory.py": "what a seat has seen, and states guessed from it",
    "bot/hints.py": "advice in words, with [hints] in words.toml",
    "counts.json": "reachable states at small depth: `python scripts/count_states.py GAME`",
    "tests/test_rules.py": "the sentences of the rules as tests, which RULES.md names",
}
MATCHES_HERE = 5
CONSTANTS: dict[str, type] = {"VERSION": int, "SEATS": range, "MOVES": int, "MAX_MATCH_MOVES": int}
OF_CHANCE = ("draw_name",)
MOVES_READ = 500  # whose words are looked up; of more moves a sample


class Finding(NamedTuple):
    """Something that is wrong, or that could be better."""

    where: str  # a file of the folder
    what: str  # and what to do about it
    is_needed: bool = True  # False: the game works without it


def findings(name: str, place: Place) -> list[Finding]:
    """Everything that is missing or wrong as far as it can be seen without playing."""
    found = [*_files(name, place), *_words_file(place.folder)]
    if not (place.folder / "rules.py").exists():
        return found
    try:
        game = Game(name)
    except Exception as error:
        return [*found, *_why_not_loaded(place, error)]
    found += [*_rules(game), *_modules(game)]
    is_sound = not any(finding.is_needed for finding in found)
    return [*found, *_words(game), *_box(game)] if is_sound else found


def faults(name: str, place: Place) -> list[Finding]:
    """What keeps the game from being played."""
    return [finding for finding in findings(name, place) if finding.is_needed]


# Files


def _files(name: str, place: Place) -> Iterator[Finding]:
    for file, holds in NEEDED.items():
        if not (place.folder / file).exists():
            yield Finding(file, f"is missing; it holds {holds}")
    advised = ADVISED | OF_THIS_REPOSITORY if place.is_ours else ADVISED
    for pattern, holds in advised.items():
        if not any(place.folder.glob(pattern)):
            yield Finding(pattern, f"is missing; {holds.replace('GAME', name)}", is_needed=False)
    matches = len(list(place.folder.glob("matches/*.json")))
    if place.is_ours and 0 < matches < MATCHES_HERE:
        wanted = f"{MATCHES_HERE} recorded matches cover every end and every special case"
        yield Finding("matches/*.json", f"are {matches}; at least {wanted}", is_needed=False)


# Rules


def _why_not_loaded(place: Place, error: Exception) -> Iterator[Finding]:
    """The constants that are missing, or else what went wrong."""
    try:
        rules = importlib.import_module(f"{place.package}.rules")
    except Exception as failure:
        yield Finding("rules.py", f"cannot be imported: {explained(failure, place.folder)}")
        return
    missing = list(_constants(rules))
    yield from missing or [Finding("rules.py", explained(error, place.folder))]


def _constants(rules: ModuleType) -> Iterator[Finding]:
    for name, kind in CONSTANTS.items():
        value = getattr(rules, name, None)
        if not isinstance(value, kind):
            yield Finding("rules.py", f"{name} is {value!r}, expected {_a(kind)}")
    seats = getattr(rules, "SEATS", None)
    if isinstance(seats, range) and not (len(seats) > 0 and seats[0] >= 1):
        yield Finding("rules.py", f"SEATS is {seats}, expected seat counts from 1")
    state = getattr(rules, "State", None)
    if not (isinstance(state, type) and issubclass(state, Record)):
        yield Finding("rules.py", "has no State; expected class State(Record)")


def _rules(game: Game) -> Iterator[Finding]:
    if wrong := list(_constants(game.rules)):
        yield from wrong
        return
    for name in _expected_functions(game):
        if not callable(getattr(game.rules, name, None)):
            yield Finding("rules.py", f"has no function {_signature(name)}: {_summary(name)}")
    fields = game.State.FIELDS
    for name in ("seats", *game.options):
        if name not in fields or fields[name].shape != ():
            yield Finding(
                "rules.py", f"State has no number {name!r}; write {name}: int = number(…)"
            )
    if game.objections[:1] != ("",) or len(game.objections) < 2:
        yield Finding("rules.py", 'OBJECTIONS begins with "" and names at least one objection')


def _expected_functions(game: Game) -> list[str]:
    """The functions of the rulebook without a default that this game cannot do without."""
    required = [n for n, f in vars(rulebook).items() if _is_required(f)]
    expected = [n for n in required if game.has_chance or n not in OF_CHANCE]
    return [*expected, *(("wait", "alarm") if game.timed else ())]


def _is_required(function: object) -> bool:
    return inspect.isfunction(function) and "NotImplementedError" in function.__code__.co_names


def _signature(name: str) -> str:
    return f"{name}({', '.join(inspect.signature(getattr(rulebook, name)).parameters)})"


def _summary(name: str) -> str:
    text = inspect.getdoc(getattr(rulebook, name)) or ""
    return text.partition("\n")[0]


# The other modules


def _modules(game: Game) -> Iterator[Finding]:
    of_chance = ("outcome_text", "outcome_words") if game.has_chance else ()
    expected = {
        "notation": ("move_text", "move_words", "prompt", *of_chance),
        "terminal": ("draw",),
        "checks": ("faults", "reseal"),
        "story": ("tell",),
    }
    for module, names in expected.items():
        if (game.folder / f"{module}.py").exists():
            yield from _functions(game, module, names)


def _functions(game: Game, module: str, names: Iterable[str]) -> Iterator[Finding]:
    try:
        found = game.module(module)
    except Exception as error:
        text = explained(error, game.folder)
        yield Finding(f"{module}.py", f"cannot be imported: {text}")
        return
    for name in names:
        if not callable(getattr(found, name, None)):
            yield Finding(
                f"{module}.py", f"has no function {name}; CONTRIBUTING.md says what it does"
            )


# The box


def _box(game: Game) -> Iterator[Finding]:
    try:
        box.read_box(game.folder, game.seats)
    except ValueError as error:
        yield Finding(box.FILE, str(error))


# Words


def _words_file(folder: Path) -> Iterator[Finding]:
    """Whether the file can be read, and every language says the same things."""
    if not (folder / "words.toml").exists():
        return
    try:
        words = tomllib.loads((folder / "words.toml").read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        yield Finding("words.toml", f"cannot be read: {error}")
        return
    missing = [language for language in LANGUAGES if not isinstance(words.get(language), dict)]
    for language in missing:
        yield Finding("words.toml", f"[{language}] is missing; write every word in {_all()}")
    spoken = {language: leaves(words[language]) for language in LANGUAGES if language in words}
    for key in ("name", "pitch", "rules"):
        if spoken and not any(book.get(key, "").strip() for book in spoken.values()):
            yield Finding("words.toml", f"{key} is missing in {_all()}")
    yield from _differences(spoken)


def _differences(books: dict[str, dict[str, str]]) -> Iterator[Finding]:
    for key in sorted(set().union(*books.values())):
        without = [language for language, book in books.items() if key not in book]
        if without:
            yield Finding("words.toml", f"{key} is missing in {' and '.join(without)}")
        elif len({frozenset(blanks(book[key])) for book in books.values()}) > 1:
            yield Finding("words.toml", f"{key} does not have the same {{blanks}} in {_all()}")


def leaves(words: dict[str, Any], path: str = "") -> dict[str, str]:
    """Every text of one language by its path: {"moves.take": "take {count} stones"}."""
    found: dict[str, str] = {}
    for key, value in words.items():
        where = f"{path}.{key}" if path else key
        found |= leaves(value, where) if isinstance(value, dict) else {where: str(value)}
    return found


def blanks(text: str) -> set[str]:
    return {name for name, _ in BLANK.findall(text) if name}


def _words(game: Game) -> Iterator[Finding]:
    """The words that the rules ask for, in one language: the others have the same."""
    try:
        wanted = dict.fromkeys(_wanted(game))
    except Exception as error:
        yield Finding("notation.py", explained(error, game.folder))
        return
    known = leaves(game.words[LANGUAGES[0]])
    for key, blanks_filled in wanted:
        if key not in known:
            yield Finding("words.toml", f"{key} is missing in {_all()}")
        elif unfilled := blanks(known[key]) - set(blanks_filled):
            yield Finding(
                "words.toml", f"nothing fills {{{'}, {'.join(sorted(unfilled))}}} of {key}"
            )


def _wanted(game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every key that the rules lead to, with the blanks that are filled in."""
    for seat, section, count in ((0, "moves", game.moves), (CHANCE, "outcomes", game.outcomes)):
        for move in range(0, count, max(1, count // MOVES_READ)):
            key, values = game.move_words(seat, move)
            yield f"{section}.{key}", tuple(values)
    for verdict in game.verdicts:
        yield f"results.{verdict}", ("player", "players", "score", *game.options)
    for objection in game.objections[1:]:
        yield f"objections.{objection}", ()
    for name, option in game.options.items():
        texts = [value for value in option.values or () if isinstance(value, str)]
        for key in ("label", "help", *texts):
            yield f"options.{name}.{key}", ()
    if (game.folder / "story.py").exists():
        story = game.module("story")
        if hasattr(story, "chapter") or hasattr(story, "is_turn"):
            yield "story.chapter", ("number",)


def _all() -> str:
    return f"{', '.join(LANGUAGES[:-1])} and {LANGUAGES[-1]}"


def _a(kind: type) -> str:
    return {"int": "a whole number", "range": "a range, such as range(2, 5)"}[kind.__name__]
