"""What a run's agent finds on disk and what is taken from there: names, limits, copies."""
