"""Pages of the viewer: a run, a group, a comparison, an episode."""
