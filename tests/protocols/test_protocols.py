"""Protocols: the data, and every deviation that the records of runs show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from mlebench.catalogue import Catalogue
from mlebench.errors import UnknownNameError
from mlebench.protocols import (
    AsRun,
    find_deviations,
    get_protocol,
    list_protocols,
    nearest_protocol,
)
from mlebench.records.group import GrantedLimits, Settings
from mlebench.records.run import Provenance
from mlebench.results.attempts import load_attempts
from mlebench.results.compliance import find_compliance
from mlebench.runner.profiles import get_profile
from tests.command import mlebench
from tests.results.made_runs import make_group

LITE = get_protocol("lite")
LOW = Catalogue().get_split("low")
LIMITS = GrantedLimits(cpus=36, memory_bytes=440 * 10**9, gpus=1)
EXACT = Settings(sandbox="docker", hours=24, limits=LIMITS, network="open")
MACHINE = Provenance(
    mlebench="1", cpus=36, memory_bytes=472 * 10**9, gpus=("NVIDIA A10, 23028 MiB, 550",)
)


def as_run(**settings: Any) -> AsRun:
    return AsRun(dict.fromkeys(LOW, 3), structs.replace(EXACT, **settings), (MACHINE,))


def test_the_numbers_of_the_published_protocols() -> None:
    sizes = {p.name: (p.competitions, p.seeds, p.hours) for p in list_protocols()}
    assert sizes == {"published": (75, 3, 24), "lite": (22, 3, 24), "systemcard": (30, 3, 24)}
    for protocol in list_protocols():
        assert len(set(Catalogue().get_split(protocol.split))) == protocol.competitions
        profile = get_profile(protocol.profile)
        assert (profile.hours, profile.limits.cpus, profile.limits.gpus) == (24, 36, 1)
        assert profile.limits.memory_bytes == protocol.memory_gb * 10**9 == 440 * 10**9
        assert protocol.gpu_memory_gb == 24
    with pytest.raises(UnknownNameError, match="did you mean 'lite'"):
        get_protocol("lit")


def test_runs_as_published_do_not_deviate() -> None:
    assert find_deviations(LITE, as_run()) == ()


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"hours": 12}, "hours: 12 instead of 24"),
        ({"network": "none"}, "network: closed instead of open"),
        ({"revision": "v1.1"}, "revision: v1.1 instead of v1"),
        ({"is_obfuscated": True}, "descriptions: obfuscated (L1) instead of plain"),
        ({"obfuscation": "L3"}, "descriptions: obfuscated (L3) instead of plain"),
        ({"is_rehearsal": True}, "data: rehearsal (synthetic) instead of real"),
        ({"sandbox": "process"}, "sandbox: not isolated instead of isolated"),
        ({"limits": structs.replace(LIMITS, cpus=8)}, "CPUs: 8 instead of 36"),
        ({"limits": structs.replace(LIMITS, gpus=0)}, "GPUs: 0 instead of 1"),
        ({"limits": structs.replace(LIMITS, memory_bytes=10**11)}, "memory: 100 GB instead of 440"),
    ],
)
def test_each_setting_is_compared(settings: dict[str, Any], text: str) -> None:
    (found,) = find_deviations(LITE, as_run(**settings))
    assert str(found).startswith(text)


@pytest.mark.parametrize(
    ("machine", "text"),
    [
        ({"cpus": 2}, "CPUs: 2 instead of 36"),
        ({"memory_bytes": 64 * 10**9}, "memory: 64 GB instead of 440 GB"),
        ({"gpus": ()}, "GPUs: 0 instead of 1"),
        ({"gpus": ("NVIDIA H200, 143771 MiB, 550",)}, "GPU memory: 151 GB instead of 24 GB"),
        ({"gpus": ("NVIDIA A10, 550",)}, "GPU memory: not recorded instead of 24 GB"),
    ],
)
def test_the_machine_counts_and_not_what_was_asked_for(machine: dict[str, Any], text: str) -> None:
    there = AsRun(dict.fromkeys(LOW, 3), EXACT, (MACHINE, structs.replace(MACHINE, **machine)))
    assert [str(d) for d in find_deviations(LITE, there)] == [text]


def test_extent_enforcement_and_the_network_that_was_found() -> None:
    seeds = dict.fromkeys(LOW[:5], 3) | {LOW[5]: 1, "spaceship-titanic": 3}
    found = AsRun(seeds, EXACT, (MACHINE,), {"cpus": "not"}, frozenset({"none", "host"}))
    assert [str(d) for d in find_deviations(LITE, found)] == [
        "competitions: 6 and 1 outside it instead of 22",
        "seeds: 1 to 3 instead of 3",
        "network: closed and open instead of open",
        "limits: cpus not enforced instead of enforced",
    ]


def test_the_nearest_protocol() -> None:
    names = {p.name: nearest_protocol(Catalogue().get_split(p.split)) for p in list_protocols()}
    assert {name: p.name if p else None for name, p in names.items()} == {
        "published": "published",
        "lite": "lite",
        "systemcard": "systemcard",
    }
    assert nearest_protocol(["spaceship-titanic"]) is None


def test_reports_compare_what_was_run(tmp_path: Path) -> None:
    group = make_group(tmp_path, "aide", LOW, seeds=2, outcomes=["gold", "failed"], slim=True)
    found = find_compliance(load_attempts([group.path]))
    assert found is not None and found.protocol == "lite" and not found.is_named
    texts = [str(deviation) for deviation in found.deviations]
    assert "seeds: 2 instead of 3" in texts and "network: closed instead of open" in texts
    plan = json.loads(group.metadata.read_text()) | {"protocol": "published"}
    group.metadata.write_text(json.dumps(plan))
    named = find_compliance(load_attempts([group.path]))
    assert named is not None and named.is_named
    assert "competitions: 22 instead of 75" in map(str, named.deviations)
    done = mlebench("report", group.path, "--json", "--html", tmp_path / "page.html")
    (facts,) = json.loads(done.stdout)["agents"].values()
    assert facts["protocol"]["name"] == "published"
    assert "competitions: 22 instead of 75" in [d["text"] for d in facts["protocol"]["deviations"]]
    assert "competitions: 22 instead of 75" in (tmp_path / "page.html").read_text()
    assert "from the protocol published: " in mlebench("report", group.path).stderr


def test_a_protocol_plans_its_competitions_seeds_and_hours(tmp_path: Path) -> None:
    mlebench("prepare", "-c", "starter-wine", "--data-dir", tmp_path)
    words = ["--agent", "dummy", "--protocol", "lite", "--sandbox", "process", "--plan-only"]
    places = ["--data-dir", tmp_path, "--runs-dir", tmp_path / "runs", "--json"]
    done = mlebench("run", *words, "-c", "starter-wine", "--hours", "0.1", *places)
    facts = json.loads(done.stdout)
    assert len(facts["runs"]) == 3
    assert facts["protocol"] == "lite" and facts["settings"]["profile"] == "published"
    names = [deviation["name"] for deviation in facts["deviations"]]
    assert {"competitions", "hours", "sandbox"} <= set(names) and "seeds" not in names
    assert "deviations from the protocol lite: competitions: 0 and 1 outside it" in done.stderr
