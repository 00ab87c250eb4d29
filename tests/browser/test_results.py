"""What a finished match tells beyond who has won."""

from __future__ import annotations

import re

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
    # Ada has always played the highest card she had. Beside a card stands whose stake it was.
    takes = {name: f"(?: {name} took the stake)?" for name in ("Ada", "Zola")}
    played = [re.compile(f"^{15 - number} ?{takes['Ada']}$") for number in range(15)]
    expect(own.get_by_role("cell")).to_have_text(played)
    texts = other.get_by_role("cell").all_text_contents()
    assert all(re.fullmatch(rf"\d+ ?{takes['Zola']}", text.strip()) for text in texts), texts
    assert sorted(int(text.split()[0]) for text in texts) == list(range(1, 16))


def test_a_shorter_match_of_stupide_vautour_tells_as_many_rounds(house: House) -> None:
    page = house.page("Ada", hurried=True)
    finish(page, open_match(page, "stupide_vautour", 2, cards=5))
    course = page.get_by_role("table")
    expect(course.get_by_role("caption")).to_have_text("Round by round")
    expect(course.get_by_role("columnheader")).to_have_count(5)
