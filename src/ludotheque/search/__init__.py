"""What a game's bots think with, whatever the game: time to think, advice, searching."""
