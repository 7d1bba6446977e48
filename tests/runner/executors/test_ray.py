"""The ray executor on a real local cluster: lost nodes, a driver that dies, a second driver."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from mlebench.agents.base import AgentPackage
from mlebench.agents.registry import find_agent
from mlebench.runner.executors.ray import NAMESPACE, _with_runs, _without_runs, run_ray
from mlebench.runner.statuses import read_records
from tests.runner.conftest import Start
from tests.runner.test_resume import finished_once, processes_of
from tests.runner.witness import COPY_SAMPLE, SLEEP, Gate, asleep, run_at_once, shared_gpus, wake
from tests.waiting import wait_for

pytestmark = [pytest.mark.long, pytest.mark.timing, pytest.mark.timeout(400)]


@pytest.fixture
def cluster(sandbox: str) -> Iterator[Any]:
    """A head that runs nothing; tests add nodes."""
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    if sandbox != "bubblewrap":
        pytest.skip("bubblewrap does not work here")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def test_r04_lost_nodes_lose_no_run(cluster: Any, start: Start, gate: Gate) -> None:
    import ray

    group, work = start(find_agent("dummy"), seeds=20)
    nodes = [cluster.add_node(num_cpus=1) for _ in range(4)]
    ray.init(address=cluster.address, log_to_driver=False)

    def kill_nodes() -> None:
        if not gate.is_open() and len(gate.workers()) == 4:
            for _ in range(2):
                cluster.remove_node(nodes.pop(), allow_graceful=False)
            wait_for(lambda: len(gate.workers()) == 2, 60)
            gate.open()

    run_ray(replace(work, open_model=gate), cpus=1, on_change=kill_nodes)
    assert len(nodes) == 2
    finished_once(group, 20)
    assert processes_of(group) == []
    assert run_at_once(gate.all_lines()) == []
    # A node that dies takes its own run along and no other: the coordinator is not there.
    assert sum(len(run.attempts) for run in read_records(group)) == 2


def test_arguments_of_the_coordinator_are_small_whatever_the_plan(start: Start) -> None:
    """Ray keeps up to 100 KB with the actor; larger ones are lost with the driver."""
    _, work = start(find_agent("dummy"), seeds=1000)
    assert len(pickle.dumps(_without_runs(work))) < 20_000 < 60_000 < len(pickle.dumps(work))
    assert _with_runs(_without_runs(work)) == work


def test_r05_runs_queue_for_gpus(cluster: Any, start: Start, gate: Gate, two_gpus: None) -> None:
    """Two nodes of one machine: Ray grants two GPUs on the first and one of these on the second."""
    import ray

    group, work = start(find_agent("dummy"), seeds=8, gpus=1, sandbox="process")
    cluster.add_node(num_cpus=2, num_gpus=2)
    cluster.add_node(num_cpus=1, num_gpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    run_ray(replace(work, open_model=gate), cpus=1, gpus=1, on_change=gate.open_for(2))
    finished_once(group, 8)
    lines = gate.all_lines()
    assert {len(line["gpus"]) for line in lines} == {1}
    assert len({gpu for line in lines for gpu in line["gpus"]}) == 2
    assert shared_gpus(lines) == []


def test_runs_go_on_when_the_driver_dies(
    cluster: Any, start: Start, write_agent: Callable[[str], AgentPackage]
) -> None:
    import ray

    held = f"case $MLEBENCH_SEED in 0|5) {SLEEP};; esac\n"
    group, work = start(write_agent(held + COPY_SAMPLE), seeds=6)
    cpus = group.plan.settings.limits.cpus
    cluster.add_node(num_cpus=cpus)
    words = [sys.executable, "-m", "mlebench", "resume", str(group.path), "--executor", "ray"]
    place = ["--ray-address", cluster.address, "--data-dir", str(work.catalogue.get_data_dir())]
    driver = subprocess.Popen([*words, *place], stderr=subprocess.DEVNULL)
    wait_for(asleep, 200)
    driver.kill()
    driver.wait()
    wake()
    # Without a driver all are executed but the last, which sleeps.
    wait_for(lambda: sum(run.is_final for run in read_records(group)) == 5 and asleep(), 200)
    ray.init(address=cluster.address, log_to_driver=False)
    coordinator = ray.get_actor(group.plan.group, namespace=NAMESPACE)
    found = []

    def look() -> None:
        if asleep():
            found.append(ray.get_actor(group.plan.group, namespace=NAMESPACE))
            wake()

    run_ray(work, cpus=cpus, on_change=look)
    finished_once(group, 6)
    # The second driver found the coordinator instead of starting another one.
    assert {actor._actor_id for actor in found} == {coordinator._actor_id}
    with pytest.raises(ValueError):
        ray.get_actor(group.plan.group, namespace=NAMESPACE)
