"""A host chooses who plays: bots have a name, a level and a line about them."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from browsing import PHONE, House, open_table


def seats(page: Page) -> Locator:
    return page.get_by_role("region", name="Around the table").get_by_role("listitem")


def choices(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Who takes this seat?").get_by_role("listitem")


def test_a_master_sits_down_with_name_level_and_line(house: House) -> None:
    page = house.page("Ada")
    path = open_table(page, "stupide_vautour", 3)
    seats(page).nth(1).get_by_role("button", name="Bot").click()
    expect(choices(page)).to_contain_text(
        ["Pip novice", "Zola regular", "Griff expert", "Rapax master", "whimsical"]
    )
    master = choices(page).nth(3)
    expect(master).to_contain_text("Guesses your habits")
    master.get_by_role("button").click()
    expect(choices(page)).to_have_count(0)

    guest = house.page("Bob")
    guest.goto(path)
    for one in (page, guest):
        for word in ("Rapax", "master", "Guesses your habits"):
            expect(seats(one).nth(1)).to_contain_text(word)
    expect(guest.get_by_role("button", name="Rapax")).to_have_count(0)


def test_another_level_is_one_choice_and_the_same_one_changes_nothing(house: House) -> None:
    page = house.page("Ada", **PHONE)
    open_table(page, "stupide_vautour", 2)
    second = seats(page).nth(1)
    second.get_by_role("button", name="Bot").tap()
    choices(page).nth(0).get_by_role("button").tap()
    second.get_by_role("button", name="Pip: novice").tap()
    current = choices(page).nth(0).get_by_role("button")
    expect(current).to_have_attribute("aria-pressed", "true")
    current.tap()
    expect(choices(page)).to_have_count(0)
    second.get_by_role("button", name="Pip: novice").tap()
    choices(page).nth(2).get_by_role("button").tap()
    expect(second.get_by_role("button", name="Griff: expert")).to_be_focused()
    expect(second).to_contain_text("Imagines thousands of ways")
