"""A whole match of each game, as a screen reader speaks it and as the history keeps it.

The files in transcripts/ read as stories. `pytest tests/browser/test_transcripts.py
--write-transcripts` writes them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browsing import GAMES, House, do, heard, open_table, result, wait_until
from ludotheque.engine.game import LANGUAGES, load
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read
from ludotheque.engine.seats import CHANCE
from ludotheque.engine.story import Story, history
from ludotheque.engine.words import Words
from people import Person, Server

FOLDER = Path(__file__).parent / "transcripts"
MATCHES = {  # recorded ones in which much happens
    "stupide_vautour": "second-best-and-carry",
    "whats_up": "three-rows-at-three",
    "up_and_down": "special-tricks",
    "team_up": "puzzle-given-up",
    "ubongo": "sheet-example",
}
PLAYED_SO_FAR = {  # where the sheet makes it the players' business to remember what has gone
    "stupide_vautour": 0.8,
    "whats_up": 0.8,
    "up_and_down": 0.8,
}
NAMES = ("Ada", "Ben", "Cleo", "Dana")

Golden = Callable[[str, list[str]], None]


def recorded(game: str) -> Match:
    return read(load(game).folder / "matches" / f"{MATCHES[game]}.json")


class DealtServer(Server):
    """A server at which chance does what it did in the recorded matches."""

    command = f"""
from ludotheque.engine.match import Match
from ludotheque.server import table
DEALS = { ({game: recorded(game).chance_moves() for game in GAMES})!r}
table.Match = lambda game, seats, options: Match(game, seats, options, deal=DEALS[game.slug])
from ludotheque.cli import main
main()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = DealtServer(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    def compare(name: str, lines: list[str]) -> None:
        path, text = FOLDER / f"{name}.txt", "\n".join([*lines, ""])
        if request.config.getoption("--write-transcripts"):
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8")

    return compare


# The story itself


def sentences(match: Match, language: str) -> list[str]:
    """What the first seat is told of a match, and how it ended."""
    words = Words(match.game, language)
    facts = Story(match).facts(match, 0)
    told = [words.fact(fact, NAMES) for fact in facts if fact.kind != "note"]
    return [*told, words.result(match, NAMES)]


def chapters(match: Match, language: str) -> list[str]:
    """What the history keeps of a match, with a heading for each round."""
    words, lines, chapter = Words(match.game, language), [], 0
    for number, fact in history(match, 0):
        if number != chapter:
            lines.append(f"# {words.text('story', 'chapter', number=number)}")
        chapter = number
        lines.append(words.fact(fact, NAMES))
    return lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_told_as_a_story_in_every_language(
    game: str, language: str, golden: Golden
) -> None:
    match = recorded(game)
    golden(f"{game}.spoken.{language}", sentences(match, language))
    golden(f"{game}.history.{language}", chapters(match, language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", PLAYED_SO_FAR)
def test_the_history_in_play_keeps_what_the_table_shows(
    game: str, language: str, golden: Golden
) -> None:
    match = so_far(recorded(game), PLAYED_SO_FAR[game])
    assert not match.is_over
    golden(f"{game}.in_play.{language}", chapters(match, language))


def so_far(match: Match, share: float) -> Match:
    """The match as it stood after this share of its moves."""
    begun = Match(match.game, match.seats, match.options)
    for entry in match.log[: int(share * len(match.log))]:
        begun.make(entry.seat, entry.move, entry.at)
    return begun


# The story as the page tells it


def gather(house: House, game: str, match: Match) -> tuple[Page, str, list[Person]]:
    """A table with Ada in a browser and the others, who play without one."""
    page = house.page(NAMES[0], hurried=True, viewport={"width": 1440, "height": 900})
    known = match.game.options
    options: dict[str, Any] = {
        name: value for name, value in match.options.items() if known[name].of_replay is not True
    }
    path = open_table(page, game, match.seats, **options)
    others = [Person(house.server, name) for name in NAMES[1 : match.seats]]
    for seat, person in enumerate(others, 1):
        assert person.do(path.removeprefix("/t/"), "sit", seat=seat)[0] == 200
    return page, path, others


def play(page: Page, path: str, others: list[Person], match: Match) -> None:
    """Make the recorded moves; chance answers them."""
    table = path.removeprefix("/t/")

    def has_lines(count: int) -> bool:
        return len(page.request.get(f"/api/tables/{table}").json()["lines"]) == count

    for place, entry in enumerate(match.log):
        if entry.seat == CHANCE:
            continue
        if place > 0 and match.log[place - 1].seat == CHANCE:
            wait_until(page, partial(has_lines, place))
        if entry.seat == 0:
            do(page, path, "play", move=entry.move, seat=None)
        else:
            status, reply = others[entry.seat - 1].do(table, "play", move=entry.move)
            assert status == 200, reply


def shown_history(page: Page) -> list[str]:
    lines: list[str] = (
        page.get_by_role("group", name="History")
        .locator("h2, li")
        .evaluate_all("all => all.map((e) => (e.tagName === 'H2' ? '# ' : '') + e.textContent)")
    )
    return lines


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_spoken_to_its_end_and_kept_in_the_history(
    house: House, game: str, golden: Golden
) -> None:
    match = recorded(game)
    page, path, others = gather(house, game, match)
    do(page, path, "start")
    play(page, path, others, match)
    expect(result(page)).to_be_visible()
    expect(result(page)).to_be_focused()
    spoken = [text for text in heard(page) if not text.endswith(" sits down.")]
    # The result is read because it has the focus, and spoken only once.
    golden(f"{game}.spoken.en", [*spoken, result(page).inner_text().strip()])
    golden(f"{game}.history.en", shown_history(page))


def test_a_player_who_is_elsewhere_when_a_match_ends_is_told_how(house: House) -> None:
    match = recorded("team_up")
    page, path, others = gather(house, "team_up", match)
    do(page, path, "start")
    menu = page.get_by_role("button", name="Table menu")
    menu.focus()
    play(page, path, others, match)
    expect(result(page)).to_be_visible()
    expect(menu).to_be_focused()
    assert heard(page).count(result(page).inner_text()) == 1
