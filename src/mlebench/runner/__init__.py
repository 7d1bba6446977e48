"""Running agents: a plan on disk, one or many at once, resumable at any point."""
