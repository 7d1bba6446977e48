"""Measures what a model has seen of the competitions, and whether its results depend on it."""
