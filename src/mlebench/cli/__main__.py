"""`python -m mlebench.cli`."""

from mlebench.cli import main

main()
