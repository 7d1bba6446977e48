"""`python -m mlebench`."""

from mlebench.cli import main

main()
