"""`python -m mlebench.agents.baseline --data DIR --out submission.csv [--seconds N] [--seed N]`."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path

from . import say
from .fallback import copy_sample
from .files import Found, look

SMALL_DATA = 100 << 20


def main() -> int:
    """Copy the sample submission, then let a child process replace it by a better one."""
    args = _arguments()
    with tempfile.TemporaryDirectory() as scratch:
        return _run(args, look(args.data, Path(scratch)), time.monotonic())


def _run(args: argparse.Namespace, files: list[Found], started: float) -> int:
    has_sample = copy_sample(files, args.out)
    say(f"sample submission copied to {args.out}" if has_sample else "no sample submission found")
    _choose_threads(files)
    left = args.seconds - (time.monotonic() - started)
    # A child can be stopped during a fit, and if the kernel kills it for memory, we go on.
    child = multiprocessing.get_context("fork").Process(
        target=_improve, args=(files, args, started)
    )
    child.start()
    child.join(max(0.0, left))
    if child.is_alive():
        say(f"stopped after {args.seconds:g} s; the last complete submission stays")
        child.kill()
        child.join()
    elif child.exitcode:
        say(f"training ended with code {child.exitcode}; the last complete submission stays")
    if not args.out.exists():
        say("no submission could be written: there is no sample and no test table")
        return 1
    say(f"done after {time.monotonic() - started:.1f} s: {args.out}")
    return 0


def _choose_threads(files: list[Found]) -> None:
    """Use one thread for little data, where more are slower; numpy reads this when imported."""
    if sum(file.size for file in files) < SMALL_DATA:
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ.setdefault(name, "1")


def _improve(files: list[Found], args: argparse.Namespace, started: float) -> None:
    from .improve import improve

    improve(files, args.out, seconds=args.seconds, seed=args.seed, started=started)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="baseline", description="A baseline without an LLM.")
    parser.add_argument("--data", type=Path, required=True, help="the folder of public files")
    parser.add_argument("--out", type=Path, required=True, help="where the submission goes")
    parser.add_argument("--seconds", type=float, default=600, help="time for everything")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if not args.data.is_dir():
        parser.error(f"the data folder {args.data} does not exist")
    return args


if __name__ == "__main__":
    sys.exit(main())
