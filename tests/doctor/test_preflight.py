"""Preflight says what is missing, for each competition, and changes nothing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.doctor import disk as preflight_disk
from mlebench.doctor import machine as preflight_machine
from mlebench.doctor.disk import UNPACKED, Need, disk_need, peak
from mlebench.doctor.preflight import Check, preflight, unobtainable
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.system import commands
from tests.kaggle_server import Contest, KaggleServer, Status
from tests.kaggle_server.fixtures import HURRIED, make_zip, pack_rehearsal

IDS = ("spaceship-titanic", "leaf-classification", "denoising-dirty-documents", "starter-wine")


@pytest.fixture
def competitions(tmp_path: Path) -> list[LocatedCompetition]:
    catalogue = Catalogue(tmp_path / "data")
    return [catalogue.get_competition(competition_id) for competition_id in IDS]


def about(checks: list[Check], subject: str) -> dict[str | None, Check]:
    return {check.competition_id: check for check in checks if check.subject == subject}


def look(competitions: list[LocatedCompetition], **options: bool) -> list[Check]:
    return preflight(competitions, with_machine=False, policy=HURRIED, **options)


def test_rules_and_sizes_of_each_competition(
    kaggle_server: KaggleServer, competitions: list[LocatedCompetition], tmp_path: Path
) -> None:
    kaggle_server.add(Contest("spaceship-titanic", make_zip(5_000_000)))
    kaggle_server.add(Contest("leaf-classification", rules_accepted=False))
    checks = look(competitions)
    assert about(checks, "credentials")[None].state == "ok"
    rules = about(checks, "rules")
    assert rules["spaceship-titanic"].state == "ok"
    assert "0.005 GB" in rules["spaceship-titanic"].reason
    assert rules["leaf-classification"].state == "fail"
    assert "competitions/leaf-classification/rules" in str(rules["leaf-classification"].remedy)
    assert "no data for" in rules["denoising-dirty-documents"].reason
    assert "starter-wine" not in rules
    assert set(unobtainable(checks)) == {"leaf-classification", "denoising-dirty-documents"}
    assert kaggle_server.bytes_sent("spaceship-titanic") == 1
    assert not (tmp_path / "data").exists()


def test_without_credentials_everything_else_is_still_checked(
    kaggle_server: KaggleServer,
    competitions: list[LocatedCompetition],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KAGGLE_KEY", "wrong-key")
    checks = look(competitions)
    assert about(checks, "credentials")[None].state == "fail"
    assert set(unobtainable(checks)) == set(IDS[:3])
    assert about(checks, "disk")["starter-wine"].state == "ok"


def prepare_really(competition: LocatedCompetition, scratch: Path) -> None:
    competition.folder.path.mkdir(parents=True, exist_ok=True)
    competition.folder.archive.write_bytes(pack_rehearsal(competition, scratch / "rehearsal"))
    prepare(competition)
    competition.folder.archive.unlink()


def test_missing_account_is_no_failure_where_nothing_is_downloaded(
    kaggle_server: KaggleServer,
    competitions: list[LocatedCompetition],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("KAGGLE_KEY", "wrong-key")
    spaceship, leaf, _, wine = competitions
    prepare_really(spaceship, tmp_path)
    leaf.folder.raw.mkdir(parents=True)
    (leaf.folder.raw / "train.csv").write_bytes(bytes(1000))
    checks = look([spaceship, leaf, wine])
    assert about(checks, "credentials")[None].state == "warn"
    assert about(checks, "rules") == {}
    assert unobtainable(checks) == {}


def test_server_down(
    kaggle_server: KaggleServer, competitions: list[LocatedCompetition], policy: object
) -> None:
    kaggle_server.fail("ListCompetitions", *[Status(503)] * 3)
    checks = look(competitions)
    assert "503" in about(checks, "credentials")[None].reason
    assert set(unobtainable(checks)) == set(IDS[:3])


def test_offline_asks_nobody(
    kaggle_server: KaggleServer, competitions: list[LocatedCompetition]
) -> None:
    checks = look(competitions, online=False)
    assert {check.subject for check in checks} == {"disk"}
    assert kaggle_server.requests == []


@pytest.mark.parametrize("online", [True, False])
def test_what_kaggle_refuses_for_good_is_said(
    kaggle_server: KaggleServer, tmp_path: Path, online: bool
) -> None:
    catalogue = Catalogue(tmp_path / "data")
    insults = catalogue.get_competition("detecting-insults-in-social-commentary")
    cdiscount = catalogue.get_competition("cdiscount-image-classification-challenge")
    kaggle_server.add(Contest(insults.id, rules_accepted=False))
    checks = look([insults, cdiscount], online=online)
    said = {check.competition_id: check for check in checks if check.state == "warn"}
    assert "cannot be accepted any more" in said[insults.id].reason
    assert "withdrawn the data" in said[cdiscount.id].reason
    assert "--archive FILE" in str(said[insults.id].remedy)
    if online:
        kaggle_server.add(Contest(insults.id, make_zip(5_000)))
        rules = [check for check in look([insults]) if check.subject == "rules"]
        assert [check.state for check in rules] == ["ok"], "this account accepted them in time"


def test_disk_need_is_measured_where_files_exist(
    competitions: list[LocatedCompetition], tmp_path: Path
) -> None:
    spaceship, leaf, denoising, wine = competitions
    # Kaggle's page states the size of the unpacked files.
    assert disk_need(spaceship, None) == Need(1e6, 1e6 * UNPACKED, why="stated by Kaggle")
    stated = "size of the archive stated by Kaggle"
    assert disk_need(spaceship, 100) == Need(100, 400 * UNPACKED, why=stated)
    spaceship.folder.path.mkdir(parents=True)
    spaceship.folder.archive.write_bytes(make_zip(1000))
    assert disk_need(spaceship, None) == Need(0, 1000 * UNPACKED, is_measured=True)
    leaf.folder.raw.mkdir(parents=True)
    (leaf.folder.raw / "train.csv").write_bytes(bytes(500))
    assert disk_need(leaf, None) == Need(0, 500 * UNPACKED, is_measured=True)
    prepare(denoising, Rehearsal())
    rehearsed = disk_need(denoising, None)
    assert rehearsed is not None
    assert rehearsed.archive > 0
    prepare_really(denoising, tmp_path)
    assert disk_need(denoising, None) == Need(0, 0, is_measured=True)
    library = disk_need(wine, None)
    assert library is not None
    assert library.archive == 0


def test_peak_counts_archives_that_lie_there_together() -> None:
    needs = [Need(10, 1, True), Need(30, 2, True), Need(20, 3, True)]
    assert peak(needs, keep_raw=True, jobs=1) == 66
    assert peak(needs, keep_raw=False, jobs=1) == 36
    assert peak(needs, keep_raw=False, jobs=2) == 56
    assert peak([], keep_raw=False, jobs=2) == 0


def test_what_does_not_fit_is_named_and_the_rest_goes_on(
    competitions: list[LocatedCompetition], monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 100_000_000})
    monkeypatch.setattr(preflight_disk.shutil, "disk_usage", lambda _: usage)
    checks = look(competitions, online=False)
    disk = about(checks, "disk")
    assert disk["spaceship-titanic"].state == "ok"
    assert disk["leaf-classification"].state == "ok"
    assert disk["denoising-dirty-documents"].state == "fail"
    assert disk["starter-wine"].state == "ok"
    told = re.match(
        r"3 of 4 fit and need (0\.\d{3}) GB at most; 0\.100 GB are free", str(disk[None].reason)
    )
    assert told and 0.05 < float(told[1]) < 0.1


def program(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


@pytest.mark.parametrize(
    ("script", "state", "said"),
    [
        ("echo bubblewrap 0.4.1", "fail", "older than 0.8"),
        (
            '[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit;'
            " echo 'setting up uid map: Permission denied' >&2; exit 1",
            "warn",
            "uid map",
        ),
    ],
)
def test_bubblewrap_that_does_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, state: str, said: str
) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        Path(place).chmod(0o755)  # bwrap is started by an unprivileged user
        program(Path(place), "bwrap", script)
        monkeypatch.setenv("PATH", f"{place}:/bin:/usr/bin")
        check = preflight_machine.bubblewrap_check()
        assert check.state == state
        assert said in check.reason
        (Path(place) / "bwrap").chmod(0o4755)
        assert "setuid" in preflight_machine.bubblewrap_check().reason


def test_bubblewrap_of_this_machine() -> None:
    check = preflight_machine.bubblewrap_check()
    if "works" not in check.reason:
        pytest.skip(check.reason)
    assert check.state in ("ok", "warn")
    assert "found no canary" in check.reason


@pytest.mark.parametrize(
    ("script", "state", "said"),
    [
        ('case "$1" in version) echo 28.2.2;; image) echo abc;; esac', "ok", "28.2.2 runs"),
        ('case "$1" in version) echo 20.10.24;; image) echo abc;; esac', "warn", "before 25"),
        ('case "$1" in version) echo 4.3.1;; image) echo abc;; esac', "ok", "4.3.1 runs"),
        ('case "$1" in version) echo 28.2.2;; esac', "warn", "has no image"),
        ("echo 'Cannot connect to the Docker daemon' >&2; exit 1", "warn", "Cannot connect"),
    ],
)
def test_docker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, state: str, said: str
) -> None:
    program(tmp_path, "docker", script)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    check = preflight_machine.docker_check()
    assert (check.state, said in check.reason) == (state, True)


def test_apptainer_and_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert preflight_machine.apptainer_check().reason == "apptainer: not installed"
    assert preflight_machine.gpu_check().state == "warn"
    program(tmp_path, "apptainer", "echo apptainer version 1.3.4")
    program(tmp_path, "nvidia-smi", "echo 'NVIDIA H200, 143771 MiB, 570.1'")
    assert preflight_machine.apptainer_check().reason == "apptainer 1.3.4 runs a program"
    gpu = preflight_machine.gpu_check()
    assert (gpu.state, gpu.reason) == ("ok", "1: NVIDIA H200, 143771 MiB, 570.1")
    program(tmp_path, "nvidia-smi", "echo 'No devices were found'; exit 6")
    assert "No devices were found" in preflight_machine.gpu_check().reason


def test_program_that_hangs_counts_as_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "docker", "exec sleep 30")
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setattr(commands, "SECONDS", 0.2)
    assert "no answer within" in preflight_machine.docker_check().reason


def test_doctor(kaggle_server: KaggleServer, tmp_path: Path) -> None:
    kaggle_server.add(Contest("spaceship-titanic", rules_accepted=False))
    words = ["doctor", "-c", "spaceship-titanic", "-c", "starter-wine", "--data-dir", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "mlebench", *words, "--json"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=dict(os.environ),
    )
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["schema"] == 1
    (rules,) = (check for check in answer["checks"] if check["subject"] == "rules")
    assert rules["state"] == "fail"
    assert rules["competition_id"] == "spaceship-titanic"
    subjects = {check["subject"] for check in answer["checks"]}
    assert subjects == {"credentials", "rules", "disk", "package", "sandbox", "gpu"}
