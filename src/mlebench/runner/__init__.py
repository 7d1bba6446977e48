"""Running agents: a plan on disk, one run after the other or many at once, resumable at any point."""
