"""`python -m tests.integrity.plagiarism.table`: pairs with a known relation, figures and targets.

With `--index 4000` it also writes so many different kernels, indexes them and asks the index.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median

from mlebench.integrity.plagiarism.candidates import flag
from mlebench.integrity.plagiarism.fingerprints import fingerprint
from mlebench.integrity.plagiarism.matching import compare
from mlebench.integrity.plagiarism.references import open_kernels
from mlebench.integrity.plagiarism.worker import Fingerprinter

from . import changes
from .test_pairs import FILES, as_notebook, covered, independent, match, pasted_pairs

Change = Callable[[str, random.Random], str]
CHANGES: dict[str, tuple[Change, float]] = {
    "identical": (lambda code, rng: code, 0.95),
    "all names changed": (changes.rename_all, 0.95),
    "strings and numbers retyped": (changes.retype_literals, 0.95),
    "comments changed": (changes.change_comments, 0.95),
    "formatted by black": (lambda code, rng: changes.reformat(code, 88), 0.95),
    "functions reordered": (changes.reorder, 0.75),
    "notebook cells as a script": (as_notebook, 0.75),
}


@dataclass(frozen=True)
class Line:
    """One kind of pairs."""

    name: str
    figures: list[float]
    target: str
    is_met: bool

    def __str__(self) -> str:
        ordered = sorted(self.figures)
        verdict = "met" if self.is_met else "MISSED"
        return (
            f"{self.name:<44} {len(ordered):>5}  {ordered[0]:.3f}  {median(ordered):.3f}"
            f"  {ordered[-1]:.3f}  {self.target:<36} {verdict}"
        )


def changed_pairs() -> Iterator[Line]:
    for name, (change, least) in CHANGES.items():
        found = []
        for file in FILES:
            code = file.read_text("utf-8")
            found.append(match(code, change(code, random.Random(file.name))).similarity)
        yield Line(name, found, f"similarity ≥ {least}", min(found) >= least)
    loops = [
        match(*changes.write_program(random.Random(seed), size, loops=0.2)).similarity
        for seed in range(8)
        for size in (40, 150)
    ]
    yield Line("loops for comprehensions, 20 %", loops, "similarity ≥ 0.55", min(loops) >= 0.55)


def copied_pairs() -> Iterator[Line]:
    third = list(pasted_pairs(0.3, 40))
    contained = [found.containment for found, _ in third]
    inside = sum(0.25 <= figure <= 0.45 for figure in contained)
    target = f"0.25 to 0.45: {inside} of {len(contained)}"
    yield Line("30 % copied: containment", contained, target, inside == len(contained))
    shares = [covered(found, lines) for found, lines in third]
    enough = sum(share >= 0.8 for share in shares)
    target = f"≥ 0.8: {enough} of {len(shares)}"
    yield Line("30 % copied: lines covered", shares, target, enough == len(shares))
    tenth = [found for found, _ in pasted_pairs(0.1, 40)]
    contained = [found.containment for found in tenth]
    is_met = not any(flag(f.similarity, f.containment, f.shared) for f in tenth)
    enough = sum(figure >= 0.08 for figure in contained)
    target = f"≥ 0.08: {enough} of {len(contained)}"
    yield Line("10 % copied: containment", contained, target, enough == len(contained))
    yield Line("10 % copied: flags", [float(not is_met)], "none", is_met)


def independent_pairs() -> Iterator[Line]:
    programs = independent()
    found = [compare(a, b).similarity for a, b in combinations(programs.values(), 2)]
    is_met = sum(figure > 0.35 for figure in found) <= 1 and sorted(found)[-2] <= 0.30
    yield Line("independent solutions", found, "≤ 0.30, one of 190 above 0.35", is_met)


def odd_programs() -> Iterator[Line]:
    """Seconds of processor time per megabyte; none may end in an error."""
    code = "".join(file.read_text("utf-8") for file in FILES)
    whole = (code * (1 + (5 << 20) // len(code)))[: 5 << 20]
    for name, text in {
        "5 MB": whole,
        "broken syntax": code.replace(")", "", 40),
        "empty": "",
    }.items():
        began = time.process_time()
        fingerprint(text.encode())
        seconds = (time.process_time() - began) / max(1.0, len(text) / (1 << 20))
        yield Line(f"{name}: seconds per MB", [seconds], "≤ 1", seconds <= 1)


def index_times(count: int) -> Iterator[Line]:
    """Real time to index so many kernels with the machine's processors, and to ask the index."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_kernels(folder, count)
        with Fingerprinter() as fingerprinter:
            began = time.monotonic()
            index = open_kernels(folder, fingerprinter)
            seconds = time.monotonic() - began
        yield Line(f"index of {count} kernels: seconds", [seconds], "≤ 60", seconds <= 60)
        program = fingerprint(changes.PIPELINES[0].read_bytes())
        began = time.monotonic()
        selected = index.select("competition-0", index.template("competition-0"))
        selected.overlaps(program)
        seconds = time.monotonic() - began
        yield Line("query: seconds", [seconds], "≤ 2", seconds <= 2)


def write_kernels(folder: Path, count: int) -> None:
    """Different programs of 100 to 300 lines for 80 competitions."""
    texts = [file.read_text("utf-8") for file in FILES]
    for number in range(count):
        rng = random.Random(number)
        home = folder / f"competition-{number % 80}"
        home.mkdir(exist_ok=True)
        lines = "\n".join(rng.sample(texts, 2)).splitlines()[: rng.randrange(100, 300)]
        (home / f"{number}.py").write_text("\n".join(lines) + f"\nx = {number}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=int, default=0, help="also index so many kernels")
    options = parser.parse_args()
    print(f"{'pairs':<44} count    min median    max  target")
    for part in (changed_pairs, copied_pairs, independent_pairs, odd_programs):
        for line in part():
            print(line, flush=True)
    for line in index_times(options.index) if options.index else ():
        print(line, flush=True)


if __name__ == "__main__":
    main()
