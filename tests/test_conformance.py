"""Every game, at every seat count, obeys what all games obey."""

import pytest

from ludotheque.engine import conformance
from ludotheque.engine.game import load, slugs

CASES = [(slug, seats) for slug in slugs() for seats in load(slug).seats]


@pytest.mark.parametrize("name", conformance.CHECKS)
@pytest.mark.parametrize(("slug", "seats"), CASES)
def test_conformance(slug: str, seats: int, name: str) -> None:
    conformance.run(load(slug), seats, name)
