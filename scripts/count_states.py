"""Write counts.json of a game: reachable states at small depth, which the suite compares.

python scripts/count_states.py GAME DEPTH
"""

import json
import sys

from ludotheque.engine.conformance import count_states
from ludotheque.engine.game import load


def main() -> None:
    game, depth = load(sys.argv[1]), int(sys.argv[2])
    counts = {str(seats): count_states(game, seats, depth) for seats in game.seats}
    (game.folder / "counts.json").write_text(json.dumps(counts) + "\n")
    print(counts)


if __name__ == "__main__":
    main()
