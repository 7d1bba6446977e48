"""The forecast of a group: figures by hand, and everything that a machine can lack."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from mlebench.catalogue import Catalogue
from mlebench.cli.forecasting import forecast_lines
from mlebench.records.group import GrantedLimits, Settings
from mlebench.runner.forecast import count_runs, find_earlier, make_forecast
from mlebench.runner.lacks import find_cluster_lacks, find_lacks
from tests.command import mlebench
from tests.results.made_runs import make_group

GATEWAY = {
    "model": "m",
    "base_url": "https://api.example/v1",
    "group_budget": {"cost": 100.0},
    "run_budget": {"cost": 3.0},
    "prices": {"models": {"m": {"input": 1, "output": 1}}},
    "api_key_env": "NO_SUCH_KEY",
}
LIMITS = GrantedLimits(cpus=1, memory_bytes=10**9, disk_bytes=2 * 10**9)
SETTINGS = Settings(sandbox="process", hours=2, limits=LIMITS)


def forecast(catalogue: Catalogue, ids: list[str], settings: Settings, **more: Any) -> Any:
    planned = count_runs(ids, more.pop("seeds", 3))
    defaults: dict[str, Any] = {"jobs": 2, "runs_dir": Path("none"), "agent": "aide"}
    return make_forecast(catalogue, planned, settings, **defaults | more)


def test_time_is_rounds_of_the_limit(prepared: Catalogue) -> None:
    found = forecast(prepared, ["spaceship-titanic"], SETTINGS, jobs=2)
    # Three runs, two at once, two hours each: two rounds.
    assert (found.runs, found.seconds_at_most) == (3, 4 * 3600)
    assert found.to_prepare == () and found.data_now > 0
    line = next(forecast_lines(found, Path("data")))
    assert line == "forecast: 3 runs × 2 h ÷ 2 at once = at most 4 h"


def test_disk_of_what_is_not_prepared(tmp_path: Path) -> None:
    ids = ["spaceship-titanic", "dog-breed-identification", "imet-2020-fgvc7"]
    found = forecast(Catalogue(tmp_path), ids, SETTINGS, jobs=1)
    assert found.to_prepare == tuple(ids)
    # At most: the largest archive, all unpacked data, and 15 % scratch space; imet is estimated.
    assert found.data_peak.most == pytest.approx(40e9 + 1.15 * (0.001 + 0.75 + 40) * 1e9)
    assert 20e9 < found.data_peak.least < found.data_peak.most
    rehearsed = forecast(Catalogue(tmp_path), ids, SETTINGS, uses_rehearsal=True)
    assert rehearsed.data_peak.most < 1e8


@pytest.mark.parametrize(
    ("budgets", "most"),
    [
        ({}, 9.0),
        ({"group_budget": {"cost": 5.0}}, 5.0),
        ({"run_budget": {}}, 100.0),
        ({"group_budget": {}, "run_budget": {"calls": 3}}, None),
    ],
)
def test_money_at_most(prepared: Catalogue, budgets: dict[str, Any], most: float | None) -> None:
    settings = structs.replace(SETTINGS, gateway=GATEWAY | budgets, model="m")
    found = forecast(prepared, ["spaceship-titanic"], settings)
    assert found.cost_at_most == most
    assert any("--max-cost" in text for text in found.warnings) == (most is None)
    local = structs.replace(SETTINGS, gateway=GATEWAY | {"base_url": "http://localhost:1/v1"})
    assert forecast(prepared, ["spaceship-titanic"], local).cost_at_most == 0


def test_typical_values_are_medians_of_earlier_runs_of_agent_and_model(tmp_path: Path) -> None:
    model = "made-up-model-1"
    changes = {"settings": {"model": model}, "outcomes": ["gold", "below", "above"]}
    group = make_group(tmp_path, "aide", ["spaceship-titanic"], seeds=3, slim=True, **changes)
    make_group(tmp_path, "other", ["spaceship-titanic"], number=1, slim=True, **changes)
    runs = sorted(group.path.glob("*/run.json"))
    for file, seconds, cost in zip(runs, (10, 20, 60), (1.0, 2.0, 9.0), strict=True):
        facts = json.loads(file.read_text())
        facts |= {"seconds": seconds, "model": {"name": model, "cost": cost}}
        facts["usage"]["disk_bytes"] = {"used": seconds * 1000}
        file.write_text(json.dumps(facts))
    settings = structs.replace(SETTINGS, model=model)
    found = find_earlier(tmp_path, "aide", settings)
    assert (found.runs, found.seconds, found.cost, found.disk_bytes) == (3, 20, 2.0, 20_000)
    assert find_earlier(tmp_path, "aide", SETTINGS).runs == 0
    assert find_earlier(tmp_path, "nobody", settings).runs == 0


def lacking(catalogue: Catalogue, settings: Settings, **more: Any) -> dict[str, Any]:
    ids = more.pop("ids", ["spaceship-titanic"])
    found = find_lacks(catalogue, ids, settings, jobs=1, is_local=True, **more)
    return {lack.subject: lack for lack in found}


def test_each_lack_is_found(
    prepared: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lacking(prepared, SETTINGS) == {}
    monkeypatch.setenv("PATH", str(tmp_path))
    gpus = structs.replace(SETTINGS, limits=structs.replace(LIMITS, gpus=1))
    assert lacking(prepared, gpus)["GPUs"].is_blocking
    engine = lacking(prepared, structs.replace(SETTINGS, sandbox="apptainer"))["engine"]
    assert engine.is_blocking and "apptainer does not work here" in engine.reason
    own = structs.replace(SETTINGS, sandbox="apptainer")
    assert "none.sif does not exist" in lacking(prepared, own, image="none.sif")["image"].reason
    wide = structs.replace(SETTINGS, limits=structs.replace(LIMITS, cpus=10**4))
    assert not lacking(prepared, wide)["CPUs"].is_blocking
    large = structs.replace(SETTINGS, limits=structs.replace(LIMITS, memory_bytes=10**16))
    assert not lacking(prepared, large)["memory"].is_blocking
    paid = structs.replace(SETTINGS, gateway=GATEWAY, model="m")
    assert "NO_SUCH_KEY" in lacking(prepared, paid)["credentials"].reason
    data = lacking(prepared, SETTINGS, ids=["spaceship-titanic", "AI4Code", "imet-2020-fgvc7"])
    assert data["data"].competitions == ("AI4Code", "imet-2020-fgvc7")
    command = f"prepare -c AI4Code -c imet-2020-fgvc7 --data-dir {prepared.get_data_dir()}"
    assert command in data["data"].remedy
    revised = Catalogue(tmp_path, revision="v1.1")
    whole = lacking(revised, SETTINGS, ids=revised.get_split("all"))["data"]
    assert "prepare --split all --data-dir" in whole.remedy and "--revision v1.1" in whole.remedy
    assert lacking(revised, SETTINGS, uses_rehearsal=True) == {}


def test_a_missing_gpu_stops_the_group_before_its_first_run(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    words = ["--agent", "dummy", "-c", "spaceship-titanic", "--sandbox", "process"]
    places = ["--data-dir", data_dir, "--runs-dir", tmp_path / "runs"]
    done = mlebench("run", *words, "--gpus", "64", *places)
    assert done.returncode == 1
    assert "no run can start here: a run needs 64 GPUs, this machine has" in done.stderr
    assert not (tmp_path / "runs").exists()


def test_a_dry_run_prints_json_and_writes_nothing(data_dir: Path, tmp_path: Path) -> None:
    words = ["--agent", "dummy", "--sandbox", "process", "--dry-run", "--json"]
    places = ["--data-dir", data_dir, "--runs-dir", tmp_path / "runs"]
    done = mlebench("run", *words, "-c", "spaceship-titanic", *places)
    facts = json.loads(done.stdout)
    assert done.returncode == 0 and facts["runs"] == 1 and facts["cost_at_most"] == 0
    assert not (tmp_path / "runs").exists()
    missing = mlebench("run", *words, "--lite", "--gpus", "0", *places)
    assert missing.returncode == 1
    (data,) = [x for x in json.loads(missing.stdout)["lacks"] if x["subject"] == "data"]
    assert len(data["competitions"]) == 21  # leaf-classification is prepared
    assert " prepare -c aerial-cactus-identification -c aptos2019" in missing.stderr


def test_a_cluster_that_does_not_answer_is_found_before_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        assert find_cluster_lacks("ray", address) == []
        assert find_cluster_lacks("ray", f"ray://{address}") == []
    (lack,) = find_cluster_lacks("ray", address)
    assert lack.is_blocking and lack.reason == f"no Ray cluster answers at {address}"
    assert find_cluster_lacks("ray", "auto") == find_cluster_lacks("ray", None) == []
    assert find_cluster_lacks("local", address) == []
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_cluster_lacks("slurm", None)[0].is_blocking


def test_a_dry_run_of_a_protocol_lists_the_deviations(data_dir: Path, tmp_path: Path) -> None:
    words = ["--agent", "dummy", "--sandbox", "process", "--dry-run", "--json", "--gpus", "0"]
    words += ["--protocol", "lite", "--hours", "2", "--seeds", "1"]
    done = mlebench("run", *words, "-c", "spaceship-titanic", "--data-dir", data_dir, cwd=tmp_path)
    found = {x["name"]: (x["expected"], x["found"]) for x in json.loads(done.stdout)["deviations"]}
    assert found["hours"] == ("24", "2") and found["seeds"] == ("3", "1")
    assert found["GPUs"] == ("1", "0")
    assert "deviations from the protocol lite: " in done.stderr


@pytest.mark.parametrize("wrong", [("--notify", "ftp://x"), ("--notify-command", "'")])
def test_a_wrong_notification_is_wrong_usage(wrong: tuple[str, str], data_dir: Path) -> None:
    words = ["--agent", "dummy", "-c", "spaceship-titanic", "--dry-run", "--data-dir", data_dir]
    done = mlebench("run", *words, *wrong)
    assert done.returncode == 2 and wrong[0] in done.stderr


@pytest.mark.timing
def test_225_runs_are_forecast_within_two_seconds(tmp_path: Path) -> None:
    catalogue = Catalogue(tmp_path)
    ids = catalogue.get_split("all")
    start = time.process_time()
    lacks = find_lacks(catalogue, ids, SETTINGS, jobs=4, is_local=True)
    found = forecast(catalogue, ids, SETTINGS, jobs=4, lacks=lacks)
    assert time.process_time() - start < 2
    assert (found.runs, found.seconds_at_most) == (225, 57 * 2 * 3600)
