"""A compiled twin of a match, held against the plain one after every move."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ludotheque.engine import audit, flattening, kernels
from ludotheque.engine.game import Game
from ludotheque.engine.layout import Layout, flattener
from ludotheque.engine.match import Match
from ludotheque.engine.seats import CHANCE, NOBODY


class Twin:
    """Follows `match` in records and asserts that compiled rules say what the plain ones do."""

    def __init__(self, match: Match, boundscheck: bool) -> None:
        self.match = match
        self.game: Game = match.game
        around = (audit, flattening, flattener(self.game))
        self.kernels = kernels.compiled(self.game, boundscheck, around)
        self.states = kernels.blank(self.game, match.seats + 2, match.state)
        self.facts = np.zeros((match.seats + 1, 4), np.int64)
        size = max(self.game.moves, self.game.outcomes)
        self.legal = np.zeros((size, 4), np.int64)
        self.listed = np.zeros(size, np.int64)
        self.layout = Layout(self.game, match.seats)
        self.observation = np.ones((1, 1, self.layout.size), self.layout.dtype)

    def wait(self, elapsed: int) -> None:
        if self.game.timed:
            self.kernels["audit_wait"](self.states, elapsed)

    def follow(self, seat: int, move: int) -> None:
        """Play in the records, and compare what each viewer sees of the move."""
        seen = np.zeros(self.match.seats + 1, np.int64)
        self.kernels["audit_move"](self.states, seat, move, seen)
        viewers = (*range(self.match.seats), NOBODY)
        plain = [self.game.sees(self.match.state, v, seat, move) for v in viewers]
        assert seen.tolist() == plain, f"who sees {move} of seat {seat} in {self.match.state}"

    def compare_state(self) -> None:
        self.compare_with(self.match.state)

    def compare_with(self, plain: Any) -> None:
        """Assert that the records hold this plain state, its facts and all its views."""
        self.kernels["audit_state"](self.states, self.facts)
        assert self._fetched(0) == plain, f"compiled {self._fetched(0)}, plain {plain}"
        assert self.facts.tolist() == self._plain_facts(plain), f"facts of {plain}"
        for place, viewer in enumerate((*range(self.match.seats), NOBODY), 1):
            view = self.game.view(plain, viewer)
            assert self._fetched(place) == view, f"view of {viewer} in {plain}"

    def compare_observations(self) -> None:
        """Assert that what is observed in the records is each viewer's plain view, flattened."""
        for viewer in (*range(self.match.seats), NOBODY):
            self.kernels["observe_all"](self.states[:1], viewer, self.states[1:2], self.observation)
            plain = self.layout.flatten(self.match.view(viewer), viewer)
            assert self.observation[0, 0].tolist() == plain, f"{viewer} in {self.match.state}"

    def compare_moves(self, some: Callable[[int], Iterable[int]]) -> None:
        """Assert that `some` moves of each seat are as legal, and as likely, as in plain rules."""
        for seat in (CHANCE, *range(self.match.seats)):
            count = self.kernels["audit_moves"](self.states, seat, self.legal, self.listed)
            assert self.listed[:count].tolist() == self.match.legal_moves(seat)
            moves = list(some(seat))
            expected = [self._plain_move(seat, move) for move in moves]
            found = self.legal[moves].tolist()
            assert [row[:2] + row[3:] for row in found] == expected, f"{seat} {self.match.state}"
            if self._has_bits(seat):
                bits = [row[2] for row in found]
                assert bits == [row[0] for row in expected], f"bits of seat {seat}"

    def _has_bits(self, seat: int) -> bool:
        return (self.game.outcomes if seat == CHANCE else self.game.moves) < 63

    def _fetched(self, place: int) -> Any:
        return self.game.State.fetch(self.states[place])

    def _plain_move(self, seat: int, move: int) -> list[int]:
        state = self.match.state
        legal = self.game.is_legal(state, seat, move)
        weight = self.game.weight(state, move) if seat == CHANCE and legal else 0
        return [int(legal), self.game.objection(state, seat, move), weight]

    def _plain_facts(self, plain: Any) -> list[list[int]]:
        game, over = self.game, self.game.is_over(plain)
        facts = [
            [
                int(game.awaits(plain, seat)),
                game.score(plain, seat),
                int(over and game.wins(plain, seat)),
                int(game.shows_score(plain, seat)),
            ]
            for seat in range(self.match.seats)
        ]
        drawing = game.awaits(plain, CHANCE)
        name = game.draw_name(plain) if drawing else 0
        return [*facts, [int(drawing), int(over), game.alarm(plain), name]]
