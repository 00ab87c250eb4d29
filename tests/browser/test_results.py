"""What a finished match tells beyond who has won."""

from __future__ import annotations

from playwright.sync_api import expect

from browsing import House, finish, open_match


def test_every_round_of_stupide_vautour_is_told_with_all_bids(house: House) -> None:
    page = house.page("Ada", hurried=True)
    finish(page, open_match(page, "stupide_vautour", 2))
    course = page.get_by_role("table", name="Round by round")
    expect(course.get_by_role("columnheader")).to_have_count(15)
    own, other = (
        course.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name))
        for name in ("Ada", "Zola")
    )
    # Ada has always played the highest card she had.
    expect(own.get_by_role("cell")).to_have_text([str(15 - number) for number in range(15)])
    cards = sorted(int(text) for text in other.get_by_role("cell").all_inner_texts())
    assert cards == list(range(1, 16))


def test_a_shorter_match_of_stupide_vautour_tells_as_many_rounds(house: House) -> None:
    page = house.page("Ada", hurried=True)
    finish(page, open_match(page, "stupide_vautour", 2, cards=5))
    course = page.get_by_role("table")
    expect(course.get_by_role("caption")).to_have_text("Round by round")
    expect(course.get_by_role("columnheader")).to_have_count(5)
