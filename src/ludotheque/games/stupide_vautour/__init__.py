"""Stupide Vautour: sealed bids for meerkats, and against vultures."""
