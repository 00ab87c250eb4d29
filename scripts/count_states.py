"""Write counts.json of a game: reachable states at small depth, which the suite compares.

python scripts/count_states.py GAME DEPTH [SEATS:OPTION=VALUE,…]…

A number of seats with options is a small variant: all its states are counted, to the end.
"""

import json
import sys
from typing import Any

from ludotheque.engine.conformance import count_all_states, count_states
from ludotheque.engine.game import Game, load


def main() -> None:
    game, depth = load(sys.argv[1]), int(sys.argv[2])
    counts: dict[str, Any] = {str(seats): count_states(game, seats, depth) for seats in game.seats}
    if small := [_all_states(game, variant) for variant in sys.argv[3:]]:
        counts["small"] = small
    (game.folder / "counts.json").write_text(json.dumps(counts) + "\n")
    print(counts)


def _all_states(game: Game, variant: str) -> dict[str, Any]:
    seats, _, settings = variant.partition(":")
    pairs = [setting.split("=") for setting in settings.split(",")]
    options = {name: game.options[name].parse(value) for name, value in pairs}
    states = count_all_states(game, int(seats), options)
    return {"seats": int(seats), "options": options, "states": states}


if __name__ == "__main__":
    main()
