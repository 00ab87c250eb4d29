"""No input leads to a traceback, a 500 or growth: it is taken, or refused in words."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from fuzz.mutations import mutated
from fuzz.targets import TARGETS, corpus, seeds

INPUTS = 400  # of each target
# In the long run, a million in all, most of them where they cost little.
LONG = {"decks": 250_000, "sets": 250_000, "lessons": 100_000, "http_requests": 100_000}
LONG_OTHERS = 150_000
NOTHING = (b"", b"null", b"[]", b"{}", b"\xff", b"[" * 50_000)
GROWTH_BYTES = 20_000_000


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_once_tried_is_taken_or_refused(target: str, tmp_path: Path) -> None:
    with TARGETS[target](tmp_path) as take:
        for text in (*seeds(target), *corpus(target), *NOTHING):
            take(text)


@pytest.mark.parametrize("target", TARGETS)
def test_wrong_versions_of_right_input_are_taken_or_refused(
    target: str, tmp_path: Path, is_long: bool, record_property: Callable[[str, object], None]
) -> None:
    """The number of an input is its seed, so that the same input can be tried again."""
    right = seeds(target)
    count = LONG.get(target, LONG_OTHERS) if is_long else INPUTS
    with TARGETS[target](tmp_path) as take:
        for number in range(count):
            rng = Random(f"{target} {number}")
            try:
                take(mutated(rng.choice(right), rng))
            except Exception as error:
                raise AssertionError(f"input {number} of {target}: {error!r}") from error
    record_property("counted", f"{count} wrong inputs of {target}")


def test_wrong_input_leaves_nothing_behind(tmp_path: Path) -> None:
    """Messages at a table and requests to the server; the first ones fill what is kept anyway."""
    for target in ("socket_messages", "http_requests"):
        right = seeds(target)
        with TARGETS[target](tmp_path) as take:
            sizes = []
            tracemalloc.start()
            for number in range(600):
                rng = Random(f"growth {number % 200}")
                take(mutated(rng.choice(right), rng))
                if number in (199, 599):
                    sizes.append(tracemalloc.get_traced_memory()[0])
            tracemalloc.stop()
        assert sizes[1] - sizes[0] < GROWTH_BYTES
