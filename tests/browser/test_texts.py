"""Names, chat and the words of added games are only texts, wherever a page shows them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from browsing import (
    GAMES,
    House,
    HurriedServer,
    Settings,
    board,
    do,
    finish,
    look,
    open_more,
    open_table,
    result,
    start_button,
)
from ludotheque.template import write_game
from people import WAIT_TIMEOUT_S, Person, Server

MARKUP = "<img src=x onerror=a()>"
RIGHT_TO_LEFT = "שלום 123"
OVERRIDE = "\u202e"  # turns round all that follows
DESK: Settings = {"viewport": {"width": 1440, "height": 900}}
# Elements that were made of a text; texts that were escaped twice; and lines, labels and titles in
# which a name from right to left is not isolated from the letters and figures beside it.
FAULTS = r"""(name) => {
  const INNERMOST = /\u2068([^\u2068\u2069]*)\u2069/;
  const runs = (text) => {
    const [isolate, inside] = INNERMOST.exec(text) ?? [];
    return isolate === undefined ? [text] : [inside, ...runs(text.replace(isolate, ""))];
  };
  const isTurned = (line) =>
    /[\u202a-\u202e]/.test(line) ||
    runs(line).some((run) => run.includes(name) && /[\p{L}\p{N}]/u.test(run.replaceAll(name, "")));
  const inline = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const isKept = getComputedStyle(node.parentElement).whiteSpace.startsWith("pre");
      return isKept ? node.data : node.data.replaceAll("\n", " ");
    }
    if (node.nodeName === "BR") return "\n";
    if (node.nodeType !== Node.ELEMENT_NODE) return "";
    const { display, unicodeBidi } = getComputedStyle(node);
    return display === "inline" && unicodeBidi !== "isolate" ? content(node) : " ";
  };
  const content = (element) => [...element.childNodes].map(inline).join("");
  const found = [...document.querySelectorAll("[onerror], [src=x]")].map((one) => one.outerHTML);
  for (const element of document.querySelectorAll("title, body *")) {
    const isLine = getComputedStyle(element).display !== "inline";
    const lines = isLine ? content(element).split("\n") : [];
    const labels = ["aria-label", "title", "alt"].map((key) => element.getAttribute(key) ?? "");
    const isFault = (text) => isTurned(text) || /&(lt|amp);/.test(text);
    found.push(...[...lines, ...labels].filter(isFault));
  }
  return found;
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A host has added a game whose every text begins with markup."""
    games = tmp_path_factory.mktemp("games")
    words = write_game("four_winds", games) / "words.toml"
    text = words.read_text("utf-8")
    words.write_text(
        re.sub(r'(?m)^(\w+ = (?:"""\n|"))', rf"\g<1>{MARKUP}{OVERRIDE}", text), "utf-8"
    )
    running = HurriedServer(tmp_path_factory.mktemp("data"), games)
    yield running
    running.stop()


def faults(page: Page) -> list[str]:
    found: list[str] = page.evaluate(FAULTS, RIGHT_TO_LEFT)
    return found


def play_on(path: str, host: Page, other: Person, moves: int | None = None) -> None:
    """Play for both of them, always the last of the legal moves, as many as wanted."""
    table = path.removeprefix("/t/")
    until = time.monotonic() + WAIT_TIMEOUT_S
    while moves != 0 and not (found := look(host, path))["over"]:
        assert time.monotonic() < until, f"nothing happens: {found['view']}"
        if found["legal"]:
            do(host, path, "play", move=max(found["legal"]), seat=None)
        elif legal := other.look(table)["match"]["legal"]:
            assert other.do(table, "play", move=max(legal), seat=None)[0] == 200
        else:
            host.wait_for_timeout(20)
            continue
        until = time.monotonic() + WAIT_TIMEOUT_S
        moves = moves and moves - 1


def test_names_hold_nothing_that_turns_texts_round(house: House) -> None:
    person = Person(house.server, f"a{OVERRIDE}b\u2067c")
    assert person.call("GET", "/api/me")[1]["name"] == "a b c"


