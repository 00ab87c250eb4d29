"""Experiments on the compiled rules."""
