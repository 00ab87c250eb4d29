"""A big screen shows a table to the whole room: legible from afar, and nobody acts on it."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from browsing import (
    GAMES,
    PHONE,
    House,
    Settings,
    board,
    do,
    finish,
    look,
    open_match,
    open_table,
    play_one,
    result,
    start_button,
    wait_until,
)
from ludotheque.games.ubongo.rules import RACING, READY, STOP

SIZES = ((1920, 1080), (1280, 720))
UPRIGHT: ViewportSize = {"width": 390, "height": 844}
TELEVISION: Settings = {"viewport": {"width": 1920, "height": 1080}}
SMALLEST_TEXT = 0.019  # of the height: 12 mm on a television of 50 inches, which is read from 3 m
STORY_TEXT = 0.045
# The size of every text that is seen and says something, as a part of the height, and the text.
TEXTS = """() => {
  const UNREAD = "svg, .visually-hidden, [aria-hidden=true]";
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: element, textContent } = walker.currentNode;
    if (!textContent.trim() || element.closest(UNREAD)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    if (range.getBoundingClientRect().width < 2 || !element.checkVisibility()) continue;
    const size = parseFloat(getComputedStyle(element).fontSize) * element.currentCSSZoom;
    found.push([size / innerHeight, textContent.trim()]);
  }
  return found;
}"""
STORY = """() => {
  const story = document.querySelector(".story .told");
  return parseFloat(getComputedStyle(story).fontSize) * story.currentCSSZoom / innerHeight;
}"""
# What reaches beyond the window or is cut off in it, in its pixels.
BEYOND = """() => {
  const board = document.querySelector(".screen .board");
  const edge = document.querySelector(".screen").getBoundingClientRect();
  return [
    board.scrollWidth - board.clientWidth, board.scrollHeight - board.clientHeight,
    Math.round(edge.width - innerWidth), Math.round(edge.height - innerHeight),
  ];
}"""
CUT = """(parts) => parts.filter((part) => part.scrollHeight > part.clientHeight + 1)
  .map((part) => part.textContent)"""
# What the countdown lies on that somebody wants to read, as soon as it is there.
COVERED = """() => {
  const numbers = [...document.querySelectorAll(".countdown")];
  if (numbers.length === 0) return false;
  const boxes = numbers.map((number) => number.firstElementChild.getBoundingClientRect());
  const texts = document.querySelectorAll(".watching strong, .watching .heading, .watching > p");
  return [...texts].filter((text) => !text.matches(".countdown")).filter((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return boxes.some((box) =>
      box.left < right && box.right > left && box.top < bottom && box.bottom > top);
  }).map((text) => text.textContent);
}"""
THIRD = 844 / 3  # of the height of a phone
UNTOUCHED = """Object.defineProperty(navigator, "userActivation",
  { value: { hasBeenActive: false, isActive: false } })"""
KEPT = """(path) => localStorage.getItem("ludotheque.table." + path.slice("/t/".length))"""
REACHED = """() => [...document.querySelectorAll("a, button, input, select, [tabindex]")]
  .filter((element) => !element.closest("[inert]") && element.checkVisibility())
  .map((element) => element.getAttribute("aria-label"))"""


def story(screen: Page) -> Locator:
    return screen.locator(".story .told")


def code(screen: Page) -> Locator:
    return screen.locator(".code")


def shown(house: House, path: str, *, hurried: bool = False) -> Page:
    screen = house.page(hurried=hurried, **TELEVISION)
    screen.goto(f"{path}/screen")
    expect(code(screen)).to_be_visible()
    return screen


def too_small(screen: Page) -> list[str]:
    return [text for size, text in screen.evaluate(TEXTS) if size < SMALLEST_TEXT]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_every_game_is_legible_from_afar(house: House, game: str) -> None:
    host = house.page("Ada")
    path = open_match(host, game, 2, **({"time_limit": 0} if game == "ubongo" else {}))
    screen = shown(house, path)
    play_one(game, host, 0)
    expect(screen.locator(".board[inert]")).to_be_visible()
    expect(story(screen)).not_to_be_empty()
    for width, height in SIZES:
        screen.set_viewport_size({"width": width, "height": height})
        wait_until(screen, lambda: screen.evaluate(BEYOND) == [0, 0, 0, 0])
        assert too_small(screen) == []
        assert screen.evaluate(STORY) >= STORY_TEXT
    screen.set_viewport_size(UPRIGHT)
    wait_until(screen, lambda: screen.evaluate(BEYOND) == [0, 0, 0, 0])
    for part in (story(screen), code(screen), screen.locator("aside img")):
        expect(part).to_be_in_viewport(ratio=1)
    assert screen.evaluate(REACHED) == ["Sounds", "Full screen"]


@pytest.mark.parametrize("game", GAMES)
def test_the_end_of_every_game_is_shown(house: House, game: str) -> None:
    """Who won and why, in large type above the board."""
    host = house.page("Ada", hurried=True)
    is_alone = game in ("team_up", "ubongo")  # where nobody wins
    path = open_match(host, game, 1 if is_alone else 2)
    screen = shown(house, path, hurried=True)
    finish(host, path)
    expect(story(screen)).to_have_text(result(host).inner_text())
    expect(screen.locator(".winner .crown")).to_have_count(len(look(host, path)["winners"]))
    if not is_alone:  # alone one is told on one's own device what was best there
        expect(screen.locator(".story .note")).to_have_text(why(host).inner_text())
        expect(players(screen).first).to_contain_class("winner")
        names = players(screen).locator("strong")
        assert "Ada" in names.all_inner_texts()
    live = screen.locator("[aria-live]").filter(has_text=story(screen).inner_text())
    expect(live).to_have_count(1)
    for width, height in SIZES:
        screen.set_viewport_size({"width": width, "height": height})
        wait_until(screen, lambda: screen.evaluate(BEYOND) == [0, 0, 0, 0])
        assert too_small(screen) == []
        assert tall(screen.locator(".board[inert]")) > height / 2
        assert screen.locator(".story, .story p").evaluate_all(CUT) == []
    assert screen.evaluate(REACHED) == ["Sounds", "Full screen"]


def test_in_the_end_everyone_stands_at_their_place(house: House) -> None:
    host = house.page("Ada", hurried=True)
    path = open_match(host, "stupide_vautour", 5)
    screen = shown(house, path, hurried=True)
    finish(host, path)
    match = look(host, path)
    expect(players(screen).locator(".score")).to_have_count(5)
    seats = sorted(range(5), key=lambda s: (s not in match["winners"], -match["scores"][s]))
    scores = [str(match["scores"][seat]).replace("-", "−") for seat in seats]
    expect(players(screen).locator(".score")).to_have_text(scores)
    expect(players(screen).locator(".crown")).to_have_count(len(match["winners"]))


def test_that_a_deal_is_played_again_is_told_before_the_match_and_during_it(house: House) -> None:
    host = house.page("Ada", hurried=True)
    path = open_match(host, "stupide_vautour", 2)
    screen = shown(house, path)
    told = screen.get_by_text("Same deal as before")
    expect(story(screen)).to_be_visible()
    expect(told).to_have_count(0)
    finish(host, path)
    do(host, path, "again", same_deal=True)
    expect(screen.get_by_role("heading", level=2)).to_contain_text("Around the table")
    expect(told).to_be_in_viewport(ratio=1)
    start_button(host).click()
    expect(screen.locator(".board[inert]")).to_be_visible()
    expect(told).to_be_in_viewport(ratio=1)
    assert too_small(screen) == []


def players(screen: Page) -> Locator:
    return screen.get_by_role("list", name="Players").get_by_role("listitem")


def why(page: Page) -> Locator:
    return page.locator("section.result .told > p").first


def tall(element: Locator) -> float:
    return (element.bounding_box() or {"height": 0})["height"]


def test_what_lies_on_the_table_is_large(house: House) -> None:
    """The cards of a round, and a pallet, whose score stands there once."""
    screen = shown(house, open_match(house.page("Ada"), "stupide_vautour", 4))
    cards = screen.locator("[data-point=stake] li, [data-point=bids] .slot")
    expect(cards).to_have_count(5)
    for width, height in SIZES:
        screen.set_viewport_size({"width": width, "height": height})
        heights = [box["height"] for card in cards.all() if (box := card.bounding_box())]
        assert min(heights) > height / 5, (width, height)
    screen.goto(f"{open_match(house.page('Bob'), 'team_up', 2)}/screen")
    pallet = screen.locator("[data-point=pallet] .pallet")
    expect(pallet).to_be_visible()
    expect(screen.get_by_role("list", name="Players")).not_to_contain_text("−27")
    expect(screen.get_by_text("−27", exact=True)).to_have_count(1)
    for width, height in SIZES:
        screen.set_viewport_size({"width": width, "height": height})
        box = pallet.bounding_box()
        assert box
        assert box["width"] > width / 3, (width, height)


def test_a_race_of_three_is_counted_down_and_judged_on_the_mats(house: House) -> None:
    people = [house.page(name, hurried=True) for name in ("Ada", "Bob", "Cleo")]
    path = open_table(people[0], "ubongo", 3, countdown=10, time_limit=0)
    for guest in people[1:]:
        do(guest, path, "sit")
    screen = shown(house, path, hurried=True)
    start_button(people[0]).click()
    expect(board(people[0])).to_be_visible()
    everyone_plays(people, path, READY)
    assert screen.wait_for_function(f"JSON.stringify(({COVERED})() || null)").json_value() == "[]"
    wait_until(screen, lambda: look(people[0], path)["view"]["phase"] == RACING)
    everyone_plays(people, path, STOP)
    mats = screen.locator("[data-point=count] .mat")
    expect(mats).to_have_count(3)
    for width, height in SIZES:
        screen.set_viewport_size({"width": width, "height": height})
        wait_until(screen, partial(are_tall, mats, height / 3))


def are_tall(elements: Locator, least: float) -> bool:
    return min(tall(element) for element in elements.all()) > least


def everyone_plays(people: list[Page], path: str, move: int) -> None:
    for person in people:
        do(person, path, "play", move=move, seat=None)


def test_people_see_on_the_screen_how_to_come_and_who_has_come(house: House) -> None:
    host = house.page("Ada")
    path = open_table(host, "stupide_vautour", 3)
    screen = shown(house, path)
    assert re.fullmatch("[A-Z]{5}", code(screen).inner_text())
    picture = screen.get_by_role(
        "img", name=f"QR code for the link http://{house.server.address}{path}"
    )
    wait_until(screen, lambda: picture.evaluate("(image) => image.naturalWidth") > 0)
    expect(screen.get_by_role("heading", level=2)).to_have_text("Around the table: 1 of 3")
    guest = house.page("Bob")
    guest.goto(path)
    guest.get_by_role("button", name="Sit down").first.click()
    expect(screen.get_by_role("heading", level=2)).to_have_text("Around the table: 2 of 3")
    expect(screen.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
    assert too_small(screen) == []


def test_the_screen_of_a_player_shows_no_hand_and_takes_no_seat(house: House) -> None:
    host = house.page("Ada")
    path = open_table(host, "stupide_vautour", 2)
    screen = host.context.new_page()
    screen.goto(f"{path}/screen")
    expect(code(screen)).to_be_visible()
    start_button(host).click()
    expect(host.get_by_role("group", name="Hand")).to_be_visible()
    expect(screen.locator(".board[inert]")).to_be_visible()
    assert screen.locator("[data-point=hand]").count() == 0
    play_one("stupide_vautour", host, 0)
    expect(story(screen)).to_have_text(re.compile("Ada 15"))


def test_a_screen_without_a_connection_does_not_recall_what_a_player_saw(house: House) -> None:
    host = house.page("Ada")
    path = open_match(host, "stupide_vautour", 2)
    expect(host.get_by_role("group", name="Hand")).to_be_visible()
    host.goto("/")  # what Ada saw of the table is kept
    expect(host.get_by_role("article")).to_have_count(len(GAMES))
    screen = host.context.new_page()
    screen.route_web_socket(re.compile("/socket$"), lambda _: None)  # nobody answers
    screen.goto(f"{path}/screen")
    expect(screen.get_by_role("status").get_by_text("Connection lost")).to_be_visible()
    screen.evaluate("dispatchEvent(new Event('offline'))")
    expect(screen.get_by_text("You are offline.")).to_have_count(0)
    assert screen.locator(".board, [data-point=hand]").count() == 0


def test_a_screen_leaves_what_a_player_last_saw_as_it_is(house: House) -> None:
    page = house.page("Ada")
    path = open_match(page, "stupide_vautour", 2)
    expect(page.get_by_role("group", name="Hand")).to_be_visible()
    page.goto("/")
    before = page.evaluate(KEPT, path)
    page.goto(f"{path}/screen")
    expect(page.locator(".board[inert]")).to_be_visible()
    page.evaluate("history.pushState(null, '', '/'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    assert before is not None
    assert page.evaluate(KEPT, path) == before


def test_a_table_is_put_on_a_screen_from_its_invitation(house: House) -> None:
    host = house.page("Ada")
    path = open_table(host, "whats_up", 2)
    with host.expect_popup() as opened:
        host.get_by_role("link", name="Show on a big screen").click()
    expect(code(opened.value)).to_be_visible()
    assert f"{path}/screen#" in opened.value.url


def test_a_screen_for_a_table_that_is_not_there_says_so(house: House) -> None:
    screen = house.page(**TELEVISION)
    screen.goto("/t/nowhere/screen")
    expect(screen.get_by_role("heading")).to_have_text("There is no such table")


def test_the_screen_can_be_heard_once_it_has_been_pressed(house: House) -> None:
    host = house.page("Ada")
    path = open_table(host, "whats_up", 2)
    screen = house.page(**TELEVISION)
    screen.add_init_script(UNTOUCHED)  # whatever drives the browser counts as a press otherwise
    screen.goto(f"{path}/screen")
    sounds = screen.get_by_role("button", name="Sounds")
    expect(sounds).to_have_attribute("aria-pressed", "false")
    sounds.click()
    expect(sounds).to_have_attribute("aria-pressed", "true")
    sounds.click()
    expect(sounds).to_have_attribute("aria-pressed", "false")
    sounds.click()
    screen.reload()
    expect(sounds).to_have_attribute("aria-pressed", "false")
    code(screen).click()  # a press of anything, as of the button for the full screen
    expect(sounds).to_have_attribute("aria-pressed", "true")
    sounds.click()
    expect(sounds).to_have_attribute("aria-pressed", "false")


def test_phones_count_on_a_television_that_a_player_gave_the_link(house: House) -> None:
    phone = house.page("Ada", **PHONE)
    path = open_table(phone, "stupide_vautour", 2)
    link = phone.get_by_role("link", name="Show on a big screen")
    expect(link).to_have_attribute("href", re.compile(f"{path}/screen#.+"))
    television = house.page(**TELEVISION)
    television.goto(link.get_attribute("href") or "")
    start_button(phone).tap()
    hand = phone.get_by_role("group", name="Hand")
    expect(hand).to_be_visible()
    wait_until(phone, lambda: top_of(hand) < THIRD)


@pytest.mark.parametrize("game", ["stupide_vautour", "up_and_down"])
def test_a_phone_shows_the_hand_first_while_there_is_a_screen(house: House, game: str) -> None:
    phone = house.page("Ada", **PHONE)
    path = open_match(phone, game, 2)
    hand = phone.get_by_role("group", name="Hand")
    players = phone.get_by_role("list", name="Players")
    expect(hand).to_be_visible()
    expect(players).to_be_visible()
    screen = phone.context.new_page()
    screen.goto(f"{path}/screen")
    wait_until(phone, lambda: top_of(hand) < THIRD)
    expect(players.get_by_text("Ada")).to_have_count(1)
    expect(players.locator(".score").first).to_be_visible()
    play_one(game, phone, 0)
    phone.get_by_role("button", name="Table menu").tap()
    phone.get_by_role("checkbox", name="My hand first").tap()
    phone.get_by_role("button", name="Close").tap()
    wait_until(phone, lambda: top_of(hand) > THIRD)
    screen.close()


@pytest.mark.parametrize("game", ["whats_up", "team_up", "ubongo"])
def test_where_no_hand_is_hidden_a_screen_leaves_the_phone_to_what_one_acts_with(
    house: House, game: str
) -> None:
    phone = house.page("Ada", **PHONE)
    path = open_match(phone, game, 2, **({"time_limit": 0} if game == "ubongo" else {}))
    play_one(game, phone, 0)
    phone.context.new_page().goto(f"{path}/screen")
    expect(phone.locator("main.hand-first")).to_be_visible()
    wait_until(phone, lambda: top_of(phone.locator("main .board")) < THIRD)
    parts = phone.locator("[data-point=field], [data-point=hand]")
    if game == "ubongo":  # the mat is one's own as well
        wait_until(phone, lambda: sum(tall(part) for part in parts.all()) > 0.75 * 844)


def top_of(element: Locator) -> float:
    return (element.bounding_box() or {"y": 0})["y"]


def test_a_phone_that_shows_the_hand_first_lets_the_host_replace_who_is_away(house: House) -> None:
    phone, other = house.page("Ada", **PHONE), house.page("Bob")
    path = open_table(phone, "stupide_vautour", 2)
    do(other, path, "sit")
    do(phone, path, "start")
    phone.context.new_page().goto(f"{path}/screen")
    wait_until(phone, lambda: top_of(phone.get_by_role("group", name="Hand")) < THIRD)
    phone.get_by_role("button", name="Let a bot play for Bob").tap()
    phone.get_by_role("button", name="Give the seat back to Bob").tap()
    expect(phone.get_by_role("button", name="Let a bot play for Bob")).to_be_visible()


def test_reactions_float_over_the_screen(house: House) -> None:
    host = house.page("Ada")
    path = open_table(host, "whats_up", 2)
    screen = shown(house, path)
    do(host, path, "say", text="🎉")
    expect(
        screen.locator(".sky").get_by_role("img", name="🎉", include_hidden=True)
    ).to_be_visible()
