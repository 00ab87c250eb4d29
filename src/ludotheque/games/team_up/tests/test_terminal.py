"""The board in a terminal, and the words on it."""

import json
from typing import Any

import pytest
from rich.console import Console

from ludotheque.engine.game import LANGUAGES, Game, load
from ludotheque.engine.match import Match
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.text import typeset
from ludotheque.engine.words import Words
from ludotheque.games.team_up import parts
from ludotheque.games.team_up.rules import DRAW
from ludotheque.games.team_up.terminal import draw

GAME = load("team_up")
NAMES = ["Anna", "Ben"]


def drawn(match: Match, language: str) -> list[str]:
    console = Console(width=100, color_system=None)
    with console.capture() as capture:
        console.print(draw(match.view(0), 0, Words(match.game, language), NAMES))
    return [line.rstrip() for line in capture.get().splitlines()]


def played(*moves: str, game: Game = GAME, **options: object) -> Match:
    match = Match(game, 2, options)
    for move in moves:
        seat, text = move.split()
        match.play(int(seat), game.parse(int(seat), text))
    return match


BEGUN = ("-1 n-a1-123", "0 draw", "-1 card4", "0 crate.red.b1t", "1 draw", "-1 card1")
BOARD = """
Score -26   Ben to play
Card 1: a cube of any colour

The pallet from above              Layers                 Boxes left: 26
  ┌─────────────────────────────┐   5 ············  0/24                  red   blue   white
4 │ ·    ·    ·    ·    ·    ·  │   4 ············  0/24  ──────────────────────────────────
  │                             │   3 █···········  2/24  post    1×1×2    ●      ▲      ○
3 │ ·    ·    ·    ·    ·    ·  │   2 █···········  2/24  plank   1×2×1    ●      ▲      ○
  ├────┬──────────────┐         │   1 ████········  8/24  mast    1×1×3    ●      ▲      ○
2 │ 3  │ 1●   1●   1● │ ·    ·  │                         beam    1×3×1    ●      ▲      ○
  │    │              │         │  Deck: 34               slab    1×2×2    ●      ▲      ○
1 │ 3  │ 1●   1●   1● │ ·    ·  │  Cards lost: 0          tile    2×2×1    ●      ▲      ○
  └────┴──────────────┴─────────┘                         wall    1×3×2    ●      ▲      ○
     a    b    c    d    e    f                           crate   2×3×1    –      ▲      ○
                                                          cube    2×2×2    ●      ▲      ○
"""


def test_the_board_shows_pallet_layers_boxes_card_and_score() -> None:
    assert drawn(played(*BEGUN), "en") == BOARD.strip().splitlines()


def test_the_board_shows_the_score_to_reach() -> None:
    match = played("-1 n-a1-123", mode="competition", target=12)
    assert drawn(match, "en")[:2] == [
        "Score -27 (to reach: 12)   Anna to play",
        "No card drawn yet",
    ]


def test_the_board_shows_a_proposal_to_stop() -> None:
    match = played("-1 n-a1-123", "0 stop")
    assert drawn(match, "fr")[0] == "Score -27   Pour en rester là\u00a0: Anna"
    match.play(1, GAME.parse(1, "agree"))
    assert drawn(match, "de")[0] == "Punkte -27   Die Partie ist zu Ende"


def test_the_board_shows_a_lost_card() -> None:
    match = played(*BEGUN[:1])
    match.state.left[8] = [0, 0, 0]
    match.play(0, DRAW)
    match.play(CHANCE, GAME.parse(CHANCE, "card1"))
    assert drawn(match, "fr")[1] == typeset(
        "Carte 1, perdue : un carton « cube », de n'importe quelle couleur", "fr"
    )


def test_the_board_names_a_hosts_own_shapes_and_colours() -> None:
    data: dict[str, Any] = json.loads(parts.SET_FILE.read_text(encoding="utf-8"))
    del data["puzzle"]
    data["colours"] = ["pink", "red", "grey"]
    data["shapes"] = [
        {"name": "bar", "width": 1, "depth": 4, "height": 1, "boxes": [3, 0, 1]},
        {"name": "tile", "width": 2, "depth": 2, "height": 1, "boxes": [0, 2, 0]},
    ]
    data["cards"] = [{"shapes": ["bar", "tile"]}, {"colour": "pink"}]
    match = played("-1 n-a1-123", "0 draw", "-1 card1", game=Game("team_up", data))
    lines = drawn(match, "de")
    assert lines[1] == "Karte 1: bar oder Fliese"
    assert [line[58:] for line in lines[4:8]] == [
        "                 pink    Rot    grey",
        "────────────────────────────────────",
        "bar      1×4×1    ●●●      –      ○",
        "Fliese   2×2×1     –      ▲▲      –",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_and_outcome_has_words(language: str) -> None:
    words = Words(GAME, language)
    said = [words.move(0, move) for move in range(GAME.moves)]
    assert len(set(said)) == GAME.moves
    assert len({words.move(CHANCE, outcome) for outcome in range(GAME.outcomes)}) == 4 + 36


def keys(tree: dict[str, Any], path: str = "") -> set[str]:
    return {
        key
        for name, value in tree.items()
        for key in (keys(value, f"{path}{name}.") if isinstance(value, dict) else {path + name})
    }


def test_the_three_languages_have_the_same_words() -> None:
    assert set(GAME.words) == set(LANGUAGES)
    assert keys(GAME.words["fr"]) == keys(GAME.words["en"]) == keys(GAME.words["de"])
    assert set(GAME.words["fr"]["objections"]) == set(GAME.objections) - {""}
    for name, option in GAME.options.items():
        named = set(GAME.words["fr"]["options"][name])
        assert named == {"label", "help", *map(str, option.values or ())}


def test_every_player_is_told_what_to_do() -> None:
    words = Words(GAME, "en")
    match = played("-1 n-a1-123")
    told = [[words.prompt(match.view(seat), seat) for seat in range(2)]]
    for move in ("0 stop", "1 refuse", "-1 card1"):
        seat, text = move.split()
        match.play(int(seat), GAME.parse(int(seat), text))
        told.append([words.prompt(match.view(seat), seat) for seat in range(2)])
    assert told == [
        ["Draw a card, or propose to stop here", "It is a partner’s turn"],
        [
            "The others are answering the proposal to stop",
            "A partner proposes to stop: do you agree?",
        ],
        ["It is a partner’s turn", "It is a partner’s turn"],
        ["Place a box that the card allows", "It is a partner’s turn"],
    ]
    alone = Match(GAME, 1)
    alone.play(CHANCE, 0)
    assert words.prompt(alone.view(0), 0) == "Draw a card, or stop here"
