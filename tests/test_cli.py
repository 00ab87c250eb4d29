"""The command, as a person or a script meets it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludotheque import cli, language
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read
from ludotheque.engine.story import told
from ludotheque.engine.words import Words

runner = CliRunner()


def run(*arguments: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", "from ludotheque.cli import main; main()", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


def golden(slug: str) -> Path:
    return sorted((load(slug).folder / "matches").glob("*.json"))[0]


def test_games_are_listed_as_json() -> None:
    result = runner.invoke(cli.app, ["games", "--json", "--lang", "de"])
    listed = json.loads(result.stdout)
    assert tuple(entry["game"] for entry in listed) == slugs()
    assert set(listed[0]) == {"game", "name", "pitch", "rules", "seats", "options"}


def test_games_are_listed_for_people() -> None:
    result = runner.invoke(cli.app, ["games", "--lang", "fr"])
    assert result.exit_code == 0
    for slug in slugs():
        assert slug in result.stdout


@pytest.mark.parametrize("slug", slugs())
def test_replay_prints_the_result(slug: str) -> None:
    path = golden(slug)
    result = runner.invoke(cli.app, ["replay", str(path), "--json"])
    found = json.loads(result.stdout)
    assert found == read(path).result()
    assert set(found) == {"game", "seats", "over", "scores", "winners", "verdict", "moves"}


@pytest.mark.parametrize("slug", slugs())
def test_replay_for_a_seat_tells_only_what_it_saw(slug: str) -> None:
    match = read(golden(slug))
    result = runner.invoke(cli.app, ["replay", str(golden(slug)), "--json", "--seat", "0"])
    found = json.loads(result.stdout)
    assert found["told"] == match.visible_log(0)
    assert found["view"] == match.view(0).to_json()


@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize("lang", ["fr", "en", "de"])
def test_replay_draws_the_board(slug: str, lang: str) -> None:
    result = runner.invoke(cli.app, ["replay", str(golden(slug)), "--lang", lang])
    assert result.exit_code == 0, result.exception
    assert "winners" in result.stdout


def replayed(path: Path, *options: str) -> str:
    """What is printed, without the ends of lines."""
    result = runner.invoke(cli.app, ["replay", str(path), *options])
    assert result.exit_code == 0, result.exception
    return " ".join(result.stdout.split())


@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize("lang", ["fr", "en", "de"])
def test_replay_tells_the_whole_match_as_a_story(slug: str, lang: str) -> None:
    match, words = read(golden(slug)), Words(load(slug), lang)
    names = [language.say(lang, "seat", number=seat + 1) for seat in range(match.seats)]
    last, lines = 0, []
    for chapter, fact in told(match, None):
        if chapter not in (0, last):
            lines.append(words.text("story", "chapter", number=chapter))
        last = chapter
        lines.append(f"{words.fact(fact, names)}.")
    assert len(lines) > 1
    assert replayed(golden(slug), "--lang", lang).startswith(" ".join(" ".join(lines).split()))


def test_replay_tells_a_seat_what_it_was_told() -> None:
    """In a match that is not over, bids of others that are not turned up are left out."""
    match = Match(load("stupide_vautour"), 2, deal=["+5"], seeds=Seeds(bytes(32)))
    match.play(0, 9)
    assert [fact.key for _, fact in told(match, 1)] == ["stake_high"]
    path = load("up_and_down").folder / "matches" / "special-tricks.json"
    printed = replayed(path, "--lang", "en", "--seat", "1")
    assert printed.startswith("Deal 1 Everyone gets 11 cards. ")
    assert " Player 1 takes the trick: " in printed


@pytest.mark.parametrize("slug", slugs())
def test_simulate_counts_wins_and_scores(slug: str) -> None:
    seats = load(slug).seats[0]
    result = runner.invoke(
        cli.app, ["simulate", slug, "--seats", str(seats), "--games", "20", "--json"]
    )
    found = json.loads(result.stdout)
    assert found["games"] == 20
    assert len(found["wins"]) == len(found["mean_scores"]) == seats
    assert found["games_per_second"] > 0
    assert found["moves_per_second"] > found["games_per_second"]
    assert set(found) == {
        "games", "seconds", "games_per_second", "moves_per_second", "wins", "victory_shares",
        "mean_scores", "mean_moves",
    }  # fmt: skip


BAD = [
    (["play", "go"], "there is no game 'go'; the games are: "),
    (["replay", "nowhere.json"], "nowhere.json cannot be read: No such file"),
    (["simulate", "go", "--seats", "2", "--games", "1"], "there is no game 'go'"),
    (["simulate", "stupide_vautour", "--seats", "9", "--games", "1"], "for 2 to 5 seats, not 9"),
    (
        ["simulate", "whats_up", "--seats", "2", "--games", "9", "--out", "table.xlsx"],
        "table.xlsx ends in none of .json, .csv, .parquet",
    ),
    (
        ["simulate", "whats_up", "--seats", "2", "--games", "9", "--on", "moon"],
        "--on is 'moon', expected auto or ray://ADDRESS:PORT",
    ),
    (["play", "stupide_vautour", "--seats", "1"], "for 2 to 5 seats, not 1"),
    (
        ["play", "stupide_vautour", "--people", "7", "--seats", "3"],
        "7 people do not fit at 3 seats",
    ),
    (["play", "stupide_vautour", "-o", "speed=9"], "has no option 'speed'; its options are: ties"),
    (["play", "stupide_vautour", "-o", "ties=x"], "option ties is 'x', expected 'second best'"),
    (["play", "stupide_vautour", "-o", "ties"], "option 'ties' has no value"),
    (["play", "stupide_vautour", "--lang", "it"], "there is no language 'it'"),
    (
        ["play", "team_up", "-o", "mode=challenge"],
        "which only playing an earlier deal again can set",
    ),
    (["play", "stupide_vautour", "--new-team"], "so it needs --again FILE"),
    (["play", "stupide_vautour", "--again", "match.json"], "takes game, options and parts from"),
    (["play", "--again", "nowhere.json"], "nowhere.json cannot be read: No such file"),
    (["verify", "nowhere.json"], "nowhere.json cannot be read: No such file"),
    (["check", "go"], "there is no game 'go'"),
    (["warm", "go"], "there is no game 'go'"),
    (["serve", "--trusted-proxy", "x"], "(from --trusted-proxy), expected addresses or networks"),
]


@pytest.mark.parametrize(("arguments", "complaint"), BAD)
def test_bad_input_exits_2_with_one_sentence(arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert complaint in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr


def test_an_illegal_move_in_a_file_is_named(tmp_path: Path) -> None:
    data = json.loads(golden("stupide_vautour").read_text())
    data["moves"][1] = data["moves"][2]
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(data))
    result = run("replay", str(path))
    assert result.returncode == 2
    assert "move 3: seat 1 may not play" in result.stderr


def test_a_corrupt_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text("{")
    result = run("replay", str(path))
    assert result.returncode == 2
    assert "bad.json is not JSON: line 1, column 2" in result.stderr


def test_check_runs_the_suite_on_one_game() -> None:
    result = runner.invoke(cli.app, ["check", "stupide_vautour"])
    assert result.exit_code == 0
    assert "100 of 100 checks passed" in result.stdout


def test_warm_compiles_a_game() -> None:
    assert runner.invoke(cli.app, ["warm", "stupide_vautour"]).exit_code == 0


def test_warm_for_bots_prints_how_many_steps_are_done() -> None:
    assert runner.invoke(cli.app, ["warm", "stupide_vautour", "--bots"]).stdout == "0 2\n1 2\n2 2\n"
    assert runner.invoke(cli.app, ["warm", "ubongo", "--bots"]).stdout == "0 0\n"


@pytest.mark.parametrize(
    ("locale", "expected"), [("fr_FR.UTF-8", "fr"), ("de_CH", "de"), ("pt_BR", "en"), ("", "en")]
)
def test_the_language_is_that_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, locale: str, expected: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", locale)
    assert language.of_this_machine() == expected


def test_solve_finds_the_largest_layout_of_a_hand(tmp_path: Path) -> None:
    hand = tmp_path / "hand.json"
    hand.write_text('{"round": 6, "cards": [0, 4, 7, 12, 18, 21, 26, 30, 35]}')
    found = json.loads(run("solve", "ubongo", str(hand), "--json").stdout)
    assert (found["most"], found["seven"]) == (8, True)


def test_solve_finds_the_best_pallet_of_a_few_cards(tmp_path: Path) -> None:
    order = tmp_path / "order.json"
    order.write_text('{"cards": [1, 2, 3]}')
    solved = run("solve", "team_up", str(order), "--lang", "fr")
    assert solved.returncode == 0, solved.stderr
    assert "Carte 3" in solved.stdout or "carte 3" in solved.stdout


@pytest.mark.parametrize(
    ("game", "text", "error"),
    [
        ("whats_up", "{}", "there is no solver for whats_up; there are some for: team_up, ubongo"),
        ("ubongo", "[]", "the problem"),
        ("team_up", '{"round": 6}', "the problem has 'round', expected only cards"),
        ("team_up", "{", "is not JSON"),
    ],
)
def test_solve_says_what_is_wrong_with_a_file(
    game: str, text: str, error: str, tmp_path: Path
) -> None:
    file = tmp_path / "problem.json"
    file.write_text(text)
    done = run("solve", game, str(file))
    assert done.returncode == 2
    assert error in done.stderr


# A deal played again, and checked


def saved(tmp_path: Path, name: str, *arguments: str) -> Path:
    """A match played by bots alone."""
    path = tmp_path / f"{name}.json"
    result = run("play", *arguments, "--people", "0", "--bot", "novice", "--save", str(path))
    assert result.returncode == 0, result.stderr
    return path


def cards_of(path: Path) -> list[str]:
    return read(path).chance_moves()


def test_verify_counts_the_draws_and_tells_the_commitment(tmp_path: Path) -> None:
    path = saved(tmp_path, "first", "stupide_vautour", "--seats", "2")
    result = run("verify", str(path))
    assert result.returncode == 0
    assert result.stdout.splitlines() == [
        "15 draws follow from the seeds, 0 were fixed by the deal",
        f"commitment of the server seed: {read(path).commitment}",
        "compare it with the one that was shown before the match",
        "no player added a seed: the server alone chose the shuffle",
    ]


def test_verify_names_the_first_draw_that_does_not_follow(tmp_path: Path) -> None:
    path = saved(tmp_path, "first", "stupide_vautour", "--seats", "2")
    data = json.loads(path.read_text())
    data["seeds"]["server"] = "ab" * 32
    path.write_text(json.dumps(data))
    result = run("verify", str(path))
    assert result.returncode == 2
    assert re.search(r"move \d+ does not follow from the seeds: draw \d+ gives", result.stderr)


def test_verify_refuses_a_match_without_seeds_and_one_that_is_not_over(tmp_path: Path) -> None:
    result = run("verify", str(golden("stupide_vautour")))
    assert result.returncode == 2
    assert "the match has no seeds" in result.stderr
    data = json.loads(golden("stupide_vautour").read_text())
    path = tmp_path / "begun.json"
    path.write_text(json.dumps({k: v for k, v in data.items() if k != "result"} | {"moves": []}))
    result = run("verify", str(path))
    assert result.returncode == 2
    assert "the match is not over" in result.stderr


def test_again_plays_the_same_deal_from_the_same_seeds(tmp_path: Path) -> None:
    first = saved(tmp_path, "first", "stupide_vautour", "--seats", "3")
    second = saved(tmp_path, "second", "--again", str(first))
    assert read(second).seats == 3
    assert read(second).seeds == read(first).seeds
    assert cards_of(second) == cards_of(first)


def test_again_without_seeds_fixes_the_chance_moves_of_the_file(tmp_path: Path) -> None:
    first = golden("stupide_vautour")
    second = saved(tmp_path, "second", "--again", str(first))
    assert cards_of(second) == cards_of(first)
    assert read(second).to_json()["deal"] == cards_of(first)


@pytest.mark.parametrize(("flags", "mode"), [([], "challenge"), (["--new-team"], "competition")])
def test_again_says_who_plays(tmp_path: Path, flags: list[str], mode: str) -> None:
    first = saved(tmp_path, "first", "team_up", "--seats", "2")
    options = read(saved(tmp_path, "second", "--again", str(first), *flags)).options
    assert (options["mode"], options["target"]) == (mode, read(first).scores[0])


def test_again_refuses_a_match_that_is_not_over(tmp_path: Path) -> None:
    data = json.loads(golden("stupide_vautour").read_text())
    path = tmp_path / "begun.json"
    path.write_text(json.dumps({k: v for k, v in data.items() if k != "result"} | {"moves": []}))
    result = run("play", "--again", str(path))
    assert result.returncode == 2
    assert "--again plays the deal of a finished match" in result.stderr
