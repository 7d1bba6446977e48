"""Prepare a competition again and again and kill it each time at another moment; run by a test.

Everything heavy is imported once; each preparation is a forked child. Prints what was seen as JSON.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy  # noqa: F401
import pandas  # noqa: F401

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.preparing.options import PrepareOptions, Rehearsal
from mlebench.preparing.prepare import prepare
from mlebench.preparing.verify import verify
from mlebench.records.manifest import FILE_LIST, read_manifest

STEPS = {
    "open",
    "os.chmod",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.utime",
    "fcntl.flock",
    "ctypes.dlsym",
}


def in_child(work: Callable[[], object], kill_after: float | None = None) -> bool:
    """Run something in a child, perhaps killed after a while; says whether it came to its end."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return False
    if os.WEXITSTATUS(status):
        raise SystemExit("a preparation failed")
    return True


def count_steps(work: Callable[[], object], note: Path) -> int:
    """How many things that touch the disk a piece of work does."""
    count = 0

    def hook(event: str, _: tuple[object, ...]) -> None:
        nonlocal count
        count += event in STEPS

    def counted() -> None:
        sys.addaudithook(hook)
        work()
        note.write_text(str(count))

    in_child(counted)
    return int(note.read_text())


def die_at_step(number: int) -> None:
    """Die just before the n-th thing that touches the disk."""
    count = 0

    def hook(event: str, _: tuple[object, ...]) -> None:
        nonlocal count
        if event in STEPS:
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def state(competition: LocatedCompetition) -> str:
    """`none`, or the seed of the complete preparation; anything else is a fault."""
    manifest = read_manifest(competition.folder)
    if manifest is None:
        return "none"
    verdict = verify(competition).verdict
    return str(manifest.seed) if verdict == "same" else f"{verdict} of seed {manifest.seed}"


def main(data_dir: Path, competition_id: str, by_time: int, by_step: int) -> None:
    competition = Catalogue(data_dir).get_competition(competition_id)
    r = random.Random(0)

    def make(seed: int) -> object:
        return prepare(competition, options=PrepareOptions(rehearsal=Rehearsal(seed)))

    def make_and_die(seed: int, step: int) -> None:
        die_at_step(step)
        make(seed)

    in_child(lambda: make(0))
    expected = (competition.folder.prepared / FILE_LIST).read_text()
    start = time.monotonic()
    in_child(lambda: make(1))
    duration = time.monotonic() - start
    steps = count_steps(lambda: make(0), data_dir / "steps")
    seen: list[str] = []
    killed = 0
    for turn in range(by_time + by_step):
        seed = turn % 2
        if turn < by_time:
            done = in_child(partial(make, seed), kill_after=r.uniform(0, 0.9 * duration))
        else:
            done = in_child(partial(make_and_die, seed, r.randrange(1, steps)))
        killed += not done
        now = state(competition)
        allowed = {str(seed)} if done else {"0", "1"}
        if now not in allowed:
            seen.append(f"turn {turn}: {now}")
    in_child(lambda: make(0))
    left = sorted(path.name for path in competition.folder.path.iterdir())
    is_same = (competition.folder.prepared / FILE_LIST).read_text() == expected
    result = {"faults": seen, "killed": killed, "left": left, "is_same": is_same}
    print(json.dumps(result))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
