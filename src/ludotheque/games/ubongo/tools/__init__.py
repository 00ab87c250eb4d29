"""Scripts that make the data."""
