"""The TypeScript that scripts/write_types.py makes of the rules."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TypedDict

import pytest

from ludotheque.engine import Record, grid, number, row
from ludotheque.engine.game import load

SCRIPT = Path(__file__).parent.parent / "scripts" / "write_types.py"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_types", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


WRITE_TYPES = script()


class State(Record):
    seats: int = number(0, 4)
    # what each holds,
    # by suit
    hands: list[list[int]] = grid(4, 3, -1, 9)
    bids: list[int] = row(4, 0, 15)  # laid


class Notes(TypedDict):
    fates: list[Literal["won", "lost"]]  # by seat
    verdict: tuple[str, dict[str, object]] | None
    left: tuple[int, ...]
    is_open: bool


def test_a_view_has_every_field_with_its_range_and_what_the_source_says_of_it() -> None:
    assert list(WRITE_TYPES.view_type(State))[1:] == [
        "export interface View {",
        "  /** 0 … 4 */",
        "  seats: number;",
        "  /** what each holds, by suit (4 × 3 numbers, -1 … 9) */",
        "  hands: number[][];",
        "  /** laid (4 numbers, 0 … 15) */",
        "  bids: number[];",
        "}",
    ]


def test_notes_keep_their_types() -> None:
    assert list(WRITE_TYPES.notes_type(Notes))[1:] == [
        "export interface Notes {",
        "  /** by seat */",
        '  fates: ("won" | "lost")[];',
        "  verdict: [string, Record<string, unknown>] | null;",
        "  left: number[];",
        "  is_open: boolean;",
        "}",
    ]


def wanted(monkeypatch: pytest.MonkeyPatch, folder: Path, source: str) -> list[Any]:
    """The constants of Stupide Vautour for a board with this source."""
    (folder / "board").mkdir()
    (folder / "board" / "Board.svelte").write_text(source, "utf-8")
    game = load("stupide_vautour")
    monkeypatch.setattr(game, "folder", folder)
    return list(WRITE_TYPES.wanted_constants(game))


def test_a_board_gets_the_constants_that_it_imports(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = 'import {\n  type View,\n  POINTS,\n  CARDS as ALL,\n} from "./rules";\n'
    assert wanted(monkeypatch, tmp_path, source) == [
        ("CARDS", 15),
        ("POINTS", (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
    ]


@pytest.mark.parametrize("name", ["CARTS", "SEATS"])
def test_a_constant_that_the_rules_do_not_have_or_that_is_no_number_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    with pytest.raises(SystemExit, match=f"Board.svelte of stupide_vautour imports {name} from"):
        wanted(monkeypatch, tmp_path, f'import {{ {name} }} from "./rules";')
