"""Whole matches at the keyboard."""

import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from ludotheque.bots import roster
from ludotheque.bots.chaotic import Chaotic
from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import LANGUAGES, load, slugs
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import read
from ludotheque.terminal import Terminal


class Keyboard(Console):
    """A console whose input is a function's answers."""

    def __init__(self, answer: Callable[[], str]) -> None:
        super().__init__(file=io.StringIO(), width=100, force_terminal=False)
        self.answer = answer

    def input(self, prompt: object = "", **_: object) -> str:
        self.print(prompt)
        return self.answer()

    @property
    def shown(self) -> str:
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


def ticking() -> Callable[[], float]:
    """A clock that goes on by half a second whenever it is read."""
    ticks: Iterator[float] = iter(x / 2 for x in range(1_000_000))
    return lambda: next(ticks)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("slug", slugs())
def test_a_person_and_bots_play_to_the_end(
    slug: str, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)  # the clock goes on by itself
    game = load(slug)
    seats = max(2, game.seats[0])
    match = Match(game, seats, game.playout_options, seeds=Seeds(bytes(32)))
    person = Chaotic(1)

    def answer() -> str:
        """Anything that is legal; of moves that are tried rather than listed, the first few."""
        first = (
            game.legal_moves(match.state, 0)[-20:] if game.unlisted_moves else match.legal_moves(0)
        )
        return game.notation(0, person.choose(None, first)) if first else ""

    keyboard = Keyboard(answer)
    save = tmp_path / "match.json"
    bots = {seat: roster.hire(roster.REGULAR, game, seat, 7) for seat in range(1, seats)}
    Terminal(match, bots, lang, keyboard, save, ticking()).run()
    assert match.is_over
    assert read(save).state == match.state


def test_two_people_pass_the_device_and_see_only_their_own() -> None:
    match = Match(load("stupide_vautour"), 2, seeds=Seeds(bytes(32)))
    answers = iter(["", "15", "", "14", "", "q"])
    keyboard = Keyboard(lambda: next(answers))
    Terminal(match, {}, "en", keyboard).run()
    assert len(match.log) == 4
    assert keyboard.shown.count("Hand the device to") == 3
    second, third = keyboard.shown.split("Hand the device to")[2:]
    assert "Player 1 15" not in second
    assert "Player 1 15, Player 2 14." in third


def test_help_mistakes_and_quitting_do_no_harm(tmp_path: Path) -> None:
    match = Match(load("stupide_vautour"), 2, seeds=Seeds(bytes(32)))
    answers = iter(["?", "99", "", "nonsense", "q"])
    keyboard = Keyboard(lambda: next(answers))
    save = tmp_path / "match.json"
    Terminal(match, {1: Chaotic(0)}, "en", keyboard, save).run()
    assert "Meerkat" in keyboard.shown
    assert keyboard.shown.count("is neither a number in the list nor a move") == 3
    assert not match.is_over
    assert read(save).state == match.state


def test_the_end_of_input_quits() -> None:
    def closed() -> str:
        raise EOFError

    match = Match(load("stupide_vautour"), 2, seeds=Seeds(bytes(32)))
    Terminal(match, {1: Chaotic(0)}, "en", Keyboard(closed)).run()
    assert not match.is_over
