"""Every file format that is kept on disk: runs, groups, reports, ledgers, trajectories, bundles."""
