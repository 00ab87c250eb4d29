"""New game: take one, two or three stones; who takes the last one wins."""
