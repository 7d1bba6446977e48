"""Each check finds the fault that it is for, and nothing in a competition without it."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mlebench.archives.raw import RawFolder
from mlebench.audit import CHECKS, audit, audit_all, exit_code
from mlebench.audit.containers import content_of
from mlebench.audit.fields import field_names
from mlebench.audit.files import PublicFile
from mlebench.catalogue import Catalogue
from mlebench.cli import main
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.records.audit import AuditRecord, Status, read_audit
from mlebench.records.codec import to_json
from tests.audit.planted import BRIGHTER, BY_CLASS, GROUPED, build, checked, images


def records(folder: Path, **changes: str) -> dict[str, AuditRecord]:
    return checked(build(folder, 0, **changes))


def test_clean_competition(tmp_path: Path) -> None:
    found = records(tmp_path)
    assert list(found) == list(CHECKS)
    assert {r.status for r in found.values()} <= {"pass", "not applicable"}, found


SPLIT_SORTED = (
    "table = table.sort_values('label').reset_index(drop=True);"
    "table = table.iloc[np.random.RandomState(42).permutation(ROWS)]"
)
FAULTS: dict[str, tuple[str, dict[str, str], str]] = {
    "sample wins": (
        "trivial",
        {"gold": "0.6", "silver": "0.55", "bronze": "0.5"},
        "sample submission: scores 0.5, a bronze medal",
    ),
    "rows left out": ("trivial", {"format": "Partial"}, "a file with missing row is graded"),
    "gaps": ("trivial", {"format": "Lenient"}, "a file with nan is graded"),
    "gold is out of reach": ("oracle", {"gold": "1.5"}, "wins no gold medal"),
    "ids follow labels": (
        "order",
        {
            "before": "table = table.sort_values('label').assign(id=range(ROWS)).sample(frac=1,"
            " random_state=SEED)"
        },
        "follows it",
    ),
    "rows follow labels": (
        "order",
        {"after": "test = test.sort_values('label')", "is_sorted": "False"},
        "rows of the sample submission: 'label' follows it, one of 6 tests",
    ),
    "known seed over a sorted list": (
        "order",
        {"before": SPLIT_SORTED, "is_sorted": "False"},
        "seed 42 over 400 items restores a source order",
    ),
    "surplus rows": (
        "trivial",
        {"format": "Surplus"},
        "a file with surplus row of a foreign id is graded",
    ),
    "declared clusters in both parts": (
        "groups",
        {
            "before": GROUPED.format("r.integers(0, 60, ROWS)"),
            "clusters": "Clusters('patient', 'patient_id')",
            "answers": "['id', 'label', 'patient_id']",
        },
        "each patient of train.csv and of the answers: ",
    ),
    "a seed of numpy's generator over a long list": (
        "order",
        {
            "rows": "9000",
            "test": "3000",
            "before": BY_CLASS
            + "; table = table.iloc[np.random.default_rng(77).permutation(ROWS)]",
            "is_sorted": "False",
        },
        "numpy's generator with seed 77 of 9,000 items restores a source order",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_found(name: str, tmp_path: Path) -> None:
    check, changes, evidence = FAULTS[name]
    found = records(tmp_path, **changes)[check]
    assert found.status == "fail", found
    assert any(evidence in text for text in found.evidence), found.evidence


def test_size_that_depends_on_labels_is_a_warning(tmp_path: Path) -> None:
    """Half of the files of one class are longer: less than what separates the classes."""
    found = records(tmp_path, **images('"A" * (10 + 90 * label * int(r.integers(0, 2)))'))["order"]
    assert found.status == "warn"
    assert [text.partition(",")[0] for text in found.evidence] == [
        "size of test files depends on 'label'"
    ]


STAMPED = BRIGHTER.replace("image.point(lambda v: v * 0.9)", "writing.stamped(image)")


@pytest.mark.parametrize("edit", [BRIGHTER, STAMPED])
def test_near_duplicates_of_images(tmp_path: Path, edit: str) -> None:
    """A stamp in a corner changes few bits and many pixels."""
    found = records(tmp_path, **images(more=edit))["duplicates"]
    assert (found.status, found.figure, found.threshold) == ("fail", 0.09, 0.01)


@pytest.mark.long
def test_command(tmp_path: Path) -> None:
    located = build(tmp_path, 0, before="table['code'] = table['label'] * 7 + 3")
    words = [sys.executable, "-m", "mlebench", "audit", "-c", "generated"]
    places = ["--competitions-dir", "competitions", "--data-dir", "data"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [*words, *places, "--json"], capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    assert done.returncode == 4, done.stderr
    found = json.loads(done.stdout)["records"]
    assert [record["check"] for record in found] == list(CHECKS)
    assert set(found[0]) == {
        *("id", "revision", "check", "status", "figure", "threshold", "evidence", "seconds")
    }
    bad = {r["check"]: r["evidence"] for r in found if r["status"] == "fail"}
    assert list(bad) == ["trivial", "metadata", "baseline"]
    assert bad["trivial"] == ["mean label by 'code': scores 1, as good as the gold submission"]
    assert bad["metadata"] == ["column 'code' of test.csv separates 'label'"]
    (text,) = bad["baseline"]
    assert text.startswith("column 'code' of test.csv: the baseline agent scores 1 (gold) with it")
    assert text.endswith("(no medal) without it")
    stored = json.loads(json.dumps(to_json(read_audit(located.folder))))
    assert stored == found
    brief = [*words, *places, "--no-baseline"]
    table = subprocess.run(brief, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert "2 fail" in table.stderr
    assert "skipped: --no-baseline" in table.stdout


def test_competitions_that_are_not_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that is named is an error; of a list it is left out, unless all are."""
    build(tmp_path, 0)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some.txt").write_text("generated\nspaceship-titanic\n")
    (tmp_path / "none.txt").write_text("spaceship-titanic\n")

    def run(*selected: str) -> tuple[object, Any]:
        places = ["--competitions-dir", "competitions", "--data-dir", "data"]
        with pytest.raises(SystemExit) as ended:
            main(["audit", *selected, "--no-baseline", "--json", *places])
        return ended.value.code, json.loads(capsys.readouterr().out)

    _, found = run("--list", "some.txt")
    assert {record["id"] for record in found["records"]} == {"generated"}
    assert found["not_prepared"] == ["spaceship-titanic"]
    for selected in (["-c", "spaceship-titanic", "-c", "generated"], ["--list", "none.txt"]):
        code, refused = run(*selected)
        assert code == 1
        assert "mlebench prepare -c spaceship-titanic" in refused["error"]["message"]