@pytest.mark.parametrize("game", GAMES)
def test_names_are_texts_from_the_first_board_to_the_result(house: House, game: str) -> None:
    host, other = house.page(MARKUP, hurried=True, **DESK), Person(house.server, RIGHT_TO_LEFT)
    screen = house.page(hurried=True, **DESK)
    path = open_table(host, game, 2)
    assert other.do(path.removeprefix("/t/"), "sit")[0] == 200
    screen.goto(f"{path}/screen")
    for page in (host, screen):
        expect(page.get_by_text(MARKUP).first).to_be_visible()
        expect(page.get_by_text(RIGHT_TO_LEFT).first).to_be_visible()
        assert faults(page) == []
    do(host, path, "start")
    play_on(path, host, other, 4)
    expect(host.get_by_role("group", name="History").get_by_role("listitem")).not_to_have_count(0)
    expect(screen.locator(".board[inert]")).to_be_visible()
    assert [faults(page) for page in (host, screen)] == [[], []]
    for page in (host, screen):
        page.goto("about:blank")
    play_on(path, host, other)
    host.goto(path)
    screen.goto(f"{path}/screen")
    expect(result(host)).to_be_visible()
    expect(screen.locator(".story .told")).to_have_text(result(host).inner_text())
    assert other.do(path.removeprefix("/t/"), "rematch", wanted=True)[0] == 200
    expect(host.get_by_text(f"For another match: \u2068{RIGHT_TO_LEFT}\u2069")).to_be_visible()
    open_more(host)
    assert [faults(page) for page in (host, screen)] == [[], []]


def test_names_are_texts_at_the_door_and_in_the_list_of_tables(house: House) -> None:
    host = house.page(MARKUP, **DESK)
    path = open_table(host, "stupide_vautour", 3)
    table = path.removeprefix("/t/")
    do(host, path, "set", asks_host=True)
    guests = {name: Person(house.server, name) for name in (MARKUP, RIGHT_TO_LEFT)}
    bell = host.get_by_role("region", name="At the door")
    for name, guest in guests.items():
        guest.connect(table)
        expect(bell.get_by_text(name)).to_be_visible()
    assert faults(host) == []
    dana = guests[RIGHT_TO_LEFT]
    do(host, path, "let_in", guest=dana.id)
    assert dana.do(table, "sit")[0] == 200
    do(host, path, "start")
    do(host, path, "play", move=max(look(host, path)["legal"]), seat=None)
    host.goto("/")
    tables = host.get_by_role("region", name="Your tables")
    expect(tables).to_contain_text(f"Waiting for \u2068{RIGHT_TO_LEFT}\u2069")
    expect(tables).to_contain_text(f"\u2068{RIGHT_TO_LEFT}\u2069 and ")
    assert faults(host) == []


def test_the_words_of_an_added_game_are_texts(house: House) -> None:
    page, screen = house.page(RIGHT_TO_LEFT, **DESK), house.page(**DESK)
    read = {"/": ("Four winds", "Take one"), "/rules/four_winds": ("Four winds", "Fifteen stones")}
    for place, texts in read.items():
        page.goto(place)
        for text in texts:
            expect(page.get_by_text(f"{MARKUP}{text}").first).to_be_visible()
        assert faults(page) == []
    path = open_table(page, "four_winds", 2)
    page.get_by_role("button", name="Bot", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text(f"{MARKUP}Counts the stones")
    assert faults(page) == []
    page.keyboard.press("Escape")
    start_button(page).click()
    screen.goto(f"{path}/screen")
    for shown in (page, screen):
        expect(board(shown)).to_contain_text(f"{MARKUP}Stones: ")
    expect(page.get_by_role("button", name=f"{MARKUP}take 3 stones")).to_be_visible()
    assert [faults(shown) for shown in (page, screen)] == [[], []]
    finish(page, path)
    expect(result(page)).to_contain_text(MARKUP)
    expect(page.get_by_role("group", name="History")).to_contain_text(f"{MARKUP}take")
    assert [faults(shown) for shown in (page, screen)] == [[], []]
