"""The container configuration of the published harness."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlebench.errors import UsageError
from mlebench.runner.containers import read_container_config
from mlebench.runner.group import RunRequest, make_settings
from mlebench.runner.profiles import get_profile


def test_published_keys_become_limits(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(
        json.dumps(
            {
                "mem_limit": "440g",
                "shm_size": "4G",
                "nano_cpus": 4e9,
                "gpus": 0,
                "runtime": "sysbox",
            }
        )
    )
    found = read_container_config(file)
    assert found == {
        "memory_bytes": 440 << 30,
        "shm_bytes": 4 << 30,
        "cpus": 4.0,
        "gpus": 0,
        "runtime": "sysbox",
    }
    settings = make_settings(RunRequest(sandbox="docker", container=found, image="mine:1"))
    assert settings.limits.memory_bytes == 440 << 30
    assert (settings.runtime, settings.image) == ("sysbox", "mine:1")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"privileged": true}', "'privileged'"),
        ('{"volumes": {}}', "'volumes'"),
        ('{"mem_limit": "lots"}', "'lots'"),
        ('{"nano_cpus": "4"}', "'4'"),
        ("[]", "does not contain a JSON object"),
        ("{", "cannot be read"),
    ],
)
def test_d01_other_keys_are_refused_by_name(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(UsageError, match=words):
        read_container_config(tmp_path / "c.json")


def test_the_published_profile() -> None:
    profile = get_profile("published")
    limits = profile.limits
    assert (limits.cpus, limits.memory_bytes, limits.gpus, profile.hours) == (36, 440e9, 1, 24)
    with pytest.raises(UsageError, match="did you mean 'published'"):
        get_profile("publishd")
