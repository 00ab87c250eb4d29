"""The lobby leads back to the tables at which we play."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from browsing import House, board, do, finish, introduce, open_match, open_table, start_button

# How far the name of the game reaches into how things stand there, in pixels.
OVERLAP = """(row) => {
  const name = document.createRange();
  name.selectNodeContents(row.querySelector("strong"));
  const state = row.querySelector(".state").getBoundingClientRect();
  return name.getBoundingClientRect().right - state.left;
}"""


def section(page: Page) -> Locator:
    return page.get_by_role("region", name="Your tables")


def rows(page: Page) -> Locator:
    return section(page).get_by_role("listitem")


def test_who_plays_nowhere_sees_no_list(house: House) -> None:
    page = house.page("Ada")
    page.goto("/")
    expect(page.get_by_role("button", name="Ada")).to_be_visible()
    expect(section(page)).to_have_count(0)


def test_a_closed_page_is_found_back_with_one_click(house: House) -> None:
    page = house.page()
    page.goto("/")
    page.get_by_role("button", name="With friends").first.click()
    introduce(page, "Ada")
    expect(start_button(page)).to_be_visible()
    table = page.url
    back = page.context.new_page()
    page.close()
    back.goto("/")
    rows(back).get_by_role("link").click()
    expect(start_button(back)).to_be_visible()
    assert back.url == table


def test_on_a_narrow_phone_the_state_covers_no_name(house: House) -> None:
    page = house.page("Ada", locale="de-DE", viewport={"width": 320, "height": 640})
    answer = page.request.post("/api/tables", data={"game": "stupide_vautour", "seats": 5})
    path = f"/t/{answer.json()['id']}"
    for seat in range(1, 5):
        do(page, path, "seat", seat=seat, bot="novice")
    page.goto("/")
    row = page.get_by_role("region", name="Deine Tische").get_by_role("listitem")
    expect(row).to_have_count(1)
    assert row.evaluate(OVERLAP) <= 0


def test_what_waits_for_us_comes_first_and_is_in_the_title(house: House) -> None:
    page = house.page("Ada")
    over = open_match(page, "stupide_vautour", 2)
    finish(page, over)
    mine = open_match(page, "whats_up", 2, first=0)
    page.goto(open_table(page, "team_up"))
    page.goto("/")
    expect(rows(page)).to_have_count(3)
    expect(rows(page).nth(0)).to_contain_text("What’s Up")
    expect(rows(page).nth(0)).to_contain_text("Your turn")
    expect(rows(page).nth(1)).to_contain_text("Not started yet")
    expect(rows(page).nth(2)).to_contain_text("won")
    expect(page).to_have_title("(1) Ludothèque")
    rows(page).nth(0).get_by_role("link").click()
    expect(board(page)).to_be_visible()
    assert page.url.endswith(mine)


def test_the_list_says_for_whom_the_others_wait(house: House) -> None:
    page, other = house.page("Ada"), house.page("Bob")
    path = open_table(page, "stupide_vautour", 2)
    do(other, path, "sit")
    do(page, path, "start")
    do(page, path, "play", move=7)
    page.goto("/")
    expect(rows(page)).to_contain_text("Waiting for Bob")
    expect(page).to_have_title("Ludothèque")
    other.goto("/")
    expect(rows(other)).to_contain_text("Your turn")


def test_a_table_is_left_or_taken_off_the_list_there(house: House) -> None:
    page = house.page("Ada")
    over = open_match(page, "stupide_vautour", 2)
    finish(page, over)
    running = open_match(page, "stupide_vautour", 2)
    page.goto("/")
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Remove from the list: Stupide Vautour").click()
    expect(rows(page)).to_have_count(1)
    expect(rows(page).get_by_role("link")).to_be_focused()

    page.get_by_role("button", name="Leave the table: Stupide Vautour").click()
    page.get_by_role("button", name="Yes, leave my seat").click()
    expect(section(page)).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.goto(running)
    expect(page.get_by_text("A bot is playing in your seat.")).to_be_visible()
