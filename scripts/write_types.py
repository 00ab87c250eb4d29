"""Write client/messages.schema.json and client/messages.ts from the server's messages.

With --check, write nothing and fail if they are not as they would be written.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

from ludotheque.server import messages

ROOT = Path(__file__).parent.parent
SCHEMA = ROOT / "client" / "messages.schema.json"
TYPES = ROOT / "client" / "messages.ts"
TOP = [
    messages.ClientMessage,
    messages.ServerMessage,
    messages.NewGuest,
    messages.Guest,
    messages.Recovery,
    messages.NewTable,
    messages.Hint,
    messages.Opened,
    messages.TablePage,
    messages.SharedDeal,
    messages.Proof,
    messages.GameInfo,
    messages.Lesson,
    messages.Problem,
]
UNIONS = ("ClientMessage", "ServerMessage", "AnyCommand", "Occupant")
HEADER = "/* Written by scripts/write_types.py from the server's messages; do not edit. */"


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


def types(schema_text: str) -> str:
    json2ts = ROOT / "node_modules" / ".bin" / "json2ts"
    command = [str(json2ts), "--unreachableDefinitions", "--bannerComment", HEADER]
    done = subprocess.run(
        command, input=schema_text, capture_output=True, text=True, check=True, cwd=ROOT
    )
    reactions = json.dumps(list(messages.REACTIONS), ensure_ascii=False)
    return f"{done.stdout}\nexport const REACTIONS = {reactions} as const;\n"


def main() -> int:
    schema_text = schema()
    wanted = {SCHEMA: schema_text, TYPES: types(schema_text)}
    if "--check" in sys.argv:
        stale = [path.name for path, text in wanted.items() if path.read_text("utf-8") != text]
        if stale:
            print(f"stale: {', '.join(stale)}; run scripts/write_types.py", file=sys.stderr)
        return len(stale)
    for path, text in wanted.items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
