"""Ubongo, the card game: a race to fit seven of nine cards together."""
