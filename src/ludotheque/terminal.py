"""A match in the terminal: people share the keyboard, bots take the other seats."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ludotheque.bots.bot import Bot
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import write_text
from ludotheque.engine.refused import Refused
from ludotheque.engine.seats import NOBODY
from ludotheque.engine.story import Fact, Story, decided, history
from ludotheque.engine.words import Words
from ludotheque.language import say

MAX_LISTED_MOVES = 40  # shown; others are reached by typing part of their notation
QUIT, RULES = "q", "?"


class Quit(Exception):
    """The people at the table want to stop."""


class Terminal:
    """Runs one match: asks people, lets bots choose, tells everyone what they may know."""

    def __init__(
        self,
        match: Match,
        bots: dict[int, Bot],
        language: str,
        console: Console,
        save: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.match = match
        self.bots = bots
        self.language = language
        self.words = Words(match.game, language)
        self.console = console
        self.save = save
        self.people = [seat for seat in range(match.seats) if seat not in bots]
        self.names = [self._name(seat) for seat in range(match.seats)]
        self._story = Story(match)
        self._untold: dict[int, list[Fact]] = {seat: [] for seat in self.people}
        self._last_person: int | None = None
        self._clock = clock
        self._begun = clock()

    def run(self) -> None:
        """Play to the end, or until someone quits; the match so far is kept in the save file."""
        self.console.print(Panel(self.words.pitch, title=self.words.name, style="bold"))
        try:
            while not self.match.is_over:
                self._turn()
        except (Quit, EOFError, KeyboardInterrupt):
            self.console.print()
        finally:
            self._store()
        if self.match.is_over:
            self._tell_result()

    # Turns

    def _turn(self) -> None:
        self._let_time_pass()
        waiting = [seat for seat in self.match.awaited() if seat in self.people]
        for seat in self.match.awaited():
            if seat in self.bots and self.match.game.awaits(self.match.state, seat):
                self._play_bot(seat)
        if waiting and self.match.game.awaits(self.match.state, waiting[0]):
            self._ask(waiting[0])
        elif not self.match.awaited() and not self.match.is_over:
            time.sleep(max(self.match.game.alarm(self.match.state), 0) / 1000)

    def _play_bot(self, seat: int) -> None:
        view = self.match.view(seat)
        move = self.bots[seat].choose(view, self.match.game.legal_moves(view, seat))
        self._play(seat, move)

    def _play(self, seat: int, move: int) -> None:
        """Make a move and let every bot see what has changed."""
        self.match.play(seat, move, self._now())
        for watcher, bot in self.bots.items():
            bot.watch(self.match.view(watcher))

    def _ask(self, seat: int) -> None:
        self._pass_the_device(seat)
        self._tell_news(seat)
        view = self._draw(seat)
        self.console.print(f"[bold]{self._say('your_turn', player=self.names[seat])}[/bold]")
        self.console.print(self.words.prompt(view, seat))
        moves = self.match.game.legal_moves(view, seat)
        self._list(seat, moves)
        while not self._answered(seat, moves):
            pass

    def _answered(self, seat: int, moves: list[int]) -> bool:
        """Read one line; whether it was a move that was made, or the time for one ran out."""
        text = self.console.input(f"{self._say('choose')} > ").strip()
        self._let_time_pass()
        if text == QUIT:
            raise Quit
        if text == RULES:
            self.console.print(Markdown(self.words.rules))
            return False
        if not self.match.game.awaits(self.match.state, seat):
            return True
        chosen = self._interpreted(text, seat, moves)
        return chosen is not None and self._tried(seat, chosen)

    def _interpreted(self, text: str, seat: int, moves: list[int]) -> int | None:
        """The move meant by a number of the list or by notation; else show what is close to it."""
        meant = self._parsed(seat, text)
        if meant in moves:
            return meant
        listed = text.isdecimal() and 1 <= int(text) <= min(len(moves), MAX_LISTED_MOVES)
        if listed and not self._is_numeric(seat, moves):
            return moves[int(text) - 1]
        close = [m for m in moves if text and text in self.match.game.notation(seat, m)]
        if len(close) == 1:
            return close[0]
        if close:
            self._list(seat, close, numbered=False)
        else:
            self.console.print(self._say("unknown", text=text), style="red")
        return None

    def _parsed(self, seat: int, text: str) -> int | None:
        try:
            return self.match.game.parse(seat, text)
        except Refused:
            return None

    def _is_numeric(self, seat: int, moves: list[int]) -> bool:
        """Whether moves are written as numbers: a number of the list would be mistaken for one."""
        return any(
            self.match.game.notation(seat, move).isdecimal() for move in moves[:MAX_LISTED_MOVES]
        )

    def _tried(self, seat: int, move: int) -> bool:
        try:
            self._play(seat, move)
        except Refused as refusal:
            self.console.print(self.words.objection(refusal.reason), style="red")
            return False
        return True

    # Time

    def _now(self) -> int | None:
        return int((self._clock() - self._begun) * 1000) if self.match.game.timed else None

    def _let_time_pass(self) -> None:
        if self.match.game.timed:
            self.match.draw(self._now())

    # Telling

    def _pass_the_device(self, seat: int) -> None:
        """Clear the screen between two people at one keyboard."""
        if len(self.people) > 1 and seat != self._last_person:
            self.console.clear()
            self.console.input(f"{self._say('curtain', player=self.names[seat])} ")
            self.console.clear()
        self._last_person = seat

    def _tell_news(self, seat: int) -> None:
        """Tell what has happened since this person last looked."""
        for person, steps in self._story.go_on(self.match, set(self.people)).items():
            self._untold[person] += [fact for step in steps for fact in step.facts]
        facts, self._untold[seat] = self._untold[seat], []
        for fact in facts:
            if fact.kind != "note":
                self.console.print(f"{self.words.fact(fact, self.names)}.", style="dim")

    def _draw(self, viewer: int) -> Any:
        """Draw the board as this viewer sees it, and return the view."""
        view = self.match.view(viewer)
        draw = self.match.game.module("terminal").draw
        self.console.print(draw(view, viewer, self.words, self.names))
        return view

    def _list(self, seat: int, moves: list[int], numbered: bool = True) -> None:
        notations = [self.match.game.notation(seat, move) for move in moves[:MAX_LISTED_MOVES]]
        numbered = numbered and not self._is_numeric(seat, moves)
        table = Table.grid(padding=(0, 2))
        for number, (move, notation) in enumerate(zip(moves, notations, strict=False), 1):
            label = Text(f"{number}" if numbered else "", style="cyan")
            table.add_row(label, notation, self.words.move(seat, move))
        self.console.print(self._say("moves"), style="bold")
        self.console.print(table)
        if len(moves) > MAX_LISTED_MOVES:
            self.console.print(self._say("more", count=len(moves) - MAX_LISTED_MOVES), style="dim")

    def _tell_result(self) -> None:
        if self.people:
            self._tell_news(self.people[0] if self._last_person is None else self._last_person)
        self._draw(NOBODY)
        result = self.words.result(self.match, self.names)
        if told := decided(self.match, list(history(self.match, NOBODY))):
            result += f"\n{self.words.decided(told, self.names)}"
        self.console.print(Panel(result, title=self._say("over"), style="bold green"))

    def _store(self) -> None:
        if self.save is not None:
            self.save.write_text(write_text(self.match), "utf-8")
            self.console.print(self._say("saved", path=self.save))

    def _name(self, seat: int) -> str:
        name = self._say("seat", number=seat + 1)
        return f"{name} ({self._say('bots')})" if seat in self.bots else name

    def _say(self, key: str, **values: Any) -> str:
        return say(self.language, key, **values)
