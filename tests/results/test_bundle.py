"""Bundles: nothing personal inside, the same bytes, and a checker that finds every change."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import BenchError, DataError
from mlebench.records.folders import GroupFolder, RunFolder
from mlebench.records.ledger import Grading, append_entry
from mlebench.results.aggregate import SplitSummary, summarize
from mlebench.results.attempts import Attempt, load_attempts
from mlebench.results.bundle import write_bundle
from mlebench.results.bundle_check import Checked, check_bundle
from tests.results.made_runs import make_group

DEV = Catalogue().get_split("dev")
OUTCOMES = ["gold", "below", "invalid", "silver", "failed", "missing", "above", "bronze"]
Facts = dict[str, Any]


def make_results(folder: Path, **more: Any) -> GroupFolder:
    """A group over the split dev with the ledger that a runner would have written."""
    group = make_group(folder, "aide", DEV, seeds=2, outcomes=OUTCOMES, slim=True, **more)
    for attempt in load_attempts([group.path]):
        if attempt.report and attempt.run:
            grading = Grading(
                run_id=attempt.run.run_id,
                competition_id=attempt.competition_id,
                attempt=1,
                score=attempt.report.score,
                valid=attempt.report.valid_submission,
                submission_sha256=attempt.report.submission_sha256,
            )
            append_entry(group.ledger, grading)
    return group


def summary_of(attempts: list[Attempt]) -> dict[str, SplitSummary]:
    return summarize(attempts, {"dev": DEV}, seeds=2)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    attempts = load_attempts([make_results(folder / "runs").path])
    path = folder / "mine.zip"
    write_bundle(attempts, summary_of(attempts), path, name="mine", models="m")
    return path


def check(path: Path, **more: Any) -> Checked:
    return check_bundle(path, Catalogue(), **more)


def test_a_bundle_is_found_right(bundle: Path) -> None:
    found = check(bundle)
    assert found.problems == []
    assert found.attempts == 14
    assert found.row is None  # dev is no split of the table


def test_the_row_of_a_whole_split(tmp_path: Path) -> None:
    low = Catalogue().get_split("low")
    reports = tmp_path / "a_grading_report.json"
    entries = [
        attempt.report.to_dict()
        for attempt in load_attempts(
            [make_group(tmp_path, "x", low, outcomes=["gold", "below"], slim=True).path]
        )
        if attempt.report
    ]
    reports.write_text(json.dumps({"competition_reports": entries}))
    attempts = load_attempts([reports])
    summary = summarize(attempts, {"low": low})
    write_bundle(attempts, summary, tmp_path / "low.zip", name="mine")
    found = check(tmp_path / "low.zip")
    assert found.problems == []
    assert found.row is not None
    assert found.row.means["low"] == summary["low"].measures["any_medal"].mean
    assert any("no ledger" in text for text in found.notes)


def test_the_same_results_give_the_same_bytes(tmp_path: Path, bundle: Path) -> None:
    attempts = load_attempts([bundle.parent / "runs"])
    write_bundle(attempts, summary_of(attempts), tmp_path / "b.zip", name="mine", models="m")
    assert (tmp_path / "b.zip").read_bytes() == bundle.read_bytes()


def test_w07_nothing_personal_is_inside(tmp_path: Path) -> None:
    canaries = ("CANARY-PROMPT", "CANARY-ADDRESS", "CANARY-VARIABLE", "CANARY-HOST")
    settings = {
        "gateway": {"base_url": canaries[1], "api_key_env": canaries[2]},
        "parameters": {"prompt": canaries[0]},
        "image": canaries[3],
    }
    group = make_results(tmp_path / "home-of-bob", settings=settings)
    attempts = load_attempts([group.path])
    for attempt in attempts:
        if attempt.folder and attempt.run:
            facts = json.loads(attempt.folder.state.read_text())
            facts["reason"] = f"{attempt.folder.path} sk-proj-abcdefghijklmnop1234"
            facts["provenance"] |= {"hostname": canaries[3], "kernel": canaries[3]}
            facts["leftovers"] = {"socket": canaries[3]}
            attempt.folder.state.write_text(json.dumps(facts))
    attempts = load_attempts([group.path])
    write_bundle(attempts, summary_of(attempts), tmp_path / "b.zip", name="mine")
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        inside = b"".join(archive.read(name) for name in archive.namelist()).decode()
        inside += " ".join(archive.namelist())
    for canary in (*canaries, str(tmp_path), "home-of-bob", "abcdefghijklmnop1234"):
        assert canary not in inside


def changed(
    bundle: Path, goal: Path, change: Callable[[dict[str, bytes]], None], *, relist: bool = True
) -> Path:
    """The bundle with other content, its list of hashes made right again."""
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    if relist:
        facts = json.loads(files["bundle.json"])
        facts["files"] = {
            name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in files.items()
            if name != "bundle.json"
        }
        files["bundle.json"] = json.dumps(facts).encode()
    with zipfile.ZipFile(goal, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return goal


def in_json(pattern: str, change: Callable[[Facts], None]) -> Callable[[dict[str, bytes]], None]:
    """Change the first file whose name ends so and for which the change does something."""

    def apply(files: dict[str, bytes]) -> None:
        for name in sorted(files):
            if name.endswith(pattern):
                facts = json.loads(files[name])
                change(facts)
                after = json.dumps(facts).encode()
                if json.loads(files[name]) != facts:
                    files[name] = after
                    return
        raise AssertionError(f"nothing to change in {pattern}")

    return apply


def set_medal(facts: Facts) -> None:
    if not facts["any_medal"]:
        facts |= {"any_medal": True, "gold_medal": True}


def set_score(facts: Facts) -> None:
    if facts["score"] is not None and not facts["any_medal"]:
        facts["score"] += 1e-4


def cut_line(files: dict[str, bytes]) -> None:
    (name,) = [name for name in files if name.endswith("ledger.jsonl")]
    lines = files[name].splitlines(keepends=True)
    files[name] = b"".join(lines[:2] + lines[3:])


def drop_run(files: dict[str, bytes]) -> None:
    name = min(name for name in files if name.endswith("report.json"))
    del files[name]


CHANGES: list[tuple[Callable[[dict[str, bytes]], None], str]] = [
    (in_json("report.json", set_medal), "claimed"),
    (in_json("report.json", set_score), "ledger has another result"),
    (in_json("report.json", lambda f: f.update(gold_threshold=0.0)), "not those of the board"),
    (in_json("report.json", lambda f: f.update(rank=1)), "rank 1 is claimed"),
    (in_json("report.json", lambda f: f.update(gold_threshold="x")), "claim.dev"),
    (in_json("report.json", lambda f: f.update(gold_medal=3)), "claim.dev"),
    (in_json("report.json", lambda f: f.update(is_rehearsal=True)), "differ in is_rehearsal"),
    (cut_line, "does not follow"),
    (drop_run, "claim.dev"),
    (
        in_json(
            "bundle.json",
            lambda f: f["claim"]["splits"]["dev"]["measures"]["any_medal"].update(mean=99.0),
        ),
        "claim.dev.measures.any_medal.mean is 99.0",
    ),
    (
        in_json(
            "bundle.json",
            lambda f: f["claim"]["splits"]["dev"]["measures"]["gold_medal"].update(
                standard_error=0.125
            ),
        ),
        "claim.dev.measures.gold_medal.standard_error",
    ),
    (in_json("bundle.json", lambda f: f["claim"].update(seeds=1)), "claim.dev"),
    (
        in_json("bundle.json", lambda f: f["claim"].update(seeds=10**9)),
        "seeds are claimed, expected 1 to",
    ),
    (in_json("bundle.json", lambda f: f["claim"].update(splits={})), "no split is claimed"),
    (in_json("run.json", lambda f: f.update(medal="gold", score=1.0)), "run.json and report.json"),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_every_change_is_found(
    bundle: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], None], message: str
) -> None:
    found = check(changed(bundle, tmp_path / "b.zip", change))
    assert any(message in problem for problem in found.problems), found.problems


def test_hashes_and_the_list_of_files_count(bundle: Path, tmp_path: Path) -> None:
    def touch(files: dict[str, bytes]) -> None:
        name = min(name for name in files if name.endswith("run.json"))
        files[name] += b" "

    found = check(changed(bundle, tmp_path / "a.zip", touch, relist=False))
    assert "… is listed" in found.problems[0]
    extra = changed(bundle, tmp_path / "b.zip", lambda f: f.update({"x.txt": b""}), relist=False)
    assert "not listed" in check(extra).problems[0]


def test_rehearsals_and_demonstrations_give_no_row(tmp_path: Path) -> None:
    group = make_results(tmp_path / "runs")
    for attempt in load_attempts([group.path]):
        if attempt.folder and attempt.report:
            facts = json.loads(attempt.folder.report.read_text()) | {"is_demonstration": True}
            attempt.folder.report.write_text(json.dumps(facts))
    attempts = load_attempts([group.path])
    write_bundle(attempts, summary_of(attempts), tmp_path / "b.zip", name="mine")
    assert any("demonstration data" in text for text in check(tmp_path / "b.zip").problems)


def escape_run(facts: Facts) -> None:
    facts["runs"][0]["run_id"] = "../../../etc"


@pytest.mark.parametrize(
    "change",
    [
        lambda files: files.clear(),
        lambda files: files.update({"bundle.json": b"[" * 100_000}),
        lambda files: files.update({"bundle.json": b'{"schema": 7}'}),
        in_json("metadata.json", escape_run),
        in_json("metadata.json", lambda f: f.update(settings=[])),
        lambda files: files.update({"groups/001/ledger.jsonl": b"[]\n"}),
        in_json("metadata.json", lambda f: f.update(runs=3)),
        in_json("bundle.json", lambda f: f.update(sources=["../.."])),
        in_json("bundle.json", lambda f: f["claim"].update(seeds="many")),
        in_json("bundle.json", lambda f: f["claim"].pop("splits")),
    ],
)
def test_a_hostile_bundle_is_refused(
    bundle: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], None]
) -> None:
    path = tmp_path / "b.zip"
    try:
        changed(bundle, path, change)
    except (KeyError, TypeError, ValueError, RecursionError):
        changed(bundle, path, change, relist=False)
    with pytest.raises(BenchError):
        check(path)


def test_a_bomb_and_a_link_are_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"{number}.json", bytes(64 << 20))
    with pytest.raises(DataError, match="bomb"):
        check(bomb)
    link = io.BytesIO()
    with zipfile.ZipFile(link, "w") as archive:
        member = zipfile.ZipInfo("bundle.json")
        member.external_attr = 0o120777 << 16
        archive.writestr(member, "/etc/passwd")
    (tmp_path / "link.zip").write_bytes(link.getvalue())
    with pytest.raises(DataError):
        check(tmp_path / "link.zip")


def seal(folder: RunFolder, data: bytes) -> None:
    """Make this the graded submission of a run."""
    folder.sealed_submission.write_bytes(data)
    report = json.loads(folder.report.read_text())
    report |= {"submission_sha256": hashlib.sha256(data).hexdigest()}
    folder.report.write_text(json.dumps(report))


def test_submissions_are_graded_again(tmp_path: Path, prepared: Catalogue) -> None:
    group = make_group(tmp_path / "runs", "aide", ["spaceship-titanic"], outcomes=["gold"])
    (attempt,) = load_attempts([group.path])
    assert attempt.folder is not None
    data = prepared.get_competition("spaceship-titanic").gold_submission.read_bytes()
    seal(attempt.folder, data)
    attempts = load_attempts([group.path])
    summary = summarize(attempts, {"dev": ["spaceship-titanic"]})
    write_bundle(attempts, summary, tmp_path / "b.zip", name="mine", submissions=True)
    found = check_bundle(tmp_path / "b.zip", prepared, grade=True)
    assert found.graded_again == 1
    again = [text for text in found.problems if "graded again it is 1.0" in text]
    assert bool(again) == (attempts[0].score != 1.0)
    attempt.folder.sealed_submission.write_bytes(data + b"x")
    with pytest.raises(DataError, match="is not the file that was graded"):
        write_bundle(attempts, summary, tmp_path / "c.zip", name="mine", submissions=True)


def test_submissions_are_graded_again_in_their_revision(
    tmp_path: Path, prepared: Catalogue
) -> None:
    settings = {"revision": "v1.1"}
    group = make_group(
        tmp_path / "runs", "aide", ["spaceship-titanic"], outcomes=["gold"], settings=settings
    )
    for attempt in load_attempts([group.path]):
        assert attempt.folder is not None
        seal(attempt.folder, b"PassengerId,Transported\n")
    attempts = load_attempts([group.path])
    summary = summarize(attempts, {"dev": ["spaceship-titanic"]})
    write_bundle(attempts, summary, tmp_path / "b.zip", name="mine", submissions=True)
    found = check_bundle(tmp_path / "b.zip", prepared, grade=True)
    assert "--revision v1.1" in " ".join([*found.problems, *found.notes]), "only v1 is prepared"
