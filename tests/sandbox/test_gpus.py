"""D07, R05: GPUs are leased, checked before use, and only granted ones exist inside."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.errors import SandboxError
from mlebench.sandbox.gpus import (
    SHARED_NODES,
    device_nodes,
    leased_gpus,
    list_gpus,
)

FREE = "0, GPU-a, H200, 143771, 0, 570.1\n1, GPU-b, H200, 143771, 4, 570.1\n"


@pytest.fixture
def smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """A stand-in nvidia-smi with given answers."""
    folder = tmp_path / "bin"
    folder.mkdir()

    def answer(gpus: str, users: str = "", exit_code: int = 0) -> None:
        (folder / "gpus").write_text(gpus)
        (folder / "users").write_text(users)
        program = folder / "nvidia-smi"
        program.write_text(
            f'#!/bin/sh\ncase "$1" in *compute-apps*) cat {folder}/users;;'
            f" *) cat {folder}/gpus;; esac\n"
            f"exit {exit_code}\n"
        )
        program.chmod(0o755)

    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return answer


def indices(gpus: object) -> list[int]:
    return [gpu.index for gpu in gpus]  # type: ignore[attr-defined]


def test_gpus_are_listed(smi) -> None:  # type: ignore[no-untyped-def]
    smi(FREE, "GPU-b, 4711\n")
    first, second = list_gpus()
    assert (first.index, first.memory_bytes, first.is_busy) == (0, 143771 << 20, False)
    assert (second.pids, second.is_busy) == ((4711,), True)


def test_two_runs_never_share_a_gpu(smi, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    smi(FREE)
    with leased_gpus(1, folder=tmp_path) as first, leased_gpus(1, folder=tmp_path) as second:
        assert indices(first) + indices(second) == [0, 1]
        with pytest.raises(SandboxError, match="only 0 are free"), leased_gpus(1, folder=tmp_path):
            pass
    with leased_gpus(2, folder=tmp_path) as both:
        assert indices(both) == [0, 1]


def test_R05_busy_gpu_is_passed_over(smi, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    smi("0, GPU-a, H200, 143771, 71680, 570.1\n1, GPU-b, H200, 143771, 4, 570.1\n", "GPU-a, 99\n")
    with leased_gpus(1, folder=tmp_path) as free:
        assert indices(free) == [1]
    with pytest.raises(SandboxError, match="only 1 are free"), leased_gpus(2, folder=tmp_path):
        pass


def test_R05_wrong_count_is_the_machines_fault(smi, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    smi(FREE)
    said = "3 GPUs were requested, this machine has 2"
    with pytest.raises(SandboxError, match=said), leased_gpus(3, folder=tmp_path):
        pass


def test_R05_lost_driver(smi, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    smi("Unable to determine the device handle\n", exit_code=9)
    with pytest.raises(SandboxError, match="Unable to determine"), leased_gpus(1, folder=tmp_path):
        pass


def test_none_needs_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with leased_gpus(0) as none:
        assert none == ()
    assert list_gpus() == []


@pytest.mark.parametrize("granted", [(), (0,), (1, 3)])
def test_D07_only_granted_devices_exist_inside(granted: tuple[int, ...]) -> None:
    nodes = device_nodes(granted)
    assert [n for n in nodes if n not in SHARED_NODES] == [f"/dev/nvidia{n}" for n in granted]
    assert granted or nodes == []
