"""The learner of docs/equilibrium.md learns to play better than our regular bot."""

import importlib.util
import sys
from types import ModuleType

import pytest

from ludotheque.engine.game import load
from pages import ROOT

OPTIONS = {"cards": 4, "open_discards": True, "open_scores": True}


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "example_learner", ROOT / "docs" / "example_learner.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["example_learner"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_it_has_learnt_beats_a_regular_and_what_it_has_not_does_not(
    example: ModuleType,
) -> None:
    learner = example.Learner(load("stupide_vautour"), OPTIONS)
    before = example.against(learner, "regular", 200)
    learner.learn(20_000)
    after = example.against(learner, "regular", 200)
    assert before.high < 0.5 < after.low
    assert before.mean < 0.45
    assert after.mean > 0.7
