"""A player who may ask for advice gets it in words, and nothing moves by itself."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, Route, expect

from browsing import House, do, open_match, open_table, play_one, seat_beside, start_button

HINTS = "**/api/tables/*/hints?*"
ADVICE = [
    {"move": 7, "key": "bid", "values": {"value": 7}, "reason": "sure", "because": {"card": 7}},
    {"move": 2, "key": "bid", "values": {"value": 2}, "reason": "duck", "because": {"card": 2}},
]


def button(page: Page) -> Locator:
    return page.get_by_role("button", name="Hint", exact=True)


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Hint")


def test_a_hint_says_what_and_why_until_the_position_changes(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "ubongo", 1, time_limit=0)
    button(page).click()
    expect(panel(page)).to_contain_text("Say that you are ready")
    page.get_by_role("button", name="I’m ready!").click()
    expect(panel(page)).to_be_hidden()

    expect(page.locator("button.stop")).to_be_enabled()
    button(page).click()
    expect(panel(page).locator(".best strong")).to_contain_text("card")
    expect(panel(page)).to_contain_text("Begin with card")
    expect(page.get_by_label("laid at")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    expect(button(page)).to_be_focused()


def test_what_is_advised_is_marked_on_the_board_and_held_ready(house: House) -> None:
    page = house.page("Ada")
    page.route(HINTS, lambda route: route.fulfill(json=ADVICE))
    open_match(page, "stupide_vautour", 2)
    button(page).click()
    expect(page.get_by_role("button", name="play the 7").locator(".advised")).to_be_visible()
    expect(page.locator(".advised")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".advised")).to_have_count(0)
    page.unroute(HINTS)

    open_match(page, "ubongo", 1, time_limit=0)
    play_one("ubongo", page, 0)
    expect(page.locator("button.stop")).to_be_enabled()
    button(page).click()
    expect(page.get_by_label("held over")).to_have_count(1)
    page.get_by_role("button", name="Lay it here").click()
    expect(page.get_by_label("laid at")).to_have_count(1)


def allow_hints(page: Page) -> None:
    """Let people ask who play against each other."""
    page.get_by_role("combobox", name="Hints").select_option("on")


def test_a_hint_stays_while_others_lay_face_down(house: House) -> None:
    page, other = house.page("Ada"), house.page("Bob")
    page.route(HINTS, lambda route: route.fulfill(json=ADVICE))
    path = open_table(page, "stupide_vautour", 2)
    allow_hints(page)
    do(other, path, "sit")
    start_button(page).click()
    button(page).click()
    expect(panel(page)).to_contain_text("Nobody can beat the 7 any more")
    expect(panel(page).get_by_role("group")).to_contain_text("Play the 2")
    do(other, path, "play", move=5)
    expect(page.get_by_label("Bid", exact=True)).to_contain_text("Bid: face down")
    expect(panel(page)).to_be_visible()
    panel(page).get_by_role("button", name="Close").click()
    expect(panel(page)).to_be_hidden()
    expect(button(page)).to_be_focused()


def test_while_the_answer_is_awaited_the_page_says_so(house: House) -> None:
    page = house.page("Ada")
    awaited: list[Route] = []

    def keep(route: Route) -> None:
        awaited.append(route)

    page.route(HINTS, keep)
    open_match(page, "stupide_vautour", 2)
    button(page).click()
    expect(panel(page)).to_contain_text("A master is thinking for you")
    expect(page.locator("[aria-live]").filter(has_text="A master is thinking")).to_have_count(1)
    play_one("stupide_vautour", page, 0)
    expect(panel(page)).to_be_hidden()
    awaited[0].fulfill(json=ADVICE)
    expect(page.get_by_text("Round 2 of 15")).to_be_visible()
    expect(panel(page)).to_be_hidden()


REFUSALS = {
    "not_awake": "Der Ratgeber ist noch nicht wach",
    "not_your_turn": "Tipps gibt es, wenn du am Zug bist",
    "off": "wird ohne Tipps gespielt",
    "over": "Die Partie ist zu Ende",
    "": "the adviser has lost its glasses",
}


def test_a_refusal_is_told_in_the_language_of_the_page(house: House) -> None:
    page = house.page("Ada", locale="de-DE")
    answer = {"error": "the adviser has lost its glasses", "reason": ""}
    page.route(HINTS, lambda route: route.fulfill(status=400, json=answer))
    open_match(page, "stupide_vautour", 2)
    for answer["reason"], told in REFUSALS.items():
        page.get_by_role("button", name="Tipp", exact=True).click()
        expect(page.get_by_role("status")).to_contain_text(told)
        expect(page.get_by_role("region", name="Tipp")).to_be_hidden()


def test_people_at_one_device_ask_for_the_seat_that_is_shown(house: House) -> None:
    page = house.page("Ada")
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url.rpartition("?")[2])
        route.fulfill(json=ADVICE)

    page.route(HINTS, answer)
    open_table(page, "stupide_vautour", 2)
    allow_hints(page)
    seat_beside(page, "Bob")
    start_button(page).click()
    for name in ("Ada", "Bob"):
        page.get_by_role("button", name=f"I am {name}").click()
        expect(panel(page)).to_be_hidden()
        button(page).click()
        expect(panel(page)).to_contain_text("Play the 7")
        page.get_by_role("button", name="play the 9").click()
    assert asked == ["seat=0", "seat=1"]


def test_a_table_without_hints_and_somebody_who_watches_have_no_button(house: House) -> None:
    page, guest = house.page("Ada"), house.page("Bob")
    path = open_table(page, "stupide_vautour", 2)
    guest.goto(path)
    allowed = page.get_by_role("combobox", name="Hints")
    expect(allowed).to_have_value("auto")
    start_button(page).click()
    expect(button(page)).to_be_visible()
    expect(guest.get_by_role("list", name="Players")).to_be_visible()
    expect(button(guest)).to_have_count(0)

    path = open_table(page, "stupide_vautour", 2)
    guest.goto(path)
    allowed.select_option("off")
    seen = guest.get_by_role("combobox", name="Hints")
    expect(seen).to_have_value("off")
    expect(seen).to_be_disabled()
    start_button(page).click()
    expect(page.locator("p.prompt.ours")).to_be_visible()
    expect(button(page)).to_have_count(0)
