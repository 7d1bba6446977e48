"""Neutral names of files, columns and ids: what the agent sees, and the way back."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from mlebench.agents.base import AgentPackage
from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.grading.grade import grade_file
from mlebench.grading.renaming import Renaming, read_renaming
from mlebench.records.report import read_report
from mlebench.results.aggregate import summarize
from mlebench.results.attempts import load_attempts, require_comparable
from mlebench.results.bundle import write_bundle
from mlebench.runner.group import submission_lines
from mlebench.runner.workspace.renamed import renamed_public, require_tables
from tests.runner.conftest import Start
from tests.runner.test_run import Writer, run_all

NAMES = ("PassengerId", "HomePlanet", "Transported", "spaceship", "Spaceship")
AGENT = """
cat /home/data/description.md
head -3 /home/data/*.csv
cp /home/data/sample_submission.csv /home/submission/submission.csv
bash /home/validate_submission.sh /home/submission/submission.csv
head -5 /home/data/sample_submission.csv > /tmp/short.csv
bash /home/validate_submission.sh /tmp/short.csv
sed 1s/column_01/wrong/ /home/data/sample_submission.csv > /tmp/wrong.csv
bash /home/validate_submission.sh /tmp/wrong.csv
"""


def read_rows(file: Path) -> list[list[str]]:
    with file.open(newline="") as stream:
        return list(csv.reader(stream))


@pytest.mark.parametrize("level", ["L2", "L3"])
def test_the_view_is_the_same_data(level: str, prepared: Catalogue) -> None:
    competition = prepared.get_competition("spaceship-titanic")
    folder, names = renamed_public(competition, level)
    renaming = read_renaming(names)
    assert renaming
    original = {value: name for name, value in renaming.columns.items()}
    ids = {new: old for old, new in renaming.ids.items()}
    assert sorted(p.name for p in folder.iterdir()) == [
        "description.md", "sample_submission.csv", "test.csv", "train.csv",
    ]  # fmt: skip
    for file in ("train.csv", "test.csv", "sample_submission.csv"):
        shown, plain = read_rows(folder / file), read_rows(competition.public_dir / file)
        assert [original[name] for name in shown[0]] == plain[0]
        assert not set(shown[0]) & set(plain[0])
        if level == "L2":
            assert shown[1:] == plain[1:]
            continue
        is_constant = len({tuple(row[1:]) for row in plain[1:]}) == 1
        assert is_constant or [row[1:] for row in shown] != [row[1:] for row in plain]
        assert sorted(row[1:] for row in shown[1:]) == sorted(row[1:] for row in plain[1:])
        assert not {row[0] for row in shown[1:]} & {row[0] for row in plain[1:]}
        if file != "train.csv":
            restored = {(ids[row[0]], *row[1:]) for row in shown[1:]}
            assert restored == {tuple(row) for row in plain[1:]}
    text = (folder / "description.md").read_text()
    assert not [name for name in NAMES if name in text]
    assert renamed_public(competition, level) == (folder, names)


@pytest.mark.parametrize("level", ["L2", "L3"])
def test_the_best_submission_scores_the_same(
    level: str, prepared: Catalogue, tmp_path: Path
) -> None:
    competition = prepared.get_competition("spaceship-titanic")
    renaming = read_renaming(renamed_public(competition, level)[1])
    assert renaming
    rows = read_rows(competition.gold_submission)
    place = rows[0].index("PassengerId")
    for row in rows[1:]:
        row[place] = renaming.ids.get(row[place], row[place])
    rows[0] = [renaming.columns.get(name, name) for name in rows[0]]
    hidden = tmp_path / "submission.csv"
    with hidden.open("w", newline="") as stream:
        csv.writer(stream).writerows(rows)
    assert grade_file(hidden, competition, renaming).score == 1.0
    assert not grade_file(hidden, competition).valid_submission


@pytest.mark.parametrize("level", ["L2", "L3"])
def test_a_run_with_neutral_names(
    level: str, start: Start, write_agent: Writer, prepared: Catalogue, tmp_path: Path
) -> None:
    agent: AgentPackage = write_agent(AGENT)
    group, work = start(agent, obfuscation=level)
    (run,) = run_all(group, work)
    folder = group.run(run.run_id)
    seen = folder.agent_log.read_text()
    assert (run.state, run.blame) == ("finished", None), seen
    assert not [name for name in NAMES if name in seen], seen
    assert "Submission is valid" in seen
    assert seen.count("Submission is invalid") == 2
    assert "column_" in seen.partition("Submission is invalid")[2]
    competition = prepared.get_competition("spaceship-titanic")
    report = read_report(folder.report)
    assert report.valid_submission
    assert report.score == grade_file(competition.sample_submission, competition).score
    # Not comparable: not averaged with others, not packed, not graded elsewhere, and marked.
    attempts = load_attempts([group.path])
    assert attempts[0].conditions.names == level
    plain, _ = start(write_agent(AGENT, "plain"))
    with pytest.raises(UsageError, match="differ in names"):
        require_comparable([*attempts, *load_attempts([plain.path])])
    with pytest.raises(UsageError, match="not comparable with the benchmark"):
        summary = summarize(attempts, {"these": ["spaceship-titanic"]})
        write_bundle(attempts, summary, tmp_path / "b.zip", name="x")
    with pytest.raises(UsageError, match="graded by their own run only"):
        list(submission_lines([group]))


def test_only_tables(prepared: Catalogue, start: Start, write_agent: Writer) -> None:
    leaves = prepared.get_competition("leaf-classification")
    with pytest.raises(UsageError, match=r"cannot be run at L2.* not only tables \(.*\)"):
        require_tables(leaves, "L2")
    require_tables(leaves, "L1")


def test_classes_keep_their_names(prepared: Catalogue) -> None:
    """A column of a submission that is a value of the data is a class, not a name."""
    renaming = Renaming("L2", {}, {"id": "column_01", "EAP": "EAP"}, "id")
    assert renaming.restore(b"column_01,EAP\n1,0.5\n") == b"id,EAP\n1,0.5\n"
    assert renaming.hide("the column id is missing, found 'EAP'") == (
        "the column column_01 is missing, found 'EAP'"
    )


def test_cells_of_any_length(data_dir: Path, tmp_path: Path) -> None:
    shutil.copytree(data_dir / "spaceship-titanic", tmp_path / "spaceship-titanic")
    competition = Catalogue(tmp_path).get_competition("spaceship-titanic")
    rows = read_rows(competition.public_dir / "train.csv")
    rows[1][rows[0].index("Name")] = long = "a" * 200_000
    with (competition.public_dir / "train.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows(rows)
    folder, _ = renamed_public(competition, "L3")
    assert long in (folder / "train.csv").read_text()


def test_odd_submissions_are_restored_or_refused() -> None:
    renaming = Renaming("L3", {}, {"id": "column_01", "y": "column_02"}, "id", {"7": "rabc"})
    assert renaming.restore(b"column_02,column_01\r\n1,rabc\r\n2,other\r\n") == (
        b"y,id\n1,7\n2,other\n"
    )
    assert renaming.restore(b"") == b"\n"
    assert (
        renaming.hide("the id '7' is missing; 17 rows")
        == "the column_01 'rabc' is missing; 17 rows"
    )
    with pytest.raises(Exception, match="cannot be read as CSV"):
        renaming.restore(b"column_01\n\xff\xfe\n")
