"""`python -m tests.integrity.plagiarism.table`: figures of pairs with a known relation."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from mlebench.integrity.plagiarism.candidates import flag
from mlebench.integrity.plagiarism.fingerprints import fingerprint
from mlebench.integrity.plagiarism.matching import compare

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


def main() -> None:
    print(f"{'pairs':<44} count    min median    max  target")
    for part in (changed_pairs, copied_pairs, independent_pairs, odd_programs):
        for line in part():
            print(line, flush=True)


if __name__ == "__main__":
    main()
