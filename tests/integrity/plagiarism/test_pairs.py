"""Pairs of programs with a known relation, and the figures that they must get."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from mlebench.integrity.plagiarism.code import notebook_code
from mlebench.integrity.plagiarism.fingerprints import Fingerprints, fingerprint
from mlebench.integrity.plagiarism.matching import Match, compare
from mlebench.integrity.plagiarism.tokens import find_tokenizer

from . import changes

FILES = [*changes.package_files()[::2], *changes.PIPELINES]
BASELINE = sorted((changes.PACKAGE / "agents" / "baseline").glob("*.py"))
Change = Callable[[str, random.Random], str]
prints = cache(fingerprint)
"""Most files are compared several times."""


def match(one: str | bytes, other: str | bytes) -> Match:
    return compare(*(prints(c.encode() if isinstance(c, str) else c) for c in (one, other)))


def similarities(change: Change, files: Sequence[Path] = FILES) -> list[float]:
    found = []
    for file in files:
        code = file.read_text("utf-8")
        found.append(match(code, change(code, random.Random(file.name))).similarity)
    return sorted(found)


@pytest.mark.parametrize(
    "change",
    [
        lambda code, rng: code,
        changes.rename_all,
        changes.retype_literals,
        changes.change_comments,
        lambda code, rng: changes.reformat(code, 88),
    ],
    ids=["identical", "renamed", "retyped", "commented", "black"],
)
def test_superficial_changes_are_seen_through(change: Change) -> None:
    assert similarities(change, changes.PIPELINES)[0] >= 0.95
    # The package's own files change with every version.
    assert similarities(change, FILES[: -len(changes.PIPELINES)])[1] >= 0.93


def test_layout_matters_little() -> None:
    found = similarities(lambda code, rng: ast.unparse(ast.parse(code)))
    assert median(found) >= 0.95
    assert found[0] >= 0.80


def as_notebook(code: str, rng: random.Random) -> str:
    return notebook_code(changes.to_notebook(code, rng)).decode()


@pytest.mark.parametrize("change", [changes.reorder, as_notebook], ids=["reordered", "cells"])
def test_order_and_cells_matter_little(change: Change) -> None:
    assert similarities(change)[0] >= 0.75


def test_several_changes_at_once() -> None:
    def change(code: str, rng: random.Random) -> str:
        other = changes.rename_all(changes.reorder(code, rng), rng)
        return changes.change_comments(changes.retype_literals(other, rng), rng)

    assert similarities(change)[0] >= 0.75


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("statements", [40, 150])
def test_loops_in_place_of_comprehensions(seed: int, statements: int) -> None:
    comprehensions, loops = changes.write_program(random.Random(seed), statements, loops=0.2)
    assert comprehensions != loops
    assert 0.55 <= match(comprehensions, loops).similarity < 1


def pasted_pairs(share: float, count: int) -> Iterator[tuple[Match, set[int]]]:
    """Code of which this share is from another file, compared with that file; its copied lines.

    Lines without tokens, such as those inside a docstring, do not count as lines of code.
    """
    rng = random.Random(share)
    usable = [file for file in FILES if len(prints(file.read_bytes())) >= 100]
    while count:
        host, donor = (file.read_text("utf-8") for file in rng.sample(usable, 2))
        if match(host, donor).containment > 0.2:
            continue  # similar files are not independent code
        code, pasted = changes.paste(host, donor, share, rng)
        where = find_tokenizer().read(code.encode()).lines
        actual = np.isin(where, list(pasted)).mean()
        if len(pasted) >= 8 and abs(actual - share) < 0.04:
            yield match(code, donor), pasted.intersection(where.tolist())
            count -= 1


def covered(found: Match, lines: set[int]) -> float:
    """The share of these lines that the matching ranges name."""
    matched = {line for r in found.ranges for line in range(r.first, r.last + 1)}
    return len(lines & matched) / len(lines)


def test_a_third_is_copied() -> None:
    found = list(pasted_pairs(0.3, 40))
    contained = [m.containment for m, _ in found]
    # What files of one project share anyway is on top of the copy.
    assert sum(0.25 <= figure <= 0.45 for figure in contained) >= 37
    assert sum(covered(m, lines) >= 0.8 for m, lines in found) >= 39


def test_a_tenth_is_copied() -> None:
    found = list(pasted_pairs(0.1, 40))
    assert sum(m.containment >= 0.08 for m, _ in found) >= 39
    assert all(m.similarity < 0.60 and m.containment < 0.50 for m, _ in found)


def independent() -> dict[str, Fingerprints]:
    """The hand-written pipelines, by name."""
    return {file.stem: prints(file.read_bytes()) for file in changes.PIPELINES}


def test_independent_solutions_of_one_competition() -> None:
    programs = independent()
    assert len(programs) == 20
    found = [compare(one, other) for one, other in combinations(programs.values(), 2)]
    assert len(found) == 190
    assert max(match.similarity for match in found) <= 0.30
    assert max(match.containment for match in found) <= 0.35


def test_the_baseline_agent_and_independent_solutions() -> None:
    baseline = [prints(file.read_bytes()) for file in BASELINE]
    found = [
        compare(program, part)
        for program in independent().values()
        for part in baseline
        if len(part) >= 50
    ]
    assert len(found) >= 200
    assert max(match.similarity for match in found) <= 0.30
    assert max(match.containment for match in found) <= 0.35


def test_ranges_name_the_same_lines_on_both_sides() -> None:
    donor = FILES[0].read_text("utf-8")
    found = match("import os\n\n\n" + donor, donor)
    longest = max(found.ranges, key=lambda r: r.last - r.first)
    assert (longest.first - longest.other_first, longest.last - longest.other_last) == (3, 3)
    assert longest.other_last >= donor.count("\n") - 2
