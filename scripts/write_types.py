"""Write the TypeScript that follows from Python, so that the page states none of it again.

- client/messages.schema.json and client/messages.ts, from the server's messages and limits;
- games/<slug>/board/rules.ts, for every game with a board: the State as `View`, the `Notes` of
  notation.py, and those constants of the rules and of notation.py that the board imports;
- games/<slug>/board/cases.json, if the game has tools/board_cases.py: what the rules answer to
  questions that the board answers too, for a test to compare.

With --check, write nothing and fail if a file is not as it would be written.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import json
import re
import subprocess
import sys
import tokenize
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ludotheque.engine import seats
from ludotheque.engine.game import Game, load, slugs
from ludotheque.engine.record import Field
from ludotheque.engine.scope import rule_modules
from ludotheque.server import messages
from ludotheque.server.player import AVATARS
from ludotheque.server.text import CHAT_LENGTH, NAME_LENGTH

ROOT = Path(__file__).parent.parent
SCHEMA = ROOT / "client" / "messages.schema.json"
TYPES = ROOT / "client" / "messages.ts"
TOP = [
    messages.ClientMessage,
    messages.ServerMessage,
    messages.NewGuest,
    messages.Guest,
    messages.Newcomer,
    messages.RecoveryLeft,
    messages.Device,
    messages.Recovery,
    messages.PushKey,
    messages.ScreenKey,
    messages.PushSubscription,
    messages.NewTable,
    messages.Hint,
    messages.Warmup,
    messages.Opened,
    messages.TablePage,
    messages.MyTablePage,
    messages.SharedDeal,
    messages.Proof,
    messages.GameInfo,
    messages.Lesson,
    messages.Picture,
    messages.Address,
    messages.Privacy,
    messages.Problem,
]
UNIONS = ("ClientMessage", "ServerMessage", "AnyCommand", "Occupant")
HEADER = "/* Written by scripts/write_types.py from {source}; do not edit. */"
IMPORT = re.compile(r'import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"\./rules"')
LARGEST = (1 << 53) - 1  # the whole numbers that JavaScript holds exactly
NAMES = {int: "number", bool: "boolean", str: "string", object: "unknown", type(None): "null"}


# The messages


def schema() -> str:
    """One JSON Schema of all messages, each a definition of its own."""
    _, components = msgspec.json.schema_components(TOP, ref_template="#/definitions/{name}")
    unions = {
        name: {"title": name, "anyOf": msgspec.json.schema(getattr(messages, name))["anyOf"]}
        for name in UNIONS
    }
    definitions = _tidied({**components, **unions})
    document = {
        "title": "Messages",
        "description": "Every message there is.",
        "anyOf": [{"$ref": f"#/definitions/{name}"} for name in definitions],
        "definitions": definitions,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _tidied(schema: Any) -> Any:
    """The schema without discriminators, and with references of one kind."""
    if isinstance(schema, list):
        return [_tidied(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    tidied = {name: _tidied(value) for name, value in schema.items() if name != "discriminator"}
    if "prefixItems" in tidied:  # a tuple, as older readers of schemas know it
        tidied["items"] = tidied.pop("prefixItems")
    if isinstance(reference := tidied.get("$ref"), str):
        tidied["$ref"] = reference.replace("#/$defs/", "#/definitions/")
    return tidied


def message_types(schema_text: str) -> str:
    json2ts = ROOT / "node_modules" / ".bin" / "json2ts"
    banner = HEADER.format(source="the server's messages")
    done = subprocess.run(
        [str(json2ts), "--unreachableDefinitions", "--bannerComment", banner],
        input=schema_text,
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    constants = {
        "REACTIONS": messages.REACTIONS,
        "PHRASES": messages.PHRASES,
        "NAME_LENGTH": NAME_LENGTH,
        "CHAT_LENGTH": CHAT_LENGTH,
        "AVATARS": AVATARS,
        "CHANCE": seats.CHANCE,
        "NOBODY": seats.NOBODY,
    }
    return done.stdout + "\n" + "\n".join(constant(*pair) for pair in constants.items()) + "\n"


# The rules of a game, as its board needs them


def rules_types(game: Game) -> str:
    parts = [HEADER.format(source="rules.py and notation.py"), "", *view_type(game.State)]
    notes = getattr(game.module("notation"), "Notes", None)
    if notes is not None:
        parts += ["", *notes_type(notes)]
    constants = [constant(name, value) for name, value in wanted_constants(game)]
    return "\n".join([*parts, *([""] if constants else []), *constants]) + "\n"


def view_type(state: Any) -> Iterator[str]:
    yield "/** The State of rules.py as its viewer sees it: what they may not know is blank. */"
    yield "export interface View {"
    for name, field in state.FIELDS.items():
        yield from _member(name, "number" + "[]" * len(field.shape), _described(state, name, field))
    yield "}"


def notes_type(notes: Any) -> Iterator[str]:
    yield "/** What the rules say of a view beyond its fields: `notes` of notation.py. */"
    yield "export interface Notes {"
    comments = _comments(notes)
    for name, hint in typing.get_type_hints(notes).items():
        yield from _member(name, typescript(hint), comments.get(name, ""))
    yield "}"


def _member(name: str, kind: str, comment: str) -> list[str]:
    return [*([f"  /** {comment} */"] if comment else []), f"  {name}: {kind};"]


def _described(state: Any, name: str, field: Field) -> str:
    size = " × ".join(str(length) for length in field.shape)
    bounds = f"{size} numbers, " * bool(size) + f"{field.low} … {field.high}"
    comment = _comments(state).get(name)
    return f"{comment} ({bounds})" if comment else bounds


def _comments(declared: type) -> dict[str, str]:
    """What the source says of each field, at the end of its lines or above them."""
    source = inspect.getsource(declared)
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    alone = {n for n, line in enumerate(source.splitlines(), 1) if line.lstrip().startswith("#")}
    found = {}
    for node in ast.parse(source).body[0].body:  # type: ignore[attr-defined]
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            first = node.lineno
            while first - 1 in alone:
                first -= 1
            lines = [*range(first, node.lineno), node.end_lineno]
            found[node.target.id] = " ".join(comments[n] for n in lines if n in comments)
    return found


def typescript(hint: Any) -> str:
    """A type of Python as JSON has it, in TypeScript."""
    if hint in NAMES:
        return NAMES[hint]
    origin, of = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return " | ".join(json.dumps(value) for value in of)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(typescript(one) for one in of)
    if origin is dict:
        return f"Record<{typescript(of[0])}, {typescript(of[1])}>"
    if origin is list or (origin is tuple and of[-1] is ...):
        return f"({typescript(of[0])})[]" if "|" in typescript(of[0]) else f"{typescript(of[0])}[]"
    if origin is tuple:
        return f"[{', '.join(typescript(one) for one in of)}]"
    raise SystemExit(f"{hint} in Notes has no counterpart in TypeScript")


def wanted_constants(game: Game) -> Iterator[tuple[str, object]]:
    """The constants that the board imports from ./rules, in alphabetical order."""
    modules = [*rule_modules(game), game.module("notation")]
    for name, path in sorted(_imported(game.folder / "board").items()):
        found = [vars(module)[name] for module in modules if name in vars(module)]
        if not found or not _is_plain(found[0]):
            raise SystemExit(
                f"{path.name} of {game.slug} imports {name} from ./rules: expected a number, "
                "a text, or a tuple of these in the modules of rules.py or in notation.py"
            )
        yield name, found[0]


def _imported(board: Path) -> dict[str, Path]:
    """The constants that the files of a board import, each with a file that does."""
    return {
        name: path
        for path in sorted([*board.glob("*.ts"), *board.glob("*.svelte")], reverse=True)
        for names in IMPORT.findall(path.read_text("utf-8"))
        for name in (part.split(" as ")[0].strip() for part in names.split(","))
        if name.isupper()
    }


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_is_plain(one) for one in value)
    return isinstance(value, str) or (isinstance(value, int) and abs(value) <= LARGEST)


def constant(name: str, value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return f"export const {name} = {text}{' as const' * isinstance(value, tuple)};"


def cases_text(cases: dict[str, list[Any]]) -> str:
    """The cases as JSON with a line for each, so that a change shows where it is."""
    lists = [
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(case) for case in listed) + "\n]"
        for name, listed in cases.items()
    ]
    return "{\n" + ",\n".join(lists) + "\n}\n"


# All of it


def wanted() -> dict[Path, str]:
    """Every file with the text that it should have."""
    schema_text = schema()
    files = {SCHEMA: schema_text, TYPES: message_types(schema_text)}
    for game in map(load, slugs()):
        board = game.folder / "board"
        if board.is_dir():
            files[board / "rules.ts"] = rules_types(game)
        if (game.folder / "tools" / "board_cases.py").exists():
            tool = importlib.import_module(f"{game.package}.tools.board_cases")
            files[board / "cases.json"] = cases_text(tool.cases())
    return files


def main() -> int:
    files = wanted()
    if "--check" in sys.argv:
        stale = [
            str(path.relative_to(ROOT))
            for path, text in files.items()
            if not path.exists() or path.read_text("utf-8") != text
        ]
        if stale:
            print(f"stale: {', '.join(stale)}; run scripts/write_types.py", file=sys.stderr)
        return len(stale)
    for path, text in files.items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
