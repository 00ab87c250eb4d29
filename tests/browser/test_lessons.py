"""Lessons are played with the keyboard alone, offered to newcomers, and shown by the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import (
    GAMES,
    PHONE,
    House,
    Settings,
    board,
    finish,
    open_match,
    open_table,
    play_one,
)
from ludotheque.engine.game import load
from ludotheque.engine.lesson import names

LOCALES = ("fr-FR", "en-GB", "de-DE")
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900), "lying": (844, 390)}
FACT_MS = 10_000  # after which the next thing is told
MOST_FACTS = 60  # of one beat
LEARN = "Learn in two minutes"
OUTLINE = """(element) => {
  const outlined = [element, ...element.querySelectorAll("*")].some((part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(part);
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  });
  return outlined && element.matches(":focus-visible");
}"""
TINY = """(figure) => [...figure.querySelectorAll("[data-point] svg, [data-point] button")]
  .filter((part) => part.checkVisibility() && part.getBoundingClientRect().width < 3)
  .map((part) => part.outerHTML.slice(0, 200))"""
PLACE = "(element) => [element.getBoundingClientRect().y, element.clientHeight]"


def coach(page: Page) -> Locator:
    return page.locator("main > section")


def said(page: Page) -> Locator:
    return coach(page).locator("p").first


def open_lesson(page: Page, path: str) -> None:
    page.clock.install()
    page.goto(path)
    expect(said(page)).not_to_be_empty()


def walk(page: Page, lesson: Any, language: str) -> Iterator[Any]:
    """Every beat when it is said; Enter goes on, with whatever has the focus."""
    for number, beat in enumerate(lesson["beats"], 1):
        expect(coach(page).get_by_role("img")).to_have_attribute(
            "aria-label", re.compile(rf"\D{number}\D+{len(lesson['beats'])}$")
        )
        hear_out(page, beat["say"][language])
        yield beat
        if number < len(lesson["beats"]):
            page.keyboard.press("Enter")


def hear_out(page: Page, text: str) -> None:
    """Let everything be told until this is said, and the focus moved."""
    for _ in range(MOST_FACTS):
        page.clock.fast_forward(FACT_MS)
        if said(page).text_content() == text:
            break
    expect(said(page)).to_have_text(text)
    page.clock.fast_forward(FACT_MS)


def lesson_of(page: Page, game: str, name: str = "first") -> Any:
    return page.request.get(f"/api/games/{game}/lessons/{name}").json()


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("game", GAMES)
def test_lessons_with_the_keyboard_alone(house: House, game: str, locale: str) -> None:
    page = house.page(locale=locale, in_3d=locale == "fr-FR")
    page.clock.install()
    for name in names(load(game)):
        take_lesson(page, game, name, locale[:2])


def take_lesson(page: Page, game: str, name: str, language: str) -> None:
    """From its beginning to the match that it leads to."""
    lesson = lesson_of(page, game, name)
    page.goto(f"/learn/{game}/{name}")
    expect(said(page)).not_to_be_empty()
    focused = page.locator(":focus")
    spoken = page.get_by_role("log").locator("p").last
    for beat in walk(page, lesson, language):
        expect(spoken).to_have_text(beat["say"][language])
        if beat["ask"] is None:
            expect(coach(page).locator(".primary")).to_be_focused()
        else:
            expect(
                page.locator("button:focus")
                .locator("[data-advised]")
                .or_(page.locator("button[data-advised]:focus"))
            ).to_have_count(1)
        assert focused.evaluate(OUTLINE), beat["say"][language]
    page.keyboard.press("Enter")  # to play
    page.wait_for_url("**/t/*")
    expect(board(page)).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_the_board_of_a_lesson_stays_where_it_is(house: House, game: str, size: str) -> None:
    width, height = SIZES[size]
    page = house.page(locale="de-DE", viewport={"width": width, "height": height})
    lesson = lesson_of(page, game)
    open_lesson(page, f"/learn/{game}")
    stage = page.locator("main > .board")
    places = {tuple(stage.evaluate(PLACE)) for _ in walk(page, lesson, "de")}
    assert len(places) == 1
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def test_a_learner_is_not_told_to_wait_for_themselves(house: House) -> None:
    page = house.page()
    open_lesson(page, "/learn/team_up")
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    expect(page.locator("main .bar")).to_have_text("")


@pytest.mark.parametrize("game", ["stupide_vautour", "up_and_down", "whats_up"])
def test_another_move_than_the_one_asked_for_is_answered(house: House, game: str) -> None:
    page = house.page()
    lesson = lesson_of(page, game)
    open_lesson(page, f"/learn/{game}")
    asked = next(beat for beat in walk(page, lesson, "en") if beat["ask"] is not None)
    request = coach(page).locator(".yours")
    expect(request).not_to_contain_class("again")
    spoken = page.get_by_role("log").get_by_text(asked["say"]["en"], exact=True)
    expect(spoken).to_have_count(1)
    wrong = page.locator("[data-point=hand], [role=grid]").get_by_role("button")
    wrong.and_(page.locator("button:not(:has([data-advised]))")).last.focus()
    page.keyboard.press("Enter")
    expect(spoken).to_have_count(2)
    expect(request).to_contain_class("again")
    assert said(page).text_content() == asked["say"]["en"]


def test_what_is_told_can_be_skipped(house: House) -> None:
    page = house.page()
    lesson = lesson_of(page, "stupide_vautour")
    open_lesson(page, "/learn/stupide_vautour/first/meerkat")
    page.clock.run_for(1)
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("Player 1 9")
    next_button = page.get_by_role("button", name="Next")
    expect(next_button).to_be_focused()
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text(lesson["beats"][2]["say"]["en"])
    expect(page.get_by_role("log")).to_contain_text("Player 1 takes +5 with the 9")


# A newcomer at a table


def offer(page: Page) -> Locator:
    return page.get_by_role("region", name=LEARN)


def test_a_newcomer_is_offered_the_lesson_and_comes_back_to_the_table(house: House) -> None:
    page = house.page("Ada")
    path = open_table(page, "whats_up")
    expect(offer(page)).to_contain_text("New to What’s Up?")
    offer(page).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Learn What’s Up")
    page.get_by_role("link", name="Back to the table").click()
    expect(page).to_have_url(re.compile(f"{path}$"))
    expect(page.get_by_role("listitem").filter(has_text="Ada")).to_be_visible()
    expect(offer(page)).to_have_count(0)


def test_the_end_of_a_lesson_leads_back_to_the_table(house: House) -> None:
    page = house.page("Ada")
    path = open_table(page, "whats_up")
    lesson = lesson_of(page, "whats_up", "stop")
    open_lesson(page, f"/learn/whats_up/stop?table={path.removeprefix('/t/')}")
    for _ in walk(page, lesson, "en"):
        pass
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"{path}$"))


def test_who_wants_to_play_after_a_lesson_without_a_network_is_told_why_not(house: House) -> None:
    page = house.page("Ada")
    lesson = lesson_of(page, "whats_up", "stop")
    open_lesson(page, "/learn/whats_up/stop")
    for _ in walk(page, lesson, "en"):
        pass
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_have_text("You are offline.")


def test_the_offer_is_dismissed_for_good(house: House) -> None:
    page = house.page("Ada", **PHONE)
    open_table(page, "whats_up")
    offer(page).get_by_role("button", name="No thanks").tap()
    expect(offer(page)).to_have_count(0)
    open_table(page, "whats_up")
    expect(offer(page)).to_have_count(0)
    open_table(page, "team_up")
    expect(offer(page)).to_be_visible()


def test_a_running_match_on_a_phone_offers_the_lesson_until_the_first_move(house: House) -> None:
    page = house.page("Ada", **PHONE)
    open_match(page, "whats_up", 3)
    link, grid = offer(page).get_by_role("link"), page.get_by_role("grid")
    expect(page.locator("p.prompt.ours")).to_be_visible()
    for width, height in ((390, 844), (360, 640), (375, 553), (844, 390), (740, 360), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        expect(link).to_be_in_viewport(ratio=1)
        expect(grid).to_be_in_viewport(ratio=1)
    play_one("whats_up", page, 0)
    expect(offer(page)).to_have_count(0)


def test_a_player_who_has_finished_a_match_is_offered_nothing(house: House) -> None:
    page = house.page("Ada", viewport={"width": 1440, "height": 900})
    path = open_match(page, "stupide_vautour", 2)
    expect(offer(page)).to_be_visible()
    finish(page, path)
    expect(offer(page)).to_have_count(0)
    open_table(page, "stupide_vautour")
    expect(offer(page)).to_have_count(0)


def test_those_who_watch_are_offered_the_lesson_until_they_decline(house: House) -> None:
    page = house.page("Ada")
    path = open_match(page, "stupide_vautour", 2)
    for settings in ({"viewport": {"width": 1440, "height": 900}}, PHONE):
        visitor = house.page(**settings)
        visitor.goto(path)
        expect(offer(visitor)).to_contain_text("New to Stupide Vautour?")
        expect(offer(visitor).get_by_role("link")).to_be_visible()
        offer(visitor).get_by_role("button", name="No thanks").click()
        expect(offer(visitor)).to_have_count(0)
        visitor.reload()
        expect(board(visitor)).to_be_visible()
        expect(offer(visitor)).to_have_count(0)


@pytest.mark.parametrize("is_phone", [False, True])
def test_a_newcomer_to_a_race_is_offered_the_lesson_until_it_begins(
    house: House, is_phone: bool
) -> None:
    settings: Settings = PHONE if is_phone else {"viewport": {"width": 1440, "height": 900}}
    page = house.page("Ada", **settings)
    path = open_match(page, "ubongo", 2, time_limit=0)
    watching = house.page("Bob", **settings)
    watching.goto(path)
    for each in (page, watching):
        expect(offer(each).get_by_role("link")).to_be_in_viewport(ratio=1)
    ready = page.get_by_role("button", name="I’m ready!")
    expect(ready).to_be_in_viewport(ratio=1)
    ready.click()
    for each in (page, watching):
        expect(offer(each)).to_have_count(0)
    page.reload()
    expect(page.locator("button.stop")).to_be_visible()
    expect(offer(page)).to_have_count(0)


# The rules


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_show_pictures_that_the_board_has_drawn(house: House, game: str) -> None:
    page = house.page()
    page.goto(f"/rules/{game}")
    figures = page.get_by_role("figure")
    count = len(page.request.get(f"/api/games/{game}/pictures").json())
    expect(figures).to_have_count(count)
    for figure in figures.all():
        figure.scroll_into_view_if_needed()
        expect(figure.locator("[inert] .stage").first).to_be_visible()
        expect(figure.locator("figcaption")).not_to_be_empty()
        assert figure.evaluate(TINY) == []
    page.keyboard.press("End")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def test_a_rule_is_shown_by_the_lesson_where_it_matters(house: House) -> None:
    page = house.page()
    page.goto("/rules/stupide_vautour")
    link = page.get_by_role("link", name="Show me (The two 14s cancel each other")
    link.click()
    expect(said(page)).to_have_text(re.compile(r"^\+8 is tempting"))
    page.get_by_role("link", name="Back to the rules").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Stupide Vautour")
    expect(link).to_be_visible()


def test_a_rule_looked_up_at_a_table_leads_back_there(house: House) -> None:
    page = house.page("Ada", viewport={"width": 1440, "height": 900})
    path = open_match(page, "whats_up", 2)
    page.get_by_role("tab", name="Rules").click()
    page.get_by_role("link", name="Show me (Other ends)").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("When nobody takes any more")
    page.get_by_role("link", name="Back to the table").click()
    expect(page).to_have_url(re.compile(f"{path}$"))
    expect(page.get_by_role("grid")).to_be_visible()
