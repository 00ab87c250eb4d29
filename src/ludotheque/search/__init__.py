"""Search that any game's bots can use: deadlines, advice, tree search, matrix games."""
