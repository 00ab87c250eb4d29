"""Every untimed game as two games of OpenSpiel: for seats that choose together, and in turns.

    import pyspiel
    from ludotheque.learn import openspiel  # registers them

    game = pyspiel.load_game("ludotheque_GAME(players=3)")
    game = pyspiel.load_game("ludotheque_GAME_turn_based", {"players": 2, "returns": "score"})

docs/openspiel.md lists the parameters and what information states are.
"""

from __future__ import annotations

try:
    import pyspiel as _pyspiel  # noqa: F401
except ImportError as error:
    raise ImportError(
        "OpenSpiel is not installed; install it with: pip install 'ludotheque[openspiel]'"
    ) from error

from ludotheque.learn.openspiel.game import SpielGame, register, register_all
from ludotheque.learn.openspiel.state import SpielState

__all__ = ["SpielGame", "SpielState", "register"]

register_all()
