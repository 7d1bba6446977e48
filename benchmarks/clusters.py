"""Thousands of dummy runs on a cluster whose nodes are killed, against their sandboxes alone.

    python benchmarks/clusters.py                          # Ray: 2,000 runs, 20 nodes, 5 killed
    python benchmarks/clusters.py --runs 100 --nodes 4 --kill 2
    python benchmarks/clusters.py --slurm --runs 200       # two nodes, one killed and brought back

The nodes are processes of this machine. The bounds: no run is lost, graded twice or worked on twice
at once, and the harness costs at most 0.3 s a run. That is the wall time of the group less the wall
time of bare sandboxes with the same agent, as many at once, each divided by its number of runs. It
has the start of the workers and the time that killed nodes cost in it; Slurm needs half a minute
to notice a dead node. A worker's time between two agents is printed, too; with more workers than
processors it is mostly waiting for one. The last lines state each bound as `ok` or `VIOLATED`; the
exit code is 1 if one is violated.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.runner.slurm_cluster import slurm_cluster
from tests.runner.witness import Witness, overheads, run_at_once

from mlebench.agents.registry import find_agent
from mlebench.catalogue import Catalogue
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.records.ledger import read_ledger
from mlebench.runner.executors.ray import run_ray
from mlebench.runner.executors.slurm import run_slurm
from mlebench.runner.group import RunRequest, start_group
from mlebench.runner.limits import make_limits
from mlebench.runner.plan import PlannedGroup
from mlebench.runner.statuses import GroupWatch, read_records
from mlebench.runner.tools import Work
from mlebench.sandbox.mounts import scratch_job
from mlebench.sandbox.registry import get_sandbox

BOUND = 0.3
BARE = 200
"""Bare sandboxes before the group, and as many after it."""
OBJECT_STORE = 80 << 20
MOST_SHOWN = 20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--nodes", type=int, default=20)
    parser.add_argument("--kill", type=int, default=5)
    parser.add_argument("--slurm", action="store_true")
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    nodes, kill = (2, 1) if asked.slurm else (asked.nodes, asked.kill)
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        work = planned(Path(name), asked.runs)
        witness = Witness(Path(name) / "witness")
        witness.folder.mkdir()
        watched = replace(work, open_model=witness)
        before = run_bare(work, nodes)
        if asked.slurm:
            seconds, killed = run_on_slurm(watched, Path(name) / "slurm")
        else:
            seconds, killed = run_on_ray(watched, nodes, kill)
        bare = (before + run_bare(work, nodes)) / 2
        facts, details = check(work.group, witness.all_lines(), asked.runs)
    overhead = seconds / asked.runs - bare
    facts |= {f"{kill} of {nodes} nodes killed": [] if killed == kill else [f"only {killed}"]}
    large = [f"it is {overhead:.3f} s"] if overhead > BOUND else []
    facts |= {f"overhead at most {BOUND} s a run": large}
    details |= {"seconds": round(seconds, 1), "bare_per_run": round(bare, 3)}
    print(json.dumps(details | {"overhead_per_run": round(overhead, 3)}, indent=1))
    for fact, violations in facts.items():
        print(f"{'VIOLATED' if violations else 'ok'}: {fact}", *violations[:MOST_SHOWN], sep="; ")
    return 1 if any(facts.values()) else 0


def planned(folder: Path, count: int) -> Work:
    catalogue = Catalogue(folder / "data")
    prepare(catalogue.get_competition("spaceship-titanic"), Rehearsal())
    request = RunRequest(sandbox="bubblewrap", seeds=count, profile="small")
    ids = ["spaceship-titanic"]
    return start_group(catalogue, find_agent("dummy"), ids, request, folder / "runs")[1]


def run_bare(work: Work, workers: int, count: int = BARE) -> float:
    """Seconds of a sandbox alone, with the group's agent, data and limits, so many at once.

    Nobody answers at the sockets; the agent does not wait for that.
    """
    with get_context("spawn").Pool(workers) as pool:
        pool.map(_bare, [work] * workers, chunksize=1)  # the imports
        begin = time.monotonic()
        pool.map(_bare, [work] * count, chunksize=1)
        return (time.monotonic() - begin) / count


def _bare(work: Work) -> None:
    plan = work.group.plan
    public = work.catalogue.get_competition(plan.runs[0].competition_id).public_dir
    with tempfile.TemporaryDirectory(prefix="mlebench-") as place:
        job = scratch_job(Path(place), work.agent.command, make_limits(plan.settings))
        folders = replace(job.folders, public=public, package=work.agent.mounted)
        get_sandbox(plan.settings.sandbox).run(replace(job, folders=folders))
        if not (folders.submission / "submission.csv").exists():
            raise SystemExit(f"the bare agent failed: {job.log.read_text()}")


def run_on_ray(work: Work, count: int, kill: int) -> tuple[float, int]:
    """Seconds, and how many nodes were killed; they die while a tenth to two thirds is done."""
    import ray
    from ray.cluster_utils import Cluster

    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    nodes = [
        cluster.add_node(num_cpus=1, object_store_memory=OBJECT_STORE, wait=False)
        for _ in range(count)
    ]
    ray.init(address=cluster.address, log_to_driver=False)
    total = len(work.group.plan.runs)
    events = [
        (round(total * (0.1 + 0.6 * k / kill)), lambda: _kill(cluster, nodes)) for k in range(kill)
    ]
    disturbance = Disturbance(work, events)
    begin = time.monotonic()
    try:
        run_ray(work, cpus=1, on_change=disturbance)
        return time.monotonic() - begin, disturbance.happened
    finally:
        ray.shutdown()
        cluster.shutdown()


def _kill(cluster: Any, nodes: list[Any]) -> None:
    cluster.remove_node(nodes.pop(), allow_graceful=False)


def run_on_slurm(work: Work, folder: Path) -> tuple[float, int]:
    """Seconds, and how many nodes were killed and brought back."""
    total = len(work.group.plan.runs)
    with pytest.MonkeyPatch.context() as patch, slurm_cluster(folder, patch) as cluster:
        events = [
            (total // 10, lambda: cluster.kill_node("n1")),
            (total // 2, lambda: cluster.start_node("n1")),
        ]
        disturbance = Disturbance(work, events)
        begin = time.monotonic()
        run_slurm(work, jobs=2, options={}, on_change=disturbance)
        return time.monotonic() - begin, disturbance.happened // 2


class Disturbance:
    """Lets something happen each time so many runs are over."""

    def __init__(self, work: Work, events: Sequence[tuple[int, Callable[[], None]]]) -> None:
        self._watch = GroupWatch(work.group)
        self._events = events
        self.happened = 0

    def __call__(self) -> None:
        if not self._watch.refresh() or self.happened == len(self._events):
            return
        done = sum(run.is_final for run in self._watch.runs)
        least, event = self._events[self.happened]
        if done >= least:
            print(f"{done} runs are over, event {self.happened + 1}", file=sys.stderr, flush=True)
            event()
            self.happened += 1


def check(
    group: PlannedGroup, lines: list[dict[str, Any]], count: int
) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """The violations of each fact, and how long workers needed between two agents."""
    runs = read_records(group)
    graded = Counter(entry.run_id for entry in read_ledger(group.ledger).entries)
    seen = {line["run"] for line in lines if line["event"] == "start"}
    lost = [f"{run.run_id} is {run.state}: {run.reason}" for run in runs if run.state != "finished"]
    lost += [f"{run.run_id} was not graded" for run in runs if not graded[run.run_id]]
    lost += [f"{run.run_id} was never started" for run in runs if run.run_id not in seen]
    if len(runs) != count:
        lost.append(f"{len(runs)} have a record")
    facts = {
        f"none of {count} runs lost": lost,
        "none graded twice": [f"{run_id}: {n} times" for run_id, n in graded.items() if n > 1],
        "none run twice at once": run_at_once(lines),
    }
    clock, processor = overheads(lines)
    return facts, {
        "starts": sum(line["event"] == "start" for line in lines),
        "started_again": sum(bool(run.attempts) for run in runs),
        "between_agents_clock": _median(clock),
        "between_agents_processor": _median(processor),
        "sandbox_seconds": _median([run.seconds or 0 for run in runs]),
    }


def _median(values: Sequence[float]) -> float:
    return round(statistics.median(values), 3) if values else float("nan")


if __name__ == "__main__":
    sys.exit(main())
