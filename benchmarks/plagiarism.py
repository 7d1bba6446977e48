"""How long it takes to index thousands of kernels and to compare a run with them.

The yardstick is `ast.parse` of the same kernels in one process. CPU time; the index is made by two
confined children at a time. Budgets: the index at most 6 times the yardstick and 60 seconds on two
processors, the first query against it at most 2 seconds, against 10,000 references at most 5.

    python benchmarks/plagiarism.py [--kernels 4000]
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.integrity.plagiarism import changes

from mlebench.doctor.rehearsal_time import processor_seconds
from mlebench.integrity.plagiarism.fingerprints import fingerprint
from mlebench.integrity.plagiarism.index import FingerprintIndex, Reference, make_index
from mlebench.integrity.plagiarism.references import open_kernels
from mlebench.integrity.plagiarism.worker import Fingerprinter

COMPETITIONS = 80
PROCESSORS = 2
BUDGET_RATIO, BUDGET_SECONDS, QUERY_SECONDS, LARGEST_SECONDS = 6.0, 60.0, 2.0, 5.0


def make_kernels(folder: Path, count: int) -> list[Path]:
    """Kernels of about 300 lines: statements of real files in a random order."""
    rng = random.Random(0)
    files = [f.read_text("utf-8") for f in [*changes.package_files(), *changes.PIPELINES]]
    parts = [changes.reorder(code, rng).split("\n\n\n") for code in files if "\n\n\n" in code]
    statements = [part for file in parts for part in file if part.count("\n") > 2]
    found = []
    for number in range(count):
        text = "import pandas as pd\n"
        while text.count("\n") < 300:
            text += rng.choice(statements) + "\n\n"
        file = folder / f"competition-{number % COMPETITIONS}" / f"kernel{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        found.append(file)
    return found


def query(index: FingerprintIndex, code: bytes, competition: str) -> float:
    """CPU seconds to compare one program with all references of its competition."""
    start = time.process_time()
    template = index.template(competition)
    index.select(competition, template).overlaps(fingerprint(code).without(template))
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernels", type=int, default=4000)
    count = parser.parse_args().kernels
    with TemporaryDirectory() as name:
        folder = Path(name)
        files = make_kernels(folder, count)
        size = sum(file.stat().st_size for file in files)
        start = time.process_time()
        for file in files:
            ast.parse(file.read_text("utf-8"))
        plain = time.process_time() - start
        before, begun = processor_seconds(), time.perf_counter()
        with Fingerprinter(jobs=PROCESSORS) as fingerprinter:
            index = open_kernels(folder, fingerprinter)
        wall, used = time.perf_counter() - begun, processor_seconds() - before
        code = files[0].read_bytes()
        first = query(index, code, "competition-0")
        second = query(index, code, "competition-0")
    many = make_index(
        (Reference(str(n), f"competition-{n % COMPETITIONS}"), index.of(n % count))
        for n in range(10_000)
    )
    largest = query(many, code, "competition-0")
    seconds = used / PROCESSORS
    print(f"{count} kernels, {size / 1e6:.1f} MB, {len(index.prints):,} fingerprints")
    print(f"ast.parse        {plain:6.1f} s of CPU time")
    print(f"index            {used:6.1f} s, {used / plain:.1f} times, {wall:.1f} s of real time")
    print(f"query            {first:6.2f} s the first time, {second:.2f} s then")
    print(f"10,000 references{largest:6.2f} s")
    is_ok = (
        used / plain <= BUDGET_RATIO
        and seconds <= BUDGET_SECONDS
        and first <= QUERY_SECONDS
        and largest <= LARGEST_SECONDS
    )
    print("within the budgets" if is_ok else "above a budget")
    return 0 if is_ok else 1


if __name__ == "__main__":
    sys.exit(main())
