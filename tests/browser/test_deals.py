"""A deal that is played again: from the result, with another team, by those who follow its link."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from playwright.sync_api import Browser, Page, expect

from browsing import (
    House,
    board,
    do,
    introduce,
    open_match,
    open_more,
    open_table,
    result,
    start_button,
)
from people import Server

CHALLENGE = "challenge: the same deal again"
COMPETITION = "competition: reach the score of another team"
PUZZLE = "puzzle: cards in order"
CARDS = 5  # of a short match of Stupide Vautour


def stop(path: str, *pages: Page) -> None:
    """Begin, and agree to stop at once."""
    start_button(pages[0]).click()
    expect(board(pages[0])).to_be_visible()
    end(path, *pages)


def end(path: str, *pages: Page) -> None:
    for number, page in enumerate(pages):
        do(page, path, "play", move="agree" if number else "stop", seat=None)
    for page in pages:
        expect(result(page)).to_be_visible()


def sit_down(page: Page, path: str) -> None:
    page.goto(path)
    page.get_by_role("button", name="Sit down").first.click()
    expect(page.get_by_role("button", name="Sit down")).to_have_count(0)


def play_the_same_deal(page: Page) -> None:
    page.get_by_role("button", name="Same deal again").click()
    expect(page.locator("main")).to_contain_text("Same deal as before")


def test_the_same_team_is_challenged_and_another_one_competes(house: House) -> None:
    ann, bob, eve = house.page("Ann"), house.page("Bob"), house.page("Eve")
    path = open_table(ann, "team_up", 2)
    sit_down(bob, path)
    stop(path, ann, bob)
    play_the_same_deal(ann)
    for page in (ann, bob):
        expect(page.locator("main")).to_contain_text(CHALLENGE)
        expect(page.locator("main")).to_contain_text("Played so far: Ann and Bob")
    do(bob, path, "leave")
    sit_down(eve, path)
    for page in (ann, eve):
        expect(page.locator("main")).to_contain_text(COMPETITION)
    stop(path, ann, eve)
    expect(result(eve)).to_contain_text("You matched the target")
    play_the_same_deal(ann)
    expect(ann.locator("main")).to_contain_text(CHALLENGE)
    stop(path, ann, eve)
    expect(result(ann)).to_contain_text("You matched the target")


def test_a_puzzle_played_again_is_the_puzzle(house: House) -> None:
    ann = house.page("Ann")
    path = open_match(ann, "team_up", 1, mode="puzzle")
    end(path, ann)
    play_the_same_deal(ann)
    expect(ann.locator("main")).to_contain_text(PUZZLE)
    stop(path, ann)
    expect(result(ann)).to_contain_text("The puzzle keeps its secret")


def test_who_follows_the_link_of_a_deal_plays_it_for_the_score_to_reach(house: House) -> None:
    ann, bob = house.page("Ann"), house.page()
    path = open_match(ann, "team_up", 1)
    end(path, ann)
    open_more(ann).get_by_role("button", name="Challenge others with this deal").click()
    link = ann.get_by_role("dialog").get_by_text("/deal/")
    bob.goto("/deal/" + link.inner_text().strip().rsplit("/", 1)[1])
    expect(bob.get_by_role("heading", name="Play the same deal")).to_be_visible()
    expect(bob.get_by_role("list", name="Who has played it")).to_contain_text("Ann")
    bob.get_by_role("button", name="Play this deal").click()
    introduce(bob, "Bob")
    expect(bob.locator("main")).to_contain_text("A deal that others have played")
    expect(bob.locator("main")).to_contain_text(COMPETITION)
    stop(bob.url.removeprefix(f"http://{house.server.address}"), bob)
    expect(result(bob)).to_contain_text("You matched the target")


def test_a_match_on_a_known_deal_does_not_count_among_those_won(house: House) -> None:
    ann = house.page("Ann", hurried=True)
    path = open_table(ann, "stupide_vautour", 2, cards=CARDS)
    do(ann, path, "sit", name="Bo")
    start_button(ann).click()
    play_both_seats(ann, path)
    ann.get_by_role("button", name="Play again").click()
    play_both_seats(ann, path)
    play_the_same_deal(ann)
    start_button(ann).click()
    play_both_seats(ann, path)
    more = open_more(ann)
    expect(more).to_contain_text("Matches won at this table")
    expect(more).to_contain_text("A match on the same deal again does not count.")


def play_both_seats(page: Page, path: str) -> None:
    expect(result(page)).to_be_hidden()
    expect(board(page)).to_be_visible()
    for card in range(1, CARDS + 1):
        for seat in (0, 1):
            do(page, path, "play", move=card, seat=seat)
    expect(result(page)).to_be_visible()


def test_a_link_of_no_deal_says_so(house: House) -> None:
    page = house.page()
    page.goto("/deal/nowhere")
    expect(page.get_by_role("heading", name="There is no such deal")).to_be_visible()


def test_a_damaged_table_says_so_and_the_others_go_on(
    browser: Browser, mortal_server: Server
) -> None:
    house = House(browser, mortal_server)
    page = house.page("Ann")
    good, bad = (open_table(page, "stupide_vautour", 2) for _ in range(2))
    page.goto("about:blank")
    mortal_server.kill()
    with closing(sqlite3.connect(mortal_server.data / "tables.sqlite")) as connection, connection:
        damaged = "UPDATE events SET body = '{' WHERE \"table\" = ?"
        connection.execute(damaged, (bad.removeprefix("/t/"),))
    mortal_server.start()
    for path in (bad, f"{bad}/screen"):
        page.goto(path)
        expect(page.get_by_text("Its record is damaged.")).to_be_visible()
    page.goto(good)
    expect(start_button(page)).to_be_visible()
    house.close()
    assert house.errors == []
