"""Players for any game. A bot gets what a person in its seat gets: a view and the legal moves."""
