"""Turn a short script of moves into a golden match file, with its result.

    python scripts/record_match.py GAME SEATS NAME "what it shows" [option=value …] < moves

Each line of the input is a seat and a move in notation; chance is seat -1. Lines are played in
order; `random` as a line plays random legal moves from there to the end of the match.
"""

import json
import sys
from random import Random

from ludotheque.engine.game import load
from ludotheque.engine.match import Match
from ludotheque.engine.match_file import write_text
from ludotheque.engine.random_matches import walk


def main() -> None:
    slug, seats, name, about, *settings = sys.argv[1:]
    game = load(slug)
    pairs = (setting.split("=", 1) for setting in settings)
    options = {key: game.options[key].parse(value) for key, value in pairs}
    match = Match(game, int(seats), options)
    for line in filter(None, (line.strip() for line in sys.stdin)):
        if line == "random":
            for _ in walk(match, Random(name)):
                pass
        else:
            seat, _, text = line.partition(" ")
            move, _, at = text.partition(" @")
            match.play(int(seat), game.parse(int(seat), move), int(at) if at else None)
    path = game.folder / "matches" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(write_text(match, about), "utf-8")
    print(json.dumps(match.result()))


if __name__ == "__main__":
    main()
