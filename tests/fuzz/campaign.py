"""Run mutated submissions through validation and grading, and say what is wrong."""

from __future__ import annotations

import csv
import io
import random
import resource
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.grade import judge_bytes, load_answers
from mlebench.grading.reading import read_texts
from mlebench.validation.validator import Validator
from tests.fuzz.checker import Checker
from tests.fuzz.mutations import mutated

CASE_SECONDS = 20.0
"""Of processor time; the files of a rehearsal are graded in milliseconds."""

CASE_BYTES = 1 << 30
"""Of memory beyond what the process had before."""

MOST_CHARACTERS = 1500


ODD_CELLS = ("18446744073709551616", "18446744073709551616 1", "")
"""Cells that once raised in some formats: beyond 64 bits as a label or a run, and empty keys."""


def odd_files(sample: bytes) -> Iterator[tuple[str, bytes]]:
    """A sample submission with an odd cell in its first row, or in all; each with a name."""
    header, *rows = csv.reader(io.StringIO(sample.decode("utf-8-sig"), newline=""))
    for column in sorted({0, min(1, len(header) - 1), len(header) - 1}):
        for cell, count in product(ODD_CELLS, (1, len(rows))):
            changed = [
                [*row[:column], cell, *row[column + 1 :]] if number < count else row
                for number, row in enumerate(rows)
            ]
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows([header, *changed])
            yield f"{cell!r} as {header[column]!r} in {count} rows", text.getvalue().encode()


class Target:
    """One competition: its validator, its good files, and the checker."""

    def __init__(self, competition: LocatedCompetition) -> None:
        self.competition = competition
        self.validator = Validator(competition, with_hashes=False)
        self.answers = load_answers(competition.answers)
        sample = competition.sample_submission.read_bytes()
        self.checker = Checker.from_sample(sample)
        self.bases = [sample, *_gold(competition, self.checker.header)]

    def data(self, seed: int, number: int) -> bytes:
        """The case with this number, which is the same at each call."""
        rng = random.Random(f"{seed}/{self.competition.id}/{number}")
        return mutated(rng.choice(self.bases), rng)

    def problems(self, data: bytes) -> list[str]:
        """What is wrong with how a file is judged; nothing in most cases.

        A file above the size limit is rejected before anything reads it.
        """
        self.seconds, self.peak_bytes = 0.0, _peak_bytes()
        self.was_valid = self.was_scored = False
        if len(data) > self.validator.limits.max_bytes:
            return []
        start, memory = time.process_time(), _peak_bytes()
        found = []
        is_valid, is_scored = False, False
        try:
            verdict = self.validator.judge(memoryview(data))
            is_valid = verdict.is_valid
            found += _bad_sentence("validation", verdict.text)
        except Exception as error:  # noqa: BLE001
            found.append(f"validation raises {type(error).__name__}: {error}")
        try:
            graded = judge_bytes(
                data, "submission.csv", self.validator.limits, self.competition, self.answers
            )
            is_scored = graded.score is not None
            found += _bad_sentence("grading", graded.reason or "a score")
        except Exception as error:  # noqa: BLE001
            found.append(f"grading raises {type(error).__name__}: {error}")
        self.seconds, self.peak_bytes = time.process_time() - start, _peak_bytes()
        if self.seconds > CASE_SECONDS:
            found.append(f"takes {self.seconds:.0f} s")
        if self.peak_bytes - memory > CASE_BYTES:
            found.append(f"takes {self.peak_bytes - memory >> 20} MiB")
        if is_valid and (problem := self.checker.problem(data)):
            found.append(f"validation accepts {problem}")
        self.was_valid, self.was_scored = is_valid, is_scored
        return found


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _bad_sentence(where: str, text: str) -> list[str]:
    if len(text) > MOST_CHARACTERS or "\n" in text.strip() or not text.strip():
        return [f"{where} says no sentence: {text[:200]!r}"]
    return []


def _gold(competition: LocatedCompetition, header: list[str]) -> list[bytes]:
    """The answers with the columns of a submission, if they are a table that has them."""
    gold: Path = competition.gold_submission
    if gold.suffix != ".csv":
        return []
    text = gold.read_bytes()
    try:
        table = read_texts(text, [name for name in header if name])
    except (ValueError, InvalidSubmissionError):
        return []
    return [table.to_csv(index=False).encode()]
