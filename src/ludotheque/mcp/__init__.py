"""A seat for assistants and agents: the Model Context Protocol in front of our public API."""
