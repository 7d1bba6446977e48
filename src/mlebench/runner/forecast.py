"""Forecast what a group needs: time, disk, money, and what this machine lacks."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.catalogue.sizes import rehearsal_sizes
from mlebench.doctor.disk import Need, disk_need, free_bytes, peak
from mlebench.errors import DataError
from mlebench.gateway.settings import read_settings
from mlebench.records.codec import to_json
from mlebench.records.folders import CompetitionFolder
from mlebench.records.group import Deviation, Settings, read_group
from mlebench.records.manifest import read_manifest
from mlebench.records.run import RunRecord, read_run
from mlebench.runner.lacks import Lack

MOST_EARLIER = 2_000
"""Earlier runs that are read, the newest first."""


@dataclass(frozen=True)
class LeastAndMost:
    """From the least to the most; `most` is None where nothing limits it."""

    least: float
    most: float | None


@dataclass(frozen=True)
class Typical:
    """The medians of earlier runs of the same agent and model."""

    runs: int = 0
    seconds: float | None = None
    disk_bytes: float | None = None
    cost: float | None = None


@dataclass(frozen=True)
class Forecast:
    """All figures of a forecast; bytes, seconds and dollars."""

    runs: int
    jobs: int
    seconds_each: float
    seconds_at_most: float
    """Of wall time, if every run uses its whole time limit."""

    seconds_typical: float | None
    data_now: float
    """Bytes of the prepared data of these competitions that are on disk."""

    to_prepare: tuple[str, ...]
    """Competitions whose data is not prepared."""

    data_peak: LeastAndMost
    """Bytes that preparing these takes at its peak, beyond what is there."""

    unknown_sizes: tuple[str, ...]
    run_at_most: float | None
    """Bytes that a run may write."""

    runs_typical: float | None
    free: float
    cost_at_most: float | None
    """None where no budget limits it, 0 without a paid model."""

    cost_typical: float | None
    earlier: Typical = Typical()
    lacks: tuple[Lack, ...] = ()
    warnings: tuple[str, ...] = ()
    is_paid: bool = False
    competitions: int = 0
    protocol: str = ""
    deviations: tuple[Deviation, ...] | None = None
    """From the protocol, as far as they are known before the start; None without one."""

    @property
    def blocking(self) -> list[Lack]:
        """What keeps every run from starting."""
        return [lack for lack in self.lacks if lack.is_blocking]

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"deviations": to_json(self.deviations)}


def make_forecast(
    catalogue: Catalogue,
    planned: Sequence[str],
    settings: Settings,
    *,
    jobs: int,
    runs_dir: Path,
    agent: str,
    lacks: Sequence[Lack] = (),
    uses_rehearsal: bool = False,
) -> Forecast:
    """The forecast of runs, one entry of `planned` for each.

    Args:
        uses_rehearsal: competitions that are not prepared get rehearsal data.
    """
    ids = list(dict.fromkeys(planned))
    competitions = [catalogue.get_competition(name) for name in ids]
    missing = [c for c in competitions if not c.answers.is_file()]
    needs = {c.id: _need(c, uses_rehearsal=uses_rehearsal) for c in missing}
    known = [need for need in needs.values() if need]
    least = peak([need.at_least() for need in known], keep_raw=False, jobs=jobs)
    earlier = find_earlier(runs_dir, agent, settings)
    free = free_bytes(catalogue.get_data_dir())
    rounds = math.ceil(len(planned) / jobs)
    costs = _costs(settings, len(planned))
    return Forecast(
        runs=len(planned),
        competitions=len(ids),
        jobs=jobs,
        seconds_each=settings.hours * 3600,
        seconds_at_most=rounds * settings.hours * 3600,
        seconds_typical=_times(earlier.seconds, rounds),
        data_now=sum(_prepared_bytes(c.folder) for c in competitions),
        to_prepare=tuple(needs),
        data_peak=LeastAndMost(least, peak(known, keep_raw=False, jobs=jobs)),
        unknown_sizes=tuple(name for name, need in needs.items() if need is None),
        run_at_most=settings.limits.disk_bytes,
        runs_typical=_times(earlier.disk_bytes, len(planned)),
        free=free,
        cost_at_most=costs[0],
        cost_typical=_times(earlier.cost, len(planned)) if costs[1] else None,
        is_paid=costs[1],
        earlier=earlier,
        lacks=tuple(lacks),
        warnings=tuple(_warnings(settings, costs, least, free)),
    )


def _times(value: float | None, count: int) -> float | None:
    return None if value is None else value * count


def _need(competition: LocatedCompetition, *, uses_rehearsal: bool) -> Need | None:
    if not uses_rehearsal:
        return disk_need(competition, None)
    size = rehearsal_sizes().get(competition.id)
    # Its raw data is on disk while it is prepared.
    return Need(size.raw_disk_bytes, size.disk_bytes) if size else None


def _prepared_bytes(folder: CompetitionFolder) -> int:
    try:
        manifest = read_manifest(folder)
    except DataError:
        return 0
    return manifest.total_bytes if manifest else 0


def _costs(settings: Settings, runs: int) -> tuple[float | None, bool]:
    """Dollars at most, and whether the model costs money at all."""
    if not settings.gateway:
        return 0.0, False
    gateway = read_settings(settings.gateway)
    if gateway.replay or gateway.is_local:
        return 0.0, False
    each, total = gateway.run_budget.cost, gateway.group_budget.cost
    bounds = [each * runs] if each is not None else []
    bounds += [total] if total is not None else []
    return (min(bounds) if bounds else None), True


def _warnings(
    settings: Settings, costs: tuple[float | None, bool], least: float, free: float
) -> Iterator[str]:
    if least > free:
        yield f"preparing needs at least {least / 1e9:,.1f} GB, only {free / 1e9:,.1f} GB are free"
    if costs[1] and costs[0] is None:
        yield f"{settings.model} costs money and nothing limits it: give --max-cost DOLLARS"


def find_earlier(runs_dir: Path, agent: str, settings: Settings) -> Typical:
    """Medians over ended runs of this agent and model, on data of the same kind."""
    found: list[RunRecord] = []
    looked = 0
    for file in sorted(runs_dir.glob("*/metadata.json"), reverse=True):
        if looked >= MOST_EARLIER:
            break
        try:
            plan = read_group(file)
        except DataError:
            continue
        is_same = (plan.agent, plan.settings.model) == (agent, settings.model)
        if not is_same or plan.settings.is_rehearsal != settings.is_rehearsal:
            continue
        for run in plan.runs[: MOST_EARLIER - looked]:
            looked += 1
            try:
                record = read_run(file.parent / run.run_id / "run.json")
            except DataError:
                continue
            if record.state == "finished" and record.seconds is not None:
                found.append(record)
    if not found:
        return Typical()
    disk = [r.usage["disk_bytes"].used for r in found if "disk_bytes" in r.usage]
    return Typical(
        runs=len(found),
        seconds=_median([record.seconds for record in found]),
        disk_bytes=_median(disk),
        cost=_median([r.model.cost for r in found if r.model and not r.model.is_replay]),
    )


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(statistics.median(known)) if known else None


def count_runs(ids: Sequence[str], seeds: int) -> list[str]:
    """The competition of every planned run."""
    return list(Counter(dict.fromkeys(ids, seeds)).elements())
