"""Runs with known conduct: honest ones, look-alikes and planted violations, by real runs."""
