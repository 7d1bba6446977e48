"""Compare the code of runs with public kernels and with other runs, as Dolos does."""
