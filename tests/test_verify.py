"""What chance drew can be computed again by everyone."""

from typing import Any

import pytest

from ludotheque.engine import chance
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import replay
from ludotheque.engine.refused import Refused
from ludotheque.engine.verify import Verified, verify

GAME = load("stupide_vautour")
SEEDS = Seeds(bytes(32), (bytes(16),))


def finished(**given: Any) -> Match:
    match = Match(GAME, 2, **({"seeds": SEEDS} | given))
    while not match.is_over:
        seat = match.awaited()[0]
        match.play(seat, match.legal_moves(seat)[0])
    return match


def test_a_match_that_drew_from_its_seeds_is_verified() -> None:
    data = finished().to_json()
    assert verify(replay(data)) == Verified(
        15, 0, chance.commitment(SEEDS.server), len(SEEDS.clients)
    )


def test_moves_fixed_by_the_deal_are_counted_apart() -> None:
    assert verify(finished(deal=["+6", "-2"]))[:2] == (13, 2)


def test_the_first_draw_that_does_not_follow_is_named() -> None:
    data = finished().to_json()
    draws = [n for n, (seat, _) in enumerate(data["moves"]) if seat == -1]
    third, fourth = draws[2:4]
    moves = data["moves"]
    found, expected = moves[fourth][1], moves[third][1]
    moves[third], moves[fourth] = moves[fourth], moves[third]
    with pytest.raises(Refused) as error:
        verify(replay(data))
    assert str(error.value) == (
        f"move {third + 1} does not follow from the seeds: draw 2 gives {expected}, found {found}"
    )


@pytest.mark.parametrize(
    "seeds",
    [
        {"server": "01" * 32, "clients": ["00" * 16]},
        {"server": "00" * 32, "clients": []},
        {"server": "00" * 32, "clients": ["01" * 16]},
    ],
)
def test_other_seeds_are_found_out(seeds: object) -> None:
    with pytest.raises(Refused, match=r"move \d+ does not follow from the seeds"):
        verify(replay(finished().to_json() | {"seeds": seeds}))


def test_a_match_without_seeds_cannot_be_verified() -> None:
    data = finished().to_json()
    del data["seeds"]
    with pytest.raises(Refused, match="the match has no seeds"):
        verify(replay(data))


def test_a_match_that_is_not_over_cannot_be_verified() -> None:
    with pytest.raises(Refused, match="the match is not over"):
        verify(Match(GAME, 2, seeds=SEEDS))
