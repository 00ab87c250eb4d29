"""A game of OpenSpiel: one of ours with a number of players, options, and what is returned."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pyspiel

from ludotheque.engine.discovery import explained
from ludotheque.engine.game import Game, loadable
from ludotheque.engine.match import Match
from ludotheque.engine.option import Option
from ludotheque.engine.refused import Refused
from ludotheque.learn.openspiel.observer import Observer
from ludotheque.learn.openspiel.position import Position
from ludotheque.learn.openspiel.returns import default_returns, returns_named
from ludotheque.learn.openspiel.state import SpielState, spiel_errors
from ludotheque.learn.rewards import match_rewards

Chance = pyspiel.GameType.ChanceMode
Dynamics = pyspiel.GameType.Dynamics
Utility = pyspiel.GameType.Utility


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """Base of the classes that are registered, each with its game and in one of two versions."""

    rules: Game
    together: bool
    name: str

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        game, together = self.rules, self.together
        with spiel_errors():
            match = opened(game, parameters)
            self._returns = returns_named(parameters["returns"], match)
        self._position = Position(match, together)
        about = pyspiel.GameInfo(
            num_distinct_actions=game.moves,
            max_chance_outcomes=game.outcomes,
            num_players=match.seats,
            min_utility=self._returns.low,
            max_utility=self._returns.high,
            utility_sum=0.0 if self._returns.utility == Utility.ZERO_SUM else None,
            max_game_length=game.max_match_moves,
        )
        super().__init__(self.type_with(self._returns.utility), about, dict(parameters))

    @classmethod
    def type_with(cls, utility: Any) -> Any:
        """What OpenSpiel asks of a game ahead; which utility it has depends on its parameters."""
        game = cls.rules
        return pyspiel.GameType(
            short_name=cls.name,
            long_name=f"{english_name(game)}{'' if cls.together else ', in turns'}",
            dynamics=Dynamics.SIMULTANEOUS if cls.together else Dynamics.SEQUENTIAL,
            chance_mode=Chance.EXPLICIT_STOCHASTIC if game.has_chance else Chance.DETERMINISTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=utility,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=game.seats[-1],
            min_num_players=game.seats[0],
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification=parameters_of(game),
        )

    def new_initial_state(self, *_: Any) -> SpielState:
        return SpielState(self, deepcopy(self._position))

    def max_chance_nodes_in_history(self) -> int:
        return self._position.game.max_match_moves

    def returns_of(self, match: Match) -> list[float]:
        """What the players get at the end of a match."""
        return match_rewards(self._returns.reward, match)

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Observer | None:
        """An observer of that kind; None for private information alone, which is not offered."""
        if isinstance(kind, dict):  # OpenSpiel leaves the kind out where none was asked for
            kind, parameters = None, kind
        if parameters:
            raise pyspiel.SpielError(f"observers have no parameters, but were given {parameters}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self._position.match, kind) if kind.public_info else None

    def __reduce__(self) -> Any:
        return loaded, (str(self),)


def loaded(text: str) -> Any:
    """The game that OpenSpiel writes like this."""
    return pyspiel.load_game(text)


def register(game: Game, name: str = "") -> None:
    """Make a game known to OpenSpiel as ludotheque_NAME and ludotheque_NAME_turn_based.

    Its name is that of its folder, unless another one is given, as for a host's own cards.
    """
    if game.timed:
        raise Refused(
            f"{game.slug} runs on a clock, which OpenSpiel does not have; "
            "the environments of PettingZoo and Gymnasium in ludotheque.learn play it"
        )
    for together in (True, False):
        full_name = f"ludotheque_{name or game.slug}{'' if together else '_turn_based'}"
        # A class, since OpenSpiel releases what it has registered after Python has ended, and the
        # last reference to a function would be one too many then.
        about = {"rules": game, "together": together, "name": full_name}
        registered: type[SpielGame] = type(full_name, (SpielGame,), about)
        pyspiel.register_game(registered.type_with(Utility.GENERAL_SUM), registered)


def register_all() -> None:
    """Register every untimed game but those of others that are broken: `ludotheque check` tells
    what is wrong with them."""
    for game in loadable():
        if not game.timed:
            with suppress(Refused):
                register(game)


def english_name(game: Game) -> str:
    try:
        return str(game.words["en"]["name"])
    except Exception as error:  # whatever a words.toml may hold
        reason = explained(error, game.folder)
        raise Refused(f"{game.slug} has no English name in its words.toml: {reason}") from error


def parameters_of(game: Game) -> dict[str, Any]:
    """The parameters of a game with their defaults: players, what is returned, and the options."""
    options = {name: _default(option) for name, option in game.options.items()}
    return {"players": game.seats[0], "returns": default_returns(game), "opening": ""} | options


def _default(option: Option) -> Any:
    """A parameter has one type: of a count that may be a word, 0 stands for the word."""
    return 0 if _is_count_or_word(option) else option.default


def _is_count_or_word(option: Option) -> bool:
    return len({type(value) for value in option.values or ()}) > 1


def opened(game: Game, parameters: Mapping[str, Any]) -> Match:
    """The match after its opening: moves in notation, each made by the first that is awaited."""
    options = {name: _value(option, parameters[name]) for name, option in game.options.items()}
    match = Match(game, parameters["players"], options)
    for number, text in enumerate(parameters["opening"].split(), 1):
        actors = Position(match, together=False).actors()
        if not actors:
            raise Refused(f"the match is over before move {number} of the opening, {text!r}")
        try:
            match.make(actors[0], game.parse(actors[0], text), None)
        except Refused as refusal:
            raise Refused(f"move {number} of the opening: {refusal}") from None
    return match


def _value(option: Option, parameter: Any) -> Any:
    if _is_count_or_word(option) and 0 <= parameter <= option.high:
        return option.decode(parameter)
    return parameter
