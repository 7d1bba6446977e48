"""Workers for many runs: processes of this machine, a Ray cluster, Slurm."""
