"""The one error for people: a sentence that names what was wrong, where, and what was expected."""


class Refused(ValueError):
    """Something asked for was not done, and nothing has changed."""
