"""Episodes on a real local Ray cluster: placement by data, and machines that die."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.gym.adapters import SessionSettings
from mlebench.gym.holdout import ensure_holdout
from mlebench.gym.ray import PREFIX, RemoteEpisode, place_actors
from mlebench.preparing.prepare import prepare
from tests.gym.adapters.scripts import actions, expected

pytestmark = [pytest.mark.long, pytest.mark.timing, pytest.mark.timeout(400)]
WINE = "starter-wine"


@pytest.fixture
def cluster() -> Iterator[Any]:
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


@pytest.fixture
def settings(tmp_path: Path) -> SessionSettings:
    competition = Catalogue(tmp_path / "data", revision="v1.1").get_competition(WINE)
    prepare(competition)
    ensure_holdout(competition)
    return SessionSettings(
        competition=WINE,
        reward="normalised+valid",
        data_dir=str(tmp_path / "data"),
        sandbox="process",
    )


def test_lost_machines_truncate(cluster: Any, settings: SessionSettings) -> None:
    """A killed actor and a removed node cost their own episodes, masked, and no other."""
    import ray

    near = cluster.add_node(num_cpus=2, resources={f"{PREFIX}{WINE}": 1})
    other = cluster.add_node(num_cpus=2)
    ray.init(address=cluster.address, log_to_driver=False)
    actors = place_actors(settings, 2)
    episodes = [RemoteEpisode(actor) for actor in actors]
    for number, episode in enumerate(episodes):
        assert "Starter: Wine" in episode.reset(seed=number)

    # Both are on the node that has the data, although another one is free.
    nodes = {node["NodeID"] for node in ray.nodes() if PREFIX + WINE in node["Resources"]}
    found = {ray.get(actor.__ray_call__.remote(node_id)) for actor in actors}
    assert found == nodes and len(nodes) == 1

    process = ray.get(actors[1].__ray_call__.remote(lambda self: os.getpid()))
    os.kill(process, signal.SIGKILL)
    lost = episodes[1].step(actions(1)[0])
    check_lost(lost)
    with pytest.raises(UsageError, match="place another actor"):
        episodes[1].reset()

    # The other one goes on as if nothing had happened.
    results = [episodes[0].step(action) for action in actions(0)]
    assert results[-1].terminated and not results[-1].truncated
    assert sum(result.reward or 0.0 for result in results) == pytest.approx(expected(0))

    episodes[0].reset(seed=5)
    cluster.remove_node(near, allow_graceful=False)
    # A worker may answer until it notices that its node is gone.
    for _ in range(20):
        lost = episodes[0].step(actions(0)[0])
        if lost.truncated:
            break
        time.sleep(1)
    check_lost(lost)
    assert other


def check_lost(result: Any) -> None:
    assert result.reward is None, "a reward of 0 would be learnt from"
    assert result.truncated and not result.terminated
    assert result.info["blame"] == "infrastructure"


def node_id(actor: Any) -> str:
    import ray

    return str(ray.get_runtime_context().get_node_id())
