"""Options are checked before a match begins."""

import pytest

from ludotheque.engine import choice, count_or, flag, seat_or_chance, whole
from ludotheque.engine.game import load
from ludotheque.engine.option import Option

TIES = choice("ties", "second best", "unmatched")
OPEN = flag("open")
LIMIT = whole("limit", 0, 3600, 60)
FIRST = seat_or_chance("first", 4)
DEALS = count_or("deals", "one per seat", 10)


@pytest.mark.parametrize(
    ("option", "value", "code"),
    [
        (TIES, "unmatched", 1),
        (OPEN, True, 1),
        (LIMIT, 90, 90),
        (FIRST, -1, -1),
        (FIRST, 3, 3),
        (DEALS, "one per seat", 0),
        (DEALS, 1, 1),
        (DEALS, 10, 10),
    ],
)
def test_a_value_is_held_as_a_number(option: Option, value: object, code: int) -> None:
    assert option.encode(value) == code
    assert option.decode(code) == value


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        (TIES, "third", "'second best' or 'unmatched'"),
        (TIES, 1, "'second best' or 'unmatched'"),
        (OPEN, 1, "true or false"),
        (LIMIT, 3601, "a whole number from 0 to 3600"),
        (LIMIT, True, "a whole number from 0 to 3600"),
        (LIMIT, "60", "a whole number from 0 to 3600"),
        (DEALS, 0, "'one per seat' or a whole number from 1 to 10"),
        (DEALS, 11, "'one per seat' or a whole number from 1 to 10"),
        (DEALS, True, "'one per seat' or a whole number from 1 to 10"),
        (DEALS, "one", "'one per seat' or a whole number from 1 to 10"),
    ],
)
def test_another_value_is_refused_and_what_was_expected_is_said(
    option: Option, value: object, expected: str
) -> None:
    with pytest.raises(ValueError, match=f"option {option.name} is {value!r}, expected") as error:
        option.encode(value)
    assert expected in str(error.value)


def test_a_seat_must_exist_in_the_match() -> None:
    assert FIRST.encode(1, seats=2) == 1
    with pytest.raises(ValueError, match="a seat from 0 to 1, or -1 to draw one"):
        FIRST.encode(2, seats=2)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (TIES, "unmatched", "unmatched"),
        (OPEN, "yes", True),
        (OPEN, "False", False),
        (LIMIT, "90", 90),
        (DEALS, "7", 7),
        (DEALS, "one per seat", "one per seat"),
    ],
)
def test_people_type_values_as_text(option: Option, text: str, value: object) -> None:
    assert option.parse(text) == value


@pytest.mark.parametrize(
    ("option", "text"),
    [(TIES, "x"), (OPEN, "maybe"), (LIMIT, "soon"), (DEALS, "0"), (DEALS, "yes")],
)
def test_text_that_is_no_value_is_refused(option: Option, text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        option.parse(text)


MODE = choice("mode", "normal", "challenge", "puzzle", of_replay=("challenge",))
TARGET = whole("target", 0, 25, 0, of_replay=True)


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        (MODE, "normal", False),
        (MODE, "challenge", True),
        (MODE, "puzzle", False),
        (TARGET, 0, False),
        (TARGET, 1, True),
        (LIMIT, 1, False),
        (TIES, "unmatched", False),
    ],
)
def test_some_values_are_for_a_replay_alone(option: Option, value: object, expected: bool) -> None:
    assert option.is_of_replay(value) is expected


def test_a_value_of_a_replay_keeps_its_place_among_the_values() -> None:
    assert [MODE.encode(value) for value in ("normal", "challenge", "puzzle")] == [0, 1, 2]


def test_defaults_are_the_first_choice_and_off() -> None:
    defaults = [option.default for option in (TIES, OPEN, LIMIT, FIRST, DEALS)]
    assert defaults == ["second best", False, 60, -1, "one per seat"]
    assert flag("fair", default=True).default is True


def test_what_an_earlier_version_stored_is_read_as_it_was_meant() -> None:
    countdown = whole("countdown", 0, 10, 3, absent=0)
    deals = count_or("deals", "one per seat", 10, former=(("one", 1),))
    assert [countdown.restore(stored) for stored in ({}, {"countdown": 5})] == [0, 5]
    assert LIMIT.restore({}) == LIMIT.default
    restored = [deals.restore({"deals": value}) for value in ("one", "one per seat", 3)]
    assert restored == [1, "one per seat", 3]


def test_a_game_without_a_word_on_it_is_played_again_with_the_same_options() -> None:
    game = load("stupide_vautour")
    options = game.complete({"ties": "unmatched"}, 2)
    assert game.options_again(options, 12, is_same_team=False) == options
    game.refuse_replay_options(options)
