"""Every check finds the fault that it is for, and nothing in a competition without one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from mlebench.audit import CHECKS as AUDITED
from mlebench.audit import audit
from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.checking import check_on_data, competition
from mlebench.checking.competition import check_basics
from mlebench.errors import DataError
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.skeleton import Example, write_skeleton

Edit = tuple[str, str, str]
"""A file of the skeleton, a text in it, and what replaces the text."""


def own(folder: Path, *edits: Edit, example: Example = "table") -> LocatedCompetition:
    """A competition of somebody's own: the skeleton, changed in some places."""
    home = write_skeleton("my-own", folder / "competitions", example=example)
    for name, old, new in edits:
        text = (home / name).read_text("utf-8")
        assert old in text
        (home / name).write_text(text.replace(old, new), "utf-8")
    return Catalogue(folder / "data", (home.parent,)).get_competition("my-own")


@pytest.fixture(autouse=True)
def without_baseline(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The baseline agent takes seconds each time; the command and our competitions have it."""
    if request.function is not test_our_competitions_on_rehearsal_data:
        monkeypatch.setattr(competition, "audit", partial(audit, with_baseline=False))


@pytest.mark.parametrize("example", ["table", "images"])
def test_skeletons_have_no_fault(example: Example, tmp_path: Path) -> None:
    checked = check_on_data(own(tmp_path, example=example))
    assert checked.exit_code == 0
    assert [(c.subject, c.state) for c in checked.checks] == [
        (subject, "ok") for subject in ("preparation", *competition.CHECKS, *AUDITED)
    ]
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "competition_id",
    [
        "spaceship-titanic",
        pytest.param("starter-wine", marks=pytest.mark.long),
        "ventilator-pressure-prediction",
    ],
)
def test_our_competitions_on_rehearsal_data(competition_id: str, tmp_path: Path) -> None:
    checked = check_on_data(Catalogue(tmp_path).get_competition(competition_id))
    assert [check for check in checked.checks if check.state != "ok"] == []
    assert checked.is_rehearsal


SPLIT = "TableSplit(rows, test_size=0.2, sample_value=0.5)"
PREPARE = """
from mlebench.tables import read_table, write_table


def prepare(raw, public, private):
    {split}(raw, public, private)
    {statement}


competition = """


def prepared_by(statement: str) -> list[Edit]:
    """The usual split, then one statement more."""
    code = PREPARE.format(split=SPLIT, statement=statement)
    return [
        ("competition.py", f"prepare={SPLIT}", "prepare=prepare"),
        ("competition.py", "competition = ", code),
    ]


BOARD = "leaderboard.json"
LAX = """class Lax(RowPerId):
    def check(self, submission, keys):
        pass


"""


class Fault(NamedTuple):
    """What is changed in a skeleton, and what the checks say about it."""

    subject: str
    reason: str
    edits: list[Edit]
    example: Example = "table"
    state: str = "fail"


FAULTS = {
    "board says the opposite": Fault(
        "board",
        "the metric mean_relative_error says that lower is better, leaderboard.json says the"
        " opposite",
        [(BOARD, "true", "false")],
        example="images",
    ),
    "metric says the opposite": Fault(
        "board",
        "says that higher is better, but the gold submission scores 0 and the same",
        [("metric.py", "lower_is_better", "higher_is_better"), (BOARD, "true", "false")],
        example="images",
    ),
    "board is not sorted": Fault(
        "board",
        "rank 1 has 0.4 and rank 2 has 0.8, although higher is better",
        [(BOARD, '"best": 0.95', '"best": 0.4')],
    ),
    "cut-off of another rank": Fault(
        "board",
        "silver is 0.9, but with 3 teams the last rank that wins it is 1, which has 0.95",
        [(BOARD, '"silver": 0.95', '"silver": 0.9')],
    ),
    "field is missing": Fault(
        "board", "has no 'median'; expected a score", [(BOARD, '"median"', '"middle"')]
    ),
    "sample is refused": Fault(
        "sample",
        "the sample submission is rejected: column 'label' has '2' in row 1",
        [("competition.py", "sample_value=0.5", "sample_value=2")],
    ),
    "gold is out of reach": Fault(
        "oracle",
        "the gold submission scores 1 and wins no gold medal",
        [(BOARD, "0.95", "1.5")],
    ),
    "trivial submissions win": Fault(
        "trivial",
        "sample submission: scores 0.5, a gold medal",
        [(BOARD, "0.95", "0.5"), (BOARD, "0.8", "0.4"), (BOARD, '"worst": 0.5', '"worst": 0.3')],
    ),
    "trivial submissions are above the median": Fault(
        "trivial",
        "sample submission: scores 0.5, above the median",
        [(BOARD, "0.8", "0.4"), (BOARD, '"worst": 0.5', '"worst": 0.3')],
        state="warn",
    ),
    "broken submissions pass validation": Fault(
        "broken",
        "validation accepts a submission with a missing row",
        [("competition.py", "rows = RowPerId(", f"{LAX}rows = Lax(")],
    ),
    "answers are public": Fault(
        "metadata",
        "public/copy.csv is private/test.csv",
        prepared_by('(public / "copy.csv").write_bytes((private / "test.csv").read_bytes())'),
    ),
    "answers are a column of the test table": Fault(
        "metadata",
        "column 'label' of public/a.csv contains the answers",
        prepared_by(
            'write_table(read_table(private / "test.csv")[["label", "id"]], public / "a.csv")'
        ),
    ),
    "train contains test rows": Fault(
        "metadata",
        "9 ids of public/train.csv are in the answers",
        prepared_by('write_table(read_table(private / "test.csv").iloc[:9], public / "train.csv")'),
    ),
    "sample contains the answers": Fault(
        "metadata",
        "column 'label' of the sample submission contains the answers",
        prepared_by(
            'write_table(read_table(private / "test.csv")[["id", "label"]],'
            ' public / "sample_submission.csv")'
        ),
    ),
    "preparation depends on chance": Fault(
        "preparation",
        "preparing the same data twice writes different bytes: public/notes.txt",
        prepared_by('(public / "notes.txt").write_bytes(__import__("os").urandom(8))'),
    ),
    "ids follow the answers": Fault(
        "order",
        "rank of the ids: 'label' follows it",
        [
            ("rehearsal.py", "humidity + r.gauss(0, 0.2) > 0.6", "humidity >= 100"),
            ("rehearsal.py", 'Of("humidity"', 'Of("id"'),
        ],
    ),
    "column is not described": Fault(
        "description",
        "description.md does not name the columns label",
        [("description.md", "label", "target")],
        state="warn",
    ),
    "file is not described": Fault(
        "description",
        "description.md does not name the public files test.csv",
        [("description.md", "`test.csv`", "another table")],
        state="warn",
    ),
    "example is missing": Fault(
        "description",
        "has no example of a submission with the header 'id,label'",
        [("description.md", "id,label\n", "")],
        state="warn",
    ),
    "description states the other direction": Fault(
        "description",
        "description.md says 'lower is better', but by the metric higher is better",
        [("description.md", "higher is better", "lower is better")],
    ),
    "obfuscated description tells": Fault(
        "description",
        "description_obfuscated.md says 'my own'",
        [("description_obfuscated.md", "# A binary table", "# My own")],
    ),
    "metric stops": Fault(
        "gold",
        "no_such_name' (metric.py, line 14)",
        [("metric.py", "return float(", "return y_pred.no_such_name(")],
        example="images",
    ),
    "preparation stops": Fault(
        "preparation",
        "ZeroDivisionError: division by zero (rehearsal.py, line 7)",
        [("rehearsal.py", "int(humidity", "int(1 / 0 + humidity")],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_found(name: str, tmp_path: Path) -> None:
    fault = FAULTS[name]
    located = own(tmp_path, *fault.edits, example=fault.example)
    checked = check_on_data(located, rehearse=True)
    found = [check for check in checked.checks if check.state != "ok"]
    same = [c for c in found if (c.subject, c.state) == (fault.subject, fault.state)]
    assert any(fault.reason in check.reason for check in same), found
    assert checked.exit_code == (1 if any(c.state == "fail" for c in found) else 3)


def test_a_board_of_the_other_direction_grades_nothing(tmp_path: Path) -> None:
    """With it, the worst submission would win the gold medal."""
    located = own(tmp_path, (BOARD, "true", "false"), example="images")
    with pytest.raises(DataError, match="says lower_is_better: false, the metric true"):
        located.load_leaderboard()


def test_prepared_data_is_used(tmp_path: Path) -> None:
    """Files of another time are found in data that is there, and nothing is prepared again."""
    located = own(tmp_path)
    prepare(located, Rehearsal())
    assert check_on_data(located).exit_code == 0
    os.utime(located.public_dir / "train.csv", (0, 0))
    checked = check_on_data(located)
    assert checked.exit_code == 3
    (finding,) = (check for check in checked.checks if check.state != "ok")
    assert finding.subject == "order"
    assert finding.reason.startswith("public files have 2 different times")
    assert check_on_data(located, rehearse=True).exit_code == 0


@pytest.mark.parametrize(("limit", "state"), [(1000, "ok"), (1e-9, "fail")])
def test_time(limit: float, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(competition, "SECONDS_PER_SUBMISSION", limit)
    located = own(tmp_path)
    prepare(located, Rehearsal())
    assert [c.state for c in check_basics(located) if c.subject == "time"] == [state]


def test_command(tmp_path: Path) -> None:
    own(tmp_path, (BOARD, "true", "false"), example="images")
    write_skeleton("good-one", tmp_path / "competitions")
    words = [sys.executable, "-m", "mlebench", "check-competition"]
    places = ["--competitions-dir", "competitions", "--data-dir", "data"]

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*words, *more, *places], capture_output=True, text=True, cwd=tmp_path
        )

    bad, good = run("my-own"), run("good-one", "--json")
    assert (bad.returncode, good.returncode) == (1, 0)
    (line,) = (line for line in bad.stdout.splitlines() if line.startswith("fail\tboard"))
    assert "leaderboard.json says the opposite (lower_is_better: false)" in line
    assert "my-own, on synthetic data" in bad.stderr
    answer = json.loads(good.stdout)
    assert answer["schema"] == 1
    (entry,) = answer["competitions"]
    assert (entry["competition_id"], entry["is_rehearsal"]) == ("good-one", True)
    assert {check["state"] for check in entry["checks"]} == {"ok"}
    assert run("good-on").returncode == 2


@pytest.mark.long
def test_the_test_of_a_skeleton_needs_no_pytest(tmp_path: Path) -> None:
    home = own(tmp_path, example="images").home
    done = subprocess.run(
        [sys.executable, "-m", "unittest", "discover", "-s", str(home)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "Ran 1 test" in done.stderr
