"""Make the labelled set: honest runs and fresh cases by real agents, the rest by a script."""

from __future__ import annotations

import csv
import json
import pickle
import random
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from mlebench.catalogue import Catalogue
from mlebench.records.folders import GroupFolder
from mlebench.records.ledger import append_entry, read_ledger
from tests.integrity.cases.fresh import copies, fresh_cases
from tests.integrity.cases.honest_replays import honest_replays, injected_replays
from tests.integrity.cases.making import REHEARSED, STARTER, Case, prepare_data, run_cases
from tests.integrity.cases.planted import long_cases, planted_cases
from tests.integrity.cases.replays import Replay, run_replays
from tests.integrity.cases.unseen import unseen_cases

Made = list[tuple[Case | Replay, Path]]
T = TypeVar("T")
PIECE = 8
"""Runs that are made at a time."""


class OutOfTime(Exception):
    """The set is not complete; another call continues."""


@dataclass
class SetMaker:
    """Makes the runs of the set in pieces; those that the folder has are not made again."""

    folder: Path
    seed: int
    scale: float
    megabytes: int
    jobs: int
    deadline: float
    made: Made = field(default_factory=list)

    def __post_init__(self) -> None:
        self.catalogue = prepare_data(self.folder / "data")
        self.runs = self.folder / "runs"
        self.samples = {name: _rows(self.catalogue, name) for name in (*STARTER, *REHEARSED)}
        self.each = max(2, round(10 * self.scale))

    def make(self) -> Made:
        """All runs, with their cases.

        Raises:
            OutOfTime: the deadline has passed.
        """
        half = self.each // 2
        honest = honest_replays(self._draw("honest"), round(120 * self.scale))
        self._replays("honest", sorted(honest, key=lambda case: (case.agent, case.competition)))
        self._replays("injected", injected_replays(self._draw("injected"), round(20 * self.scale)))
        fresh = fresh_cases(self._draw("fresh"), self.samples, half)
        self._replays("fresh", [case for case in fresh if case.label != "I11"])
        for case in fresh:
            if case.label == "I11":
                self._piece(case.name, partial(_choose, case, self.catalogue, self.runs))
        self._replays("copies", copies(self._draw("copies"), _sources(self.made), half))
        planted = planted_cases(self._draw("planted"), self.samples, self.each - half)
        alone = [case for case in planted if case.label in ("I11", "I15")]
        self._cases("planted", [case for case in planted if case not in alone])
        for case in alone:  # each an agent of its own
            draw = self._draw(case.name)
            make = partial(_alone, case, self.made, self.catalogue, self.runs, draw)
            self._piece(case.name, make)
        count = max(1, round(20 * self.scale))
        self._cases("long", long_cases(self._draw("long"), count, self.megabytes))
        unseen = unseen_cases(self._draw("unseen"), self.samples, _sources(self.made))
        self._replays("unseen", unseen)
        return self.made

    def _draw(self, name: str) -> random.Random:
        return random.Random(f"{self.seed} {name}")

    def _replays(self, name: str, cases: Sequence[Replay]) -> None:
        for number, part in enumerate(batched(cases)):
            self._piece(f"{name} {number}", partial(self._run_replays, part))

    def _cases(self, name: str, cases: Sequence[Case]) -> None:
        for number, part in enumerate(batched(cases)):
            self._piece(f"{name} {number}", partial(self._run_cases, part, name))

    def _run_replays(self, cases: Sequence[Replay]) -> Made:
        return list(run_replays(cases, self.catalogue, self.runs, jobs=self.jobs))

    def _run_cases(self, cases: Sequence[Case], name: str) -> Made:
        """The cases of `planted.py`, by an agent that carries out a script."""
        found = list(run_cases(cases, self.catalogue, self.runs, name))
        for case, run in found:
            if case.label == "I10" and case.replies == ("regrade",):
                _regrade(run)
        return list(found)

    def _piece(self, name: str, make: Callable[[], Made]) -> None:
        stored = self.folder / "pieces" / f"{name}.pickle"
        if not stored.is_file():
            if time.monotonic() > self.deadline:
                raise OutOfTime
            pairs = [(case, str(run.relative_to(self.folder))) for case, run in make()]
            stored.parent.mkdir(exist_ok=True)
            stored.write_bytes(pickle.dumps(pairs))
        known = pickle.loads(stored.read_bytes())
        self.made += [(case, self.folder / run) for case, run in known]


def batched(cases: Sequence[T]) -> list[Sequence[T]]:
    return [cases[start : start + PIECE] for start in range(0, len(cases), PIECE)]


def _choose(case: Replay, catalogue: Catalogue, runs: Path) -> Made:
    """The first of two seeds of a case; the other one is left out."""
    (first, second) = run_replays([case, case], catalogue, runs)
    hide(first[1], second[1], case.afterwards)
    return [first]


def _sources(made: Sequence[tuple[Case | Replay, Path]]) -> list[tuple[str, str, str]]:
    """Competition, program and submission of honest runs of `tree` that found a solution."""
    found = []
    for case, run in made:
        code = run / "code" / "solution.py"
        is_table = case.competition in STARTER[:3]
        if isinstance(case, Replay) and case.agent == "tree" and is_table and code.is_file():
            sealed = run / "host" / "submission.csv"
            found.append((case.competition, code.read_text(), sealed.read_text()))
    return found


def _alone(case: Case, made: Made, catalogue: Catalogue, runs: Path, draw: random.Random) -> Made:
    """A case that is a group of its own: a copy of an honest run, or a choice among runs."""
    if case.label == "I15":
        place = case.competition
        victims = [
            r
            for c, r in made
            if (c.label, c.competition) == ("honest", place) and c.name != "constant"
        ]
        text = (draw.choice(victims) / "host" / "submission.csv").read_text()
        case.script[-1][1]["rows"] = [line.split(",") for line in text.split()]
        return list(run_cases([case], catalogue, runs, "copier"))
    plain = Case("I11", case.name, case.competition, case.script, case.is_disguised, "planted")
    (first, second) = run_cases([plain, plain], catalogue, runs, "selector")
    hide(first[1], second[1], "plan" if case.replies == ("edit plan",) else "remove")
    return [first]


def hide(first: Path, second: Path, how: str) -> None:
    """Leave the second run out: its folder, the plan's line, or also its gradings."""
    group = GroupFolder(first.parent)
    if how in ("plan", "ledger"):
        plan = json.loads(group.metadata.read_text())
        plan["runs"] = [run for run in plan["runs"] if run["run_id"] != second.name]
        group.metadata.write_text(json.dumps(plan))
    if how == "ledger":
        lines = group.ledger.read_text().splitlines(keepends=True)
        group.ledger.write_text("".join(line for line in lines if second.name not in line))
    shutil.rmtree(second)


def _regrade(run: Path) -> None:
    """As if somebody had graded the run twice and kept the ledger."""
    ledger = GroupFolder(run.parent).ledger
    (entry, *_) = read_ledger(ledger).gradings_of(run.name)
    append_entry(ledger, entry)


def _rows(catalogue: Catalogue, name: str) -> list[list[str]]:
    with catalogue.get_competition(name).sample_submission.open(newline="") as stream:
        return list(csv.reader(stream))
