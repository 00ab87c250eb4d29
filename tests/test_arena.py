"""Bots against bots: fair, repeatable, with honest intervals."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from ludotheque import cli
from ludotheque.bots.bot import Bot
from ludotheque.bots.chaotic import Chaotic
from ludotheque.bots.roster import CHAOTIC, REGULAR
from ludotheque.engine.game import Game, load
from ludotheque.engine.refused import Refused
from ludotheque.lab.arena import Contest, arena, run
from ludotheque.lab.pieces import Saved, on_processes

NOW = version("ludotheque")


def contest(slug: str, *bots: str, seed: int = 1, **options: object) -> Contest:
    return Contest(slug, bots, options, seed, team=2)


def table(slug: str, *bots: str, matches: int, jobs: int = 1, seed: int = 1) -> list[Any]:
    standings = arena(contest(slug, *bots, seed=seed), matches, jobs)
    return [standing.to_json() for standing in standings]


@pytest.mark.parametrize("slug", ["stupide_vautour", "up_and_down", "whats_up"])
def test_the_same_seed_gives_the_same_standings(slug: str) -> None:
    once, again = (table(slug, REGULAR, CHAOTIC, matches=8) for _ in range(2))
    assert once == again


def test_another_seed_gives_others() -> None:
    assert table("stupide_vautour", REGULAR, CHAOTIC, matches=8, seed=2) != table(
        "stupide_vautour", REGULAR, CHAOTIC, matches=8, seed=3
    )


def test_it_does_not_matter_how_many_processes_share_the_work() -> None:
    alone = table("stupide_vautour", REGULAR, CHAOTIC, matches=6)
    assert table("stupide_vautour", REGULAR, CHAOTIC, matches=6, jobs=2) == alone


def test_every_bot_plays_every_deal_in_every_seat() -> None:
    """On one deal three equal bots sit once in each seat, so they share what the seats bring."""
    played = contest("stupide_vautour", *[CHAOTIC] * 3).matches_of(0)
    assert len(played) == 3
    assert all(sum(match.wins) == pytest.approx(1) for match in played)


def test_the_better_bot_has_more_wins_points_and_rating() -> None:
    better, worse = arena(contest("stupide_vautour", REGULAR, CHAOTIC), 60)
    assert better.wins.low > 0.5 > worse.wins.high
    assert better.score.mean > worse.score.mean
    assert better.rating > worse.rating
    assert better.wins.mean + worse.wins.mean == pytest.approx(1)


def test_what_always_happened_is_not_certain() -> None:
    better, worse = arena(contest("whats_up", REGULAR, CHAOTIC), 10)
    assert better.wins.mean == 1
    assert [better.wins.low, better.wins.high] == pytest.approx([1 - 3 / 5, 1])
    assert [worse.wins.low, worse.wins.high] == pytest.approx([0, 3 / 5])


def test_teams_play_the_same_deals_each_for_itself() -> None:
    better, worse = arena(contest("team_up", REGULAR, CHAOTIC), 3)
    assert better.score.mean > worse.score.mean
    assert better.wins.mean == 1


@pytest.mark.parametrize(
    ("bots", "error"),
    [
        (("master", "wizard"), "there is no bot 'wizard'; the bots are: novice, regular"),
        (("regular", "nowhere:hire"), "bot 'nowhere:hire' cannot be hired: No module named"),
        (("regular", "math:pi"), "bot 'math:pi' cannot be hired: pi is not a function"),
        (("regular",), "an arena compares 2 or more bots, found 1"),
        (("regular",) * 6, "stupide_vautour is for 2 to 5 seats, not 6"),
    ],
)
def test_what_cannot_be_played_is_refused(bots: tuple[str, ...], error: str) -> None:
    with pytest.raises(Refused, match=error):
        arena(contest("stupide_vautour", *bots), 2)


def test_a_contest_that_was_saved_goes_on(tmp_path: Path) -> None:
    whole = table("stupide_vautour", REGULAR, CHAOTIC, matches=8)
    path, saving = tmp_path / "run", contest("stupide_vautour", REGULAR, CHAOTIC)
    with Saved(path, saving.header) as saved:
        run(saving, 4, on_processes(1), saved=saved)
    with Saved(path, saving.header) as saved:
        assert sorted(saved.results) == [0, 1]
        resumed = run(saving, 8, on_processes(1), saved=saved)
    assert [standing.to_json() for standing in resumed] == whole


@pytest.mark.parametrize(
    ("rules", "package", "complaint"),
    [
        (2, NOW, "its rules version is 1, not 2"),
        (1, "9.9", f"its package version is '{NOW}', not '9.9'"),
        (2, "9.9", f"its rules version is 1, not 2, its package version is '{NOW}', not '9.9'"),
    ],
)
def test_a_contest_of_other_rules_or_bots_is_another_run(
    rules: int, package: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run"
    command = ["arena", "stupide_vautour", "--bots", "novice,chaotic", "--matches", "4"]
    command += ["--jobs", "1", "--save", str(path)]
    assert CliRunner().invoke(cli.app, command).exit_code == 0
    before = path.read_text()
    monkeypatch.setattr(load("stupide_vautour"), "version", rules)
    monkeypatch.setattr("ludotheque.lab.arena.version", lambda package_name: package)
    error = CliRunner().invoke(cli.app, command).exception
    assert str(error) == f"{path} is another run: {complaint}; name another file"
    assert path.read_text() == before


def miser(kind: str, game: Game, seat: int, rng: Random) -> Bot:
    return Chaotic(rng.randrange(100))


def test_a_bot_from_elsewhere_is_named_by_module_and_function() -> None:
    standings = arena(contest("stupide_vautour", REGULAR, f"{__name__}:miser"), 4)
    assert [standing.bot for standing in standings] == [REGULAR, f"{__name__}:miser"]


def test_the_command_prints_json() -> None:
    arguments = ["arena", "stupide_vautour", "--bots", "regular, chaotic", "--matches", "4"]
    start = "from ludotheque.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", start, *arguments, "--json"], capture_output=True, check=True
    )
    standings = json.loads(done.stdout)
    assert [standing["bot"] for standing in standings] == [REGULAR, CHAOTIC]
    assert {"mean", "low", "high"} == set(standings[0]["wins"])
