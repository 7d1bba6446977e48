"""Plots as inline SVG, each with its figures as a table (head and rows)."""
