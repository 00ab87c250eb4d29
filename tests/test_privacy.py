"""What the privacy page says of browsers is what the page keeps there."""

from __future__ import annotations

import re
from pathlib import Path

from ludotheque.language import every_word

CLIENT = Path(__file__).parent.parent / "client"

SETTINGS = "your settings"
TOLD = {  # what is kept in a browser, and the words that tell it
    "guest": "your name and picture",
    "language": SETTINGS,
    "theme": SETTINGS,
    "pace": SETTINGS,
    "bots-react": SETTINGS,
    "confirm-moves": SETTINGS,
    "hand-first": SETTINGS,
    "muted": SETTINGS,
    "haptics": SETTINGS,
    "play.": "the opponents chosen for each game",
    "known_games": "the games you know",
    "best.": "your best scores",
    "tables": "the list of your tables",
    "notify": "whether this device calls you to your turn",
    "push": "whether this device calls you to your turn",
    "table.": "the last state of up to four tables",
    "commitment.": "added to shuffles",
    "seed.": "added to shuffles",
}


def kept_in_browsers() -> set[str]:
    """The names under which the page keeps something, up to what varies."""
    found: set[str] = set()
    for path in (*CLIENT.rglob("*.ts"), *CLIENT.rglob("*.svelte")):
        if ".test." not in path.name:
            text = path.read_text("utf-8")
            found |= set(re.findall(r'remembered\(\s*["`]([\w.-]+)', text))
            found |= set(re.findall(r'PREFIX = "ludotheque\.([\w.-]+)"', text))
    return found


def test_everything_that_a_browser_keeps_is_told() -> None:
    assert kept_in_browsers() == set(TOLD)
    text = every_word("en")["privacy"]["browser"]
    assert not [words for words in TOLD.values() if words not in text]
