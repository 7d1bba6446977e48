"""Human leaderboards: ranks, medal cut-offs, medals."""