@pytest.mark.parametrize(
    ("statuses", "code"), [(["pass"], 0), (["pass", "warn"], 3), (["warn", "fail"], 4)]
)
def test_exit_code(statuses: list[Status], code: int) -> None:
    made = [AuditRecord("a", "v1", "b", status, None, None, (), 0) for status in statuses]
    assert exit_code(made) == code


@pytest.mark.parametrize(("name", "header"), [("a.csv", '"id",label'), ("a.TSV", "id\tlabel\r")])
def test_columns_of_tables(name: str, header: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(f"{header}\n1,2\n")
    assert field_names(PublicFile(name, RawFolder(tmp_path) / name)) == {"id", "label"}


def test_damaged_containers_have_no_fields(tmp_path: Path) -> None:
    for name in ("a.mat", "a.json", "a.tfrec", "a.parquet", "a.csv", "a.npz", "a.xml"):
        (tmp_path / name).write_bytes(b"\x01no such thing")
        file = PublicFile(name, RawFolder(tmp_path) / name)
        assert field_names(file) <= {"\x01no such thing"}


def test_a_container_that_is_too_large_unpacked_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.savez_compressed(tmp_path / "a.npz", a=np.zeros(100_000))
    file = PublicFile("a.npz", RawFolder(tmp_path) / "a.npz")
    assert set(content_of(file)) == {"a"}
    monkeypatch.setattr("mlebench.audit.containers.LARGEST_UNPACKED", 100_000)
    assert content_of(file) is None


def test_rehearsal_data_decides_no_medals(tmp_path: Path) -> None:
    """The board of people says nothing about synthetic data."""
    located = Catalogue(tmp_path).get_competition("spaceship-titanic")
    prepare(located, Rehearsal())
    found = {record.check: record.status for record in audit(located)}
    assert (found["trivial"], found["noise"], found["duplicates"]) == (
        *("pass", "not applicable", "not applicable"),
    )


LEAKY = {
    "values": "labels",
    "metric": "accuracy",
    "sample": "'unknown'",
    "before": "table['label'] = np.array(['zebra-91-stripes', 'quagga-17-brown'])[labels];"
    "table['code'] = table['label']",
    "after": "test = test.sort_values('label')",
    "is_sorted": "False",
    "files": "write_table(test[['id', 'label']], public / 'notes.csv');"
    "(public / 'test_notes.txt').write_text(' '.join(test['label']))",
}


@pytest.mark.parametrize("form", ["RowPerId", "Quoting"])
def test_no_answer_leaves_the_process(
    form: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Leaks are found, and a grader quotes answers in its errors, but none is shown or logged."""
    located = build(tmp_path, 0, **LEAKY, format=form)
    with caplog.at_level(logging.DEBUG):
        (found,) = audit_all(
            Catalogue(tmp_path / "data", (tmp_path / "competitions",)),
            ["generated"],
            with_baseline=False,
        )
    assert {r.check for r in found if r.status == "fail"} >= {"metadata", "order"}
    shown = str(found) + caplog.text + located.folder.audit.read_text()
    assert not any(label in shown for label in ("zebra", "quagga"))
