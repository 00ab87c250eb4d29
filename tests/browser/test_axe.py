"""Every screen in both themes keeps the rules of WCAG 2.2 AA that a machine can check."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browsing import (
    GAMES,
    PHONE,
    House,
    do,
    finish,
    open_match,
    open_more,
    open_table,
    play_one,
    result,
    shared_link,
    start_button,
    wait_for_worker,
)

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The themes differ in their colours alone.
RULES: dict[Literal["light", "dark"], dict[str, object]] = {
    "light": {"runOnly": TAGS, "resultTypes": ["violations"]},
    "dark": {
        "runOnly": {"type": "rule", "values": ["color-contrast"]},
        "resultTypes": ["violations"],
    },
}
# What comes and goes is looked at when it has come.
STILL = """() => Promise.allSettled(document.getAnimations()
  .filter((motion) => motion.effect.getComputedTiming().endTime < 5000)
  .map((motion) => motion.finished))"""
SEATS = {"stupide_vautour": 2, "whats_up": 2, "up_and_down": 2, "team_up": 1, "ubongo": 1}


def check(page: Page, where: str) -> list[str]:
    """What is wrong in either theme, one line each."""
    wrong = []
    for theme, rules in RULES.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.evaluate(STILL)
        found = Axe().run(page, options=rules).response["violations"]
        wrong += [
            f"{where}, {theme}: {violation['id']}: {node['html']}: {node['failureSummary']}"
            for violation in found
            for node in violation["nodes"]
        ]
    return wrong


def test_the_screens_around_the_games(house: House) -> None:
    page = house.page()
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    wrong = check(page, "lobby")
    page.get_by_role("button", name="Play now with").first.click()
    wrong += check(page, "with whom to play")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Say hello").click()
    wrong += check(page, "introduce")
    page.get_by_role("dialog").get_by_role("textbox").fill("Ada")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Language, theme and sounds").click()
    wrong += check(page, "preferences")
    page.keyboard.press("Escape")
    page.goto("/nowhere/at/all")
    expect(page.get_by_text("This page does not exist")).to_be_visible()
    wrong += check(page, "no page")
    page.goto("/rules/up_and_down")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("figure").last.scroll_into_view_if_needed()
    expect(page.locator("figure").last.locator(".stage").first).to_be_visible()
    wrong += check(page, "rules")
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_of_every_game(house: House, game: str) -> None:
    page = house.page("Ada")
    page.goto(f"/learn/{game}")
    expect(page.locator("main > section p").first).not_to_be_empty()
    wrong = check(page, f"lesson of {game}")
    page.set_viewport_size(PHONE["viewport"])
    wrong += check(page, f"lesson of {game} on a phone")
    assert wrong == []


def test_the_screens_of_a_table(house: House) -> None:
    page, guest = house.page("Ada"), house.page()
    path = open_table(page, "ubongo")
    wrong = check(page, "gathering")
    guest.goto(path)
    expect(guest.get_by_label("Your name")).to_be_visible()
    wrong += check(guest, "arrival")
    page.get_by_role("button", name="QR code").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    wrong += check(page, "invite")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Bot", exact=True).first.click()
    wrong += check(page, "choice of a bot")
    page.get_by_role("dialog").get_by_role("button", name="master").click()
    expect(page.get_by_role("listitem").filter(has_text="master")).to_be_visible()
    wrong += check(page, "a bot sits")
    page.get_by_role("button", name="Table menu").click()
    wrong += check(page, "menu")
    page.goto("/t/nowhere")
    expect(page.get_by_text("There is no such table")).to_be_visible()
    wrong += check(page, "no table")
    assert wrong == []


def test_the_pages_of_a_guest_with_and_without_a_network(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "stupide_vautour", 2)
    wrong = []
    for path in ("/me", "/privacy"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        wrong += check(page, path)
    page.goto("/")
    expect(page.get_by_role("region", name="Your tables").get_by_role("listitem")).to_be_visible()
    wrong += check(page, "lobby with tables")
    wait_for_worker(page)
    page.context.set_offline(True)
    page.goto("/")
    expect(page.get_by_text("You are offline.")).to_be_visible()
    wrong += check(page, "lobby without a network")
    assert wrong == []


def test_the_door_of_a_table(house: House) -> None:
    host, guest, nobody = house.page("Ada"), house.page("Ben"), house.page()
    path = open_table(host, "stupide_vautour", 3)
    do(host, path, "set", asks_host=True)
    nobody.goto(path)
    expect(nobody.get_by_role("button", name="Ask to come in")).to_be_visible()
    wrong = check(nobody, "before a door without a name")
    guest.goto(path)
    expect(guest.get_by_text("The host has been asked")).to_be_visible()
    wrong += check(guest, "before a door")
    expect(host.get_by_role("button", name="Refuse Ben")).to_be_visible()
    wrong += check(host, "behind a door")
    host.get_by_role("button", name="Refuse Ben").click()
    expect(guest.get_by_role("heading", name="You cannot come in")).to_be_visible()
    wrong += check(guest, "refused")
    assert wrong == []


def test_a_deal_for_others(house: House) -> None:
    page = house.page("Ada", hurried=True)
    finish(page, open_match(page, "stupide_vautour", 2, cards=5))
    open_more(page).get_by_role("button", name="Challenge others").click()
    wrong = check(page, "challenge")
    guest = house.page()
    guest.goto(shared_link(page))
    expect(guest.get_by_role("button", name="Play this deal")).to_be_visible()
    wrong += check(guest, "deal")
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_the_big_screen(house: House, game: str) -> None:
    host = house.page("Ada", hurried=True)
    path = open_table(host, game, 2, **({"cards": 5} if game == "stupide_vautour" else {}))
    screen = house.page(viewport={"width": 1920, "height": 1080})
    screen.goto(f"{path}/screen")
    expect(screen.locator(".code")).to_be_visible()
    wrong = check(screen, "screen before a match") if game == "stupide_vautour" else []
    start_button(host).click()
    expect(screen.locator(".board[inert]")).to_be_visible()
    wrong += check(screen, f"screen of {game}")
    if game == "stupide_vautour":
        finish(host, path)
        expect(screen.locator(".crown").first).to_be_visible()
        wrong += check(screen, "end on the screen")
    assert wrong == []


def test_being_oneself_on_another_device(house: House) -> None:
    token = house.page("Ada").request.post("/api/me/recovery").json()["token"]
    page = house.page("Bob")
    page.goto(f"/r#{token}x")
    page.get_by_role("button", name="Yes, that’s me").click()
    expect(page.get_by_role("alert")).to_be_visible()
    wrong = check(page, "recover with half a link")
    page.goto(f"/r#{token}")
    expect(page.get_by_text("You will no longer be Bob")).to_be_visible()
    wrong += check(page, "recover")
    page.get_by_role("button", name="Yes, that’s me").click()
    expect(page.get_by_role("button", name="Ada")).to_be_visible()
    assert wrong == []


def test_the_curtain_and_a_lost_connection(house: House) -> None:
    page = house.page("Ada")
    open_table(page, "stupide_vautour", 2)
    page.get_by_role("button", name="Add somebody on this device").click()
    wrong = check(page, "somebody beside")
    page.get_by_label("Name of this person").fill("Bob")
    page.keyboard.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
    start_button(page).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    wrong += check(page, "curtain")
    page.get_by_role("button", name="I am Ada").click()
    page.context.set_offline(True)
    expect(page.get_by_text("Connection lost")).to_be_visible()
    wrong += check(page, "lost connection")
    assert wrong == []


def test_a_hint(house: House) -> None:
    page = house.page("Ada")
    open_match(page, "ubongo", 1, time_limit=0)
    play_one("ubongo", page, 0)
    expect(page.locator("button.stop")).to_be_enabled()
    page.get_by_role("button", name="Hint").click()
    panel = page.get_by_role("region", name="Hint")
    expect(panel).to_contain_text("Begin with card")
    wrong = check(page, "hint")
    page.set_viewport_size(PHONE["viewport"])
    wrong += check(page, "hint on a phone")
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_every_game(house: House, game: str) -> None:
    page = house.page("Ada", hurried=True)
    path = open_match(page, game, 2, **({"time_limit": 0} if game == "ubongo" else {}))
    expect(page.locator("p.prompt.ours")).to_be_visible()
    wrong = check(page, f"{game} begins")
    for tab in ("Chat", "Rules"):
        page.get_by_role("tab", name=tab).click()
        wrong += check(page, tab)
    for move in range(3):
        expect(page.locator("p.prompt.ours")).to_be_visible()
        play_one(game, page, move)
        wrong += check(page, f"{game} after move {move}")
    phone = house.page("Bob", **PHONE)
    phone.goto(path)
    expect(phone.get_by_role("list", name="Players")).to_be_visible()
    wrong += check(phone, f"{game} watched on a phone")
    phone.get_by_role("button", name="Chat").tap()
    wrong += check(phone, "sheet on a phone")
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_the_result_of_every_game(house: House, game: str) -> None:
    page = house.page("Ada", hurried=True)
    finish(page, open_match(page, game, SEATS[game]))
    expect(result(page)).to_have_text(
        re.compile("wins|Shared victory|Score: |perfect|Nobody|points in")
    )
    wrong = check(page, f"{game} is over")
    more = open_more(page)
    wrong += check(page, "all about the match")
    more.get_by_role("button", name="Verify the shuffle").click()
    expect(page.get_by_role("dialog")).to_contain_text(re.compile("draw is fair|draws are fair"))
    wrong += check(page, "verify")
    page.keyboard.press("Escape")
    expect(result(page)).to_be_visible()
    assert wrong == []
