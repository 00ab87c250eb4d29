"""What an installed Ludothèque has: everything that plays, and nothing that only developers use."""

from __future__ import annotations

import re
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "ludotheque"
FOR_DEVELOPERS = re.compile(r"^ludotheque/games/\w+/(board|tests|tools)/")
MADE = re.compile(r"__pycache__|^ludotheque/server/static/")


def test_the_wheel_has_what_playing_needs_and_no_tests_boards_and_tools() -> None:
    packed = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    here = {str(p.relative_to(ROOT / "src")) for p in PACKAGE.rglob("*") if p.is_file()}
    wanted = {file for file in here if not MADE.search(file)}
    assert {file for file in packed if not MADE.search(file)} == {
        file for file in wanted if not FOR_DEVELOPERS.match(file)
    }
    assert any(FOR_DEVELOPERS.match(file) for file in wanted)


def test_the_wheel_has_the_page() -> None:
    page = PACKAGE / "server" / "static" / "index.html"
    packed = {Path(file.path) for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    assert page in packed
