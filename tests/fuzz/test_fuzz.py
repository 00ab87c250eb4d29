"""No input leads to a traceback, a 500 or growth: it is taken, or refused in words."""

from __future__ import annotations

import gc
import resource
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.mutations import mutated
from fuzz.strategies import like
from fuzz.targets import TARGETS, corpus, parsed, seeds

PAGE_BYTES = resource.getpagesize()
INPUTS = 400  # of each target
# In the long run, a million in all, most of them where they cost little.
LONG = {
    "decks": 250_000,
    "sets": 250_000,
    "match_files": 150_000,
    "socket_messages": 150_000,
    "socket_frames": 60_000,
}
LONG_OTHERS = 70_000
NOTHING = (b"", b"null", b"[]", b"{}", b"\xff", b"[" * 50_000)
ROUND, ROUNDS = 100, 4  # inputs, and how often they are tried
GROWTH_BYTES = 250_000  # from the end of the first round to that of the third or fourth
GROWTH_MB = 16.0  # of the process, after the first quarter of all inputs
EXAMPLES, LONG_EXAMPLES = 50, 5000


def memory() -> float:
    """What the process uses, in MB."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES / 1e6


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
        before = memory()
        for number in range(count):
            if number == count // 4:  # by then what is kept anyway is there
                before = memory()
            rng = Random(f"{target} {number}")
            try:
                take(mutated(rng.choice(right), rng))
            except Exception as error:
                raise AssertionError(f"input {number} of {target}: {error!r}") from error
        grown = memory() - before
    assert grown < GROWTH_MB, f"{count} inputs of {target} left {grown:.1f} MB"
    record_property("counted", f"{count} wrong inputs of {target}, {grown:+.1f} MB")


@pytest.mark.parametrize("target", TARGETS)
def test_wrong_input_leaves_nothing_behind(target: str, tmp_path: Path) -> None:
    """The same inputs again and again: the first time they fill what is kept anyway."""
    right, sizes = seeds(target), []
    texts = []
    for number in range(ROUND):
        rng = Random(f"growth {number}")
        texts.append(mutated(rng.choice(right), rng))
    with TARGETS[target](tmp_path) as take:
        tracemalloc.start()
        for _ in range(ROUNDS):
            for text in texts:
                take(text)
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    assert min(sizes[2:]) - sizes[0] < GROWTH_BYTES, sizes


DRAWN = ("match_files", "decks", "sets", "lessons", "invitations")


@pytest.mark.parametrize("target", DRAWN)
def test_data_of_the_right_shape_is_taken_or_refused(
    target: str, tmp_path: Path, is_long: bool
) -> None:
    examples = [parsed(text) for text in seeds(target)]
    with TARGETS[target](tmp_path) as take:

        @settings(max_examples=LONG_EXAMPLES if is_long else EXAMPLES, derandomize=not is_long)
        @given(st.sampled_from(examples).flatmap(like))
        def expect_words(text: bytes) -> None:
            take(text)

        expect_words()
