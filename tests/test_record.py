"""A state is declared once and lives three lives."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludotheque.engine import Record, grid, number, row
from ludotheque.engine.record import (
    Field,
    Kind,
    a_seat,
    by_seat,
    one_of,
    row_of,
    set_of,
    set_of_seats,
)


class Sample(Record):
    stake: int = number(-15, 55)
    far: int = number(0, 1 << 40)
    bids: list[int] = row(3, -1, 15)
    hands: list[list[int]] = grid(2, 4, 0, 300)


def sample(values: list[int]) -> Sample:
    s = Sample()
    s.stake, s.far, *rest = values
    s.bids = rest[:3]
    s.hands = [rest[3:7], rest[7:11]]
    return s


SAMPLES = st.tuples(
    st.integers(-15, 55),
    st.integers(0, 1 << 40),
    *[st.integers(-1, 15)] * 3,
    *[st.integers(0, 300)] * 8,
).map(lambda values: sample(list(values)))


def test_a_blank_record_is_all_zero() -> None:
    assert Sample().to_json() == {
        "stake": 0,
        "far": 0,
        "bids": [0, 0, 0],
        "hands": [[0, 0, 0, 0], [0, 0, 0, 0]],
    }


@given(SAMPLES)
def test_json_gives_the_same_state(s: Sample) -> None:
    assert Sample.from_json(json.loads(json.dumps(s.to_json()))) == s


@given(SAMPLES)
def test_a_numpy_record_gives_the_same_state(s: Sample) -> None:
    array = np.zeros(2, Sample.dtype())
    s.store(array[1])
    assert Sample.fetch(array[1]) == s
    assert Sample.fetch(array[0]) == Sample()


@given(SAMPLES)
def test_a_copy_is_equal_and_apart(s: Sample) -> None:
    twin = s.copy()
    assert twin == s
    assert twin.key() == s.key()
    twin.hands[0][0] += 1
    assert twin != s
    assert twin.key() != s.key()


@given(SAMPLES)
def test_json_is_apart_from_its_state(s: Sample) -> None:
    before, data = s.copy(), s.to_json()
    data["bids"][0] += 1
    data["hands"][0][0] += 1
    assert s == before


def test_rows_and_grids_may_hold_one_number() -> None:
    class Small(Record):
        bids: list[int] = row(1, 0, 9)
        hands: list[list[int]] = grid(1, 1, 0, 9)

    assert Small.from_json({"bids": [7], "hands": [[8]]}).to_json() == {"bids": [7], "hands": [[8]]}


def test_a_field_is_an_attribute_of_states_alone() -> None:
    assert hasattr(Sample(), "stake")
    assert not hasattr(Sample, "stake")


def test_a_record_is_aligned() -> None:
    assert Sample.dtype().isalignedstruct


@pytest.mark.parametrize(
    ("bits", "width", "wider"), [(7, "i1", "i2"), (15, "i2", "i4"), (31, "i4", "i8")]
)
def test_a_width_holds_what_its_bits_hold_and_no_more(bits: int, width: str, wider: str) -> None:
    most = 1 << bits
    assert Field((), -most, most - 1).width == width
    assert Field((), 0, most).width == wider
    assert Field((), -most - 1, 0).width == wider


def test_the_widest_field_has_64_bits() -> None:
    assert Field((), -(1 << 63), (1 << 63) - 1).width == "i8"


def test_fields_take_the_narrowest_width_that_holds_their_range() -> None:
    dtype = Sample.dtype()
    widths = {name: dtype[name].base.str for name in Sample.FIELDS}
    assert widths == {"stake": "|i1", "far": "<i8", "bids": "|i1", "hands": "<i2"}


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("stake", 56, "stake = 56 is not one whole number from -15 to 55"),
        ("stake", True, "stake = True is not one whole number from -15 to 55"),
        ("bids", [0, 0], "bids = [0, 0] is not 3 whole numbers from -1 to 15"),
        ("bids", [0, 0, -2], "bids = [0, 0, -2] is not 3 whole numbers from -1 to 15"),
    ],
)
def test_a_value_out_of_range_is_named(field: str, value: object, fault: str) -> None:
    data = Sample().to_json() | {field: value}
    with pytest.raises(ValueError, match="in a state") as error:
        Sample.from_json(data)
    assert str(error.value) == f"in a state, {fault}"


@pytest.mark.parametrize("data", [{}, [], None, {"stake": 0}])
def test_json_with_other_fields_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="exactly the fields stake, far, bids, hands"):
        Sample.from_json(data)


def test_a_range_must_hold_zero() -> None:
    with pytest.raises(TypeError, match="a blank field is 0"):
        number(1, 5)
    assert Field((), 0, 0).fits(0)


def test_a_range_must_fit_in_64_bits() -> None:
    class Wide(Record):
        field: int = number(0, 1 << 63)

    with pytest.raises(TypeError, match="no 64-bit field"):
        Wide.dtype()


class Kinds(Record):
    """One field of every kind."""

    points: int = number(-5, 10)
    card: int = one_of(-1, 14)
    pile: int = set_of(15)
    turn: int = a_seat(4, -2)
    ready: int = set_of_seats(4)
    hands: list[int] = by_seat(4, set_of(15))
    faces: list[list[int]] = by_seat(4, row_of(3, one_of(0, 11)))


def test_a_field_says_what_its_numbers_stand_for_and_how_far_they_go() -> None:
    assert {
        "points": Field((), -5, 10, Kind.AMOUNT, by_seat=False),
        "card": Field((), -1, 14, Kind.ONE_OF, by_seat=False),
        "pile": Field((), 0, 0x7FFF, Kind.SET, by_seat=False),
        "turn": Field((), -2, 3, Kind.SEAT, by_seat=False),
        "ready": Field((), 0, 0b1111, Kind.SEATS, by_seat=False),
        "hands": Field((4,), 0, 0x7FFF, Kind.SET, by_seat=True),
        "faces": Field((4, 3), 0, 11, Kind.ONE_OF, by_seat=True),
    } == Kinds.FIELDS


def test_a_number_is_an_amount_of_no_seat_unless_it_says_so() -> None:
    field = Field((), 0, 1)
    assert (field.kind, field.by_seat) == (Kind.AMOUNT, False)
