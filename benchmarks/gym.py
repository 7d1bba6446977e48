"""Episodes for training: resets, steps, runs, submissions, memory, leaks, beside another design.

Run as `python benchmarks/gym.py [--quick] [--idle N] [--leak-episodes N] [--json]`; the same as
`mlebench gym bench`. Targets: a warm reset of 50 ms, a run of an empty program of 30 ms (medians),
1,000 trivial steps a second on two cores, 40 MB for an idle episode, and nothing leaked.
"""

from __future__ import annotations

import sys

from mlebench.cli import main

if __name__ == "__main__":
    main(["gym", "bench", *sys.argv[1:]])
