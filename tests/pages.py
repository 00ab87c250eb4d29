"""The pages of the documentation, and what they are made of."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "ludotheque"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"(?:\.venv/bin/)?(?:ludotheque|pytest|python|npm|npx|make|pip)\b")


def text_of(path: Path) -> str:
    return path.read_text("utf-8")


def blocks(path: Path, language: str = "") -> list[str]:
    """The code blocks in a language; by default those without one, which hold commands."""
    return [text for name, text in BLOCK.findall(text_of(path)) if name == language]


def spans(path: Path) -> list[str]:
    """Code within sentences."""
    return re.findall(r"`([^`\n]+)`", BLOCK.sub("", text_of(path)))


def prose(path: Path) -> str:
    """What is left without code, pictures and the targets of links, in one line."""
    text = BLOCK.sub("", text_of(path))
    text = re.sub(r"`[^`\n]+`|<[^>]+>|\]\([^)]*\)|^ *\d+\.", " ", text, flags=re.MULTILINE)
    return " ".join(text.split())


def command_lines(path: Path) -> list[str]:
    """The commands of all blocks, one a line."""
    lines = [line for block in blocks(path) for line in block.splitlines()]
    return [line for line in lines if COMMAND.match(line)]


def commands(path: Path) -> list[str]:
    """Everything that a reader may type, in blocks and within sentences."""
    return [*command_lines(path), *(span for span in spans(path) if COMMAND.match(span))]
