"""What revision v1.1 costs beside v1: processor time of a preparation, and disk of both together.

    python benchmarks/revisions.py [--seconds 0.3] [--rounds 5] [ID …]

The rehearsal data of each competition is enlarged until a preparation of v1 takes that long, so
that what both revisions have in common (locks, manifest) does not hide the difference. Both prepare
the same files in turns; the lowest processor time of the rounds counts.

Disk: the blocks of all files of both prepared folders, links counted once, against those of v1 and
of the test files of v1.1: files of test items, the sample submission, and private files. Folders
are not counted: one has a block whatever the size of its files, and those of rehearsal data are
often smaller than a block.

A row says `ok` if both ratios are within their limits, `over` if one is beyond it for a reason that
is inherent in the change, which follows in the next line, and `FAIL` otherwise.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from like_real import LIKE_REAL

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.catalogue.layout import published_ids
from mlebench.catalogue.sizes import find_data_size
from mlebench.doctor.rehearsal_time import processor_seconds
from mlebench.preparing.options import PrepareOptions
from mlebench.preparing.order import read_ids
from mlebench.preparing.prepare import prepare
from mlebench.preparing.sharing import is_of_test

TIME_LIMIT = 1.2
DISK_LIMIT = 1.15
LARGEST_SCALE = 64
LAST_SCALE = {"uw-madison-gi-tract-image-segmentation": 2}
"""Where rehearsal data cannot be larger."""

TEST_FILE = re.compile(r"(?i)^private/|(^|[/_.\-])(test|sample_?submission)")
"""Besides files that have the id of a test item."""

FIRST_SCALE = {"alaska2-image-steganalysis": 200}
"""Where the test part would be nearly all of the data; it is a fifteenth of the real one."""

BY_GROUP = "disk: whole groups are in one part, so that the train table has other rows"
AS_SPELLED = (
    "disk: texts such as NA, which rehearsal data has often, are spelled out in the train table;"
    " without one the tables of both revisions are equal and stored once"
)
LARGER = {
    **dict.fromkeys(
        (
            "google-quest-challenge",
            "ml2021spring-hw2",
            "movie-review-sentiment-analysis-kernels-only",
        ),
        BY_GROUP,
    ),
    **dict.fromkeys(
        (
            "chaii-hindi-and-tamil-question-answering",
            "text-normalization-challenge-english-language",
            "text-normalization-challenge-russian-language",
        ),
        AS_SPELLED,
    ),
    "jigsaw-toxic-comment-classification-challenge": (
        "disk: the test is drawn from the train table, whose labels were not released"
    ),
    "random-acts-of-pizza": "disk: the train part lacks the fields that the test part lacks",
}
"""Why both revisions together take more space than the limit."""


@dataclass(frozen=True)
class Cost:
    """Seconds of both preparations, and kibibytes on disk."""

    id: str
    scale: int
    v1_s: float
    revised_s: float
    v1_kib: int
    both_kib: int
    allowed_kib: int
    """Of v1, and of the test files of v1.1."""

    @property
    def time(self) -> float:
        return self.revised_s / self.v1_s

    @property
    def disk(self) -> float:
        return self.both_kib / self.allowed_kib

    @property
    def reasons(self) -> list[str | None]:
        """Why each ratio that is beyond its limit is so; None where no reason is known."""
        found: list[str | None] = [None] if self.time > TIME_LIMIT else []
        return [*found, LARGER.get(self.id)] if self.disk > DISK_LIMIT else found

    @property
    def verdict(self) -> str:
        return "ok" if not self.reasons else "FAIL" if None in self.reasons else "over"

    def __str__(self) -> str:
        seconds = f"{self.revised_s:6.3f} s / {self.v1_s:6.3f} s"
        disk = f"{self.both_kib:8,} KiB / {self.allowed_kib:8,} KiB"
        row = (
            f"{self.verdict:4} {self.id:58} scale {self.scale:3}  time {self.time:5.2f} ({seconds})"
            f"  disk {self.disk:5.2f} ({disk})"
        )
        return "\n     ".join([row, *(reason for reason in self.reasons if reason)])


def work_of(competition: LocatedCompetition) -> float:
    """Seconds of processor time of one preparation, all threads and children together."""
    before = processor_seconds()
    prepare(competition, options=PrepareOptions(verify=False))
    return processor_seconds() - before


def enlarge(competition: LocatedCompetition, seconds: float) -> int:
    """Make raw data that takes at least so long to prepare, and return its scale."""
    scale = FIRST_SCALE.get(competition.id, 1)
    while True:
        shutil.rmtree(competition.folder.path, ignore_errors=True)
        competition.folder.raw.mkdir(parents=True)
        competition.make_rehearsal(competition.folder.raw, 1, scale)
        if make_larger := LIKE_REAL.get(competition.id):
            make_larger(competition.folder.raw, scale)
        prepare(competition, options=PrepareOptions(verify=False))
        found = work_of(competition)
        largest = LAST_SCALE.get(competition.id, LARGEST_SCALE)
        if found >= seconds or scale >= largest:
            return scale
        scale = min(largest, scale * max(2, int(seconds / max(found, 0.01) / 2)))


def measure(competition_id: str, folder: Path, *, seconds: float, rounds: int) -> Cost:
    v1, revised = (
        Catalogue(folder, revision=revision).get_competition(competition_id)
        for revision in ("v1", "v1.1")
    )
    scale = enlarge(v1, seconds)
    work_of(revised)
    times = []
    for _ in range(rounds):
        # With the other revision beside it v1 would be linked, too.
        shutil.rmtree(revised.folder.prepared)
        times.append((work_of(v1), work_of(revised)))
    v1_s, revised_s = map(min, zip(*times, strict=True))
    one, two = (blocks_below(c.folder.prepared) for c in (v1, revised))
    test = test_blocks(revised)
    cost = Cost(
        competition_id,
        scale,
        v1_s,
        revised_s,
        sum(one.values()) // 2,
        sum((one | two).values()) // 2,
        (sum(one.values()) + sum(test.values())) // 2,
    )
    shutil.rmtree(v1.folder.path)
    return cost


def real_disk(costs: list[Cost]) -> float:
    """The ratio for all competitions together, if each has the size of its real data."""
    both = allowed = 0.0
    for cost in costs:
        found = find_data_size(Catalogue().get_competition(cost.id).definition)
        size = (found.low + found.high) / 2 if found else 0
        both += size * cost.both_kib / cost.v1_kib
        allowed += size * cost.allowed_kib / cost.v1_kib
    return both / allowed


def blocks_below(folder: Path, *, is_counted: Callable[[str], bool] = bool) -> dict[int, int]:
    """Blocks of 512 bytes of the files, by inode.

    Args:
        is_counted: receives the path of a file below the folder; by default all count.
    """
    found = {}
    for path in folder.rglob("*"):
        if not path.is_dir() and is_counted(path.relative_to(folder).as_posix()):
            status = path.lstat()
            found[status.st_ino] = status.st_blocks
    return found


def test_blocks(competition: LocatedCompetition) -> dict[int, int]:
    """Blocks of files that belong to test items or list them, and of private files."""
    prepared = competition.folder.prepared
    ids = read_ids(prepared, competition.definition)

    def is_test(name: str) -> bool:
        has_id = name.startswith("public/") and is_of_test(name, ids)
        return has_id or bool(TEST_FILE.search(name))

    return blocks_below(prepared, is_counted=is_test)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("ids", nargs="*", help="all competitions by default")
    parser.add_argument("--seconds", type=float, default=0.3, help="of a preparation of v1")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    asked = parser.parse_args()
    ids = asked.ids or published_ids()
    costs = []
    started = time.monotonic()
    with tempfile.TemporaryDirectory(dir=asked.folder, prefix="bench-") as name:
        for competition_id in ids:
            cost = measure(competition_id, Path(name), seconds=asked.seconds, rounds=asked.rounds)
            print(cost, flush=True)
            costs.append(cost)
    found = Counter(cost.verdict for cost in costs)
    both, allowed = (sum(getattr(c, name) for c in costs) for name in ("both_kib", "allowed_kib"))
    print(f"disk of all together: {both / allowed:.2f}, at the real sizes {real_disk(costs):.2f}")
    times = [sum(getattr(c, name) for c in costs) for name in ("revised_s", "v1_s")]
    print(f"time of all together: {times[0] / times[1]:.2f}")
    print(
        f"{found['ok']} of {len(costs)} within both limits, {found['over']} over with a reason,"
        f" {found['FAIL']} without, {time.monotonic() - started:.0f} s"
    )
    return 1 if found["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
