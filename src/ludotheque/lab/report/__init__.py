"""A page about a game for its designer: questions, and answers from many matches."""
