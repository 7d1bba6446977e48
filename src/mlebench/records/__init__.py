"""Every file format that is kept on disk: reports, runs, groups, ledgers, manifests, trajectories."""
