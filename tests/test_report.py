"""A designer's report: every question has an answer, and no plot shows noise."""

from pathlib import Path
from random import Random

import pytest

from ludotheque.bots import roster
from ludotheque.engine.game import load, slugs
from ludotheque.engine.refused import Refused
from ludotheque.lab.estimate import Estimate, share_of
from ludotheque.lab.report.finding import Finding, Plot, if_beyond_noise
from ludotheque.lab.report.page import write_report
from ludotheque.lab.report.sample import Sample
from ludotheque.lab.report.survey import Plan, Survey, by_match

PLAN = Plan((2, 3), games=400, sample=10, contests=0, level="regular", seed=3, jobs=1)
SMALL = Plan((2, 4), games=100, sample=10, contests=0, level="novice", seed=3, jobs=1)


def plot(*bars: tuple[float, float], even: float | None = None) -> Plot:
    found = {str(n): Estimate((low + high) / 2, low, high) for n, (low, high) in enumerate(bars)}
    return Plot("group", "share", {"": found}, even)


def test_bars_whose_intervals_meet_are_not_plotted() -> None:
    finding = if_beyond_noise("Why?", "Because.", plot((0.2, 0.4), (0.3, 0.5)))
    assert finding == Finding("Why?", "No difference beyond the noise (±0.11) was found.")


def test_bars_that_are_all_the_same_are_said_to_be() -> None:
    finding = if_beyond_noise("Why?", "Because.", plot((0.2, 0.2), (0.2, 0.2)))
    assert finding == Finding("Why?", "No: there is no difference at all.")


def test_the_more_bars_there_are_the_further_apart_they_must_stand() -> None:
    apart, between = ((0.1, 0.2), (0.205, 0.305)), (0.15, 0.25)
    assert if_beyond_noise("Why?", "Because.", plot((0.1, 0.2), (0.215, 0.315))).plot is not None
    assert if_beyond_noise("Why?", "Because.", plot(*apart)).plot is None
    wider = ((0.1, 0.2), (0.23, 0.33))
    assert if_beyond_noise("Why?", "Because.", plot(*wider)).plot is not None
    assert if_beyond_noise("Why?", "Because.", plot(*wider, *[between] * 30)).plot is None


def test_chance_alone_hardly_ever_makes_a_plot() -> None:
    """Forty equal dice, thrown a hundred times each, again and again."""
    rng = Random(5)
    plots = 0
    for _ in range(100):
        throws = [[float(rng.random() < 1 / 6) for _ in range(100)] for _ in range(40)]
        bars = {str(number): share_of(seen) for number, seen in enumerate(throws)}
        plots += if_beyond_noise("", "", Plot("", "", {"": bars})).plot is not None
    assert plots <= 5


def test_series_that_are_apart_are_not_compared_with_each_other() -> None:
    [first] = plot((0.1, 0.2), (0.15, 0.25)).series.values()
    [second] = plot((0.7, 0.8), (0.75, 0.85)).series.values()
    series = {"2 seats": first, "3 seats": second}
    assert if_beyond_noise("", "", Plot("", "", series)).plot is not None
    assert if_beyond_noise("", "", Plot("", "", series, is_apart=True)).plot is None


def test_what_was_observed_in_one_match_counts_once() -> None:
    matches = [
        {"observations": [[0, "", "a", 1.0], [0, "", "a", 0.0], [0, "", "b", 1.0]]},
        {"observations": [[0, "", "a", 1.0]]},
    ]
    assert by_match(matches) == {0: {"": {"a": [0.5, 1.0], "b": [1.0]}}}


def test_bars_that_stand_apart_are_plotted() -> None:
    apart = plot((0.1, 0.2), (0.3, 0.5))
    assert if_beyond_noise("Why?", "Because.", apart) == Finding("Why?", "Because.", apart)


def test_bars_that_stand_apart_from_the_even_share_are_plotted() -> None:
    uneven = plot((0.6, 0.7), (0.65, 0.8), even=0.5)
    assert if_beyond_noise("Why?", "Because.", uneven).plot == uneven


@pytest.mark.parametrize(
    ("slug", "questions"),
    [
        ("stupide_vautour", ["What is bid for each point card?", "Does the option ties change"]),
        ("up_and_down", ["Which cards win tricks?", "Does it matter where you sit, with 3 seats?"]),
    ],
)  # fmt: skip
def test_a_report_answers_its_questions(slug: str, questions: list[str], tmp_path: Path) -> None:
    told: list[str] = []
    page = write_report(Survey(load(slug), PLAN), tmp_path, told.append)
    text = page.read_text()
    for question in questions:
        assert question in text
    assert text.count("<h2>") == len(told) == len(set(told))
    shown = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert all(f'src="{name}"' in text for name in shown)
    assert text.count("<img") == len(shown)


@pytest.mark.parametrize("slug", slugs())
def test_every_game_has_a_report(slug: str, tmp_path: Path) -> None:
    game, told = load(slug), list[str]()
    text = write_report(Survey(game, SMALL), tmp_path, told.append).read_text()
    for option in game.options.values():
        is_asked = f"the option {option.name} change" in text
        assert is_asked == (not option.is_seat and option.of_replay is not True)
    assert "How do matches end?" in told
    assert "How often does each thing happen in a match?" in told
    assert {f"How long is a match, with {seats} seats?" for seats in SMALL.seats} <= set(told)


def test_levels_are_compared_at_every_seat_count_and_the_progress_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(roster, "levels", lambda game: ("novice", "regular"))  # quick ones
    told: list[tuple[int, int]] = []
    plan = Plan((2, 3), games=100, sample=10, contests=4, level="novice", seed=3, jobs=1)
    game = load("stupide_vautour")
    survey = Survey(game, plan, lambda played, total: told.append((played, total)))
    questions = [finding.question for finding in survey.findings()]
    for seats in plan.seats:
        text = f"How much stronger is each level than the one below, with {seats} seats?"
        assert text in questions
    total = 2 * 10 + 2 * 4
    assert told[-1] == (total, total)
    assert [played for played, _ in told] == sorted({played for played, _ in told})


def test_the_same_seed_gives_the_same_sample() -> None:
    sample = Sample("up_and_down", 2, "regular", 5)
    assert sample(1) == sample(1) != sample(2)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Refused, match="file/report cannot hold a report: Not a directory"):
        write_report(Survey(load("stupide_vautour"), PLAN), tmp_path / "file" / "report")
