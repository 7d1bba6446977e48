"""Programs as others have written them for the published package, each run as it stands."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mlebench.registry import Competition
from tests.command import mlebench


def run_script(program: str, folder: Path, *, as_stdin: bool = False) -> str:
    """Run a program from a file of its own, or fed through stdin as a notebook's kernel is."""
    text = textwrap.dedent(program)
    file = folder / "program.py"
    file.write_text(text)
    words = [sys.executable, "-"] if as_stdin else [sys.executable, str(file)]
    done = subprocess.run(
        words, input=text if as_stdin else None, capture_output=True, text=True, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("as_stdin", [False, True])
def test_grade_jsonl_without_a_main_guard(
    group: Path, data_dir: Path, tmp_path: Path, as_stdin: bool
) -> None:
    """The program appends to a file each time it starts: once, if no child runs it again."""
    told = run_script(
        f"""
        open("started", "a").write("x")
        from mlebench.grade import grade_jsonl
        from mlebench.registry import registry
        grade_jsonl({str(group)!r}, "out", registry.set_data_dir({str(data_dir)!r}))
        print(open("started").read())
        """,
        tmp_path,
        as_stdin=as_stdin,
    )
    assert told.strip() == "x"
    (report,) = (tmp_path / "out").glob("*_grading_report.json")
    summary = json.loads(report.read_text())
    assert (summary["total_runs"], summary["total_runs_with_submissions"]) == (5, 2)
    assert (summary["total_valid_submissions"], summary["total_gold_medals"]) == (2, 1)
    assert len(summary["competition_reports"]) == 5


def test_aggregation_over_a_group_with_missing_submissions(
    group: Path, data_dir: Path, tmp_path: Path
) -> None:
    """Medal rates per seed, as experiment scripts compute them from grading reports."""
    places = ("--output-dir", tmp_path / "out", "--data-dir", data_dir)
    done = mlebench("grade", "--submission", group, *places)
    assert done.returncode == 0, done.stderr
    told = run_script(
        """
        import json
        from pathlib import Path
        import pandas as pd
        from mlebench.grade_helpers import CompetitionReport

        rows = []
        for path in Path("out").glob("*_grading_report.json"):
            for entry in json.loads(path.read_text())["competition_reports"]:
                report = CompetitionReport.from_dict(entry)
                rows.append(report.to_dict())
        runs = pd.DataFrame(rows)
        runs["score"] = runs["score"].astype(float)
        rates = runs.groupby("competition_id")[["any_medal", "valid_submission"]].mean()
        print(json.dumps({"runs": len(runs), "medals": rates["any_medal"].to_dict()}))
        """,
        tmp_path,
    )
    assert json.loads(told) == {
        "runs": 5,
        "medals": {"leaf-classification": 0.0, "spaceship-titanic": 0.25},
    }


def test_a_task_that_prepares_copies_and_grades(data_dir: Path, tmp_path: Path) -> None:
    """As a search framework's task does: look for the data, give it to an agent, take a score."""
    told = run_script(
        f"""
        import json, shutil
        from pathlib import Path
        from mlebench.data import download_and_prepare_dataset, is_dataset_prepared
        from mlebench.grade import grade_csv, validate_submission
        from mlebench.grade_helpers import CompetitionReport
        from mlebench.registry import Registry
        from mlebench.utils import get_logger, read_csv
        import logging

        logger = get_logger(__name__)
        logging.getLogger().handlers[0].setLevel(logging.ERROR)
        registry = Registry(Path({str(data_dir)!r}))
        competition = registry.get_competition("spaceship-titanic")
        if not is_dataset_prepared(competition):
            raise SystemExit("not prepared")
        download_and_prepare_dataset(competition, keep_raw=False)
        shutil.copytree(competition.public_dir, "workspace")
        prompt = competition.description
        sample = read_csv(Path("workspace") / competition.sample_submission.name)
        sample.to_csv("submission.csv", index=False)
        valid, message = validate_submission(Path("submission.csv"), competition)
        report = grade_csv(Path("submission.csv"), competition)
        again = CompetitionReport.from_dict(report.to_dict())
        lower = competition.grader.is_lower_better(read_csv(competition.leaderboard))
        print(json.dumps([valid, message, again == report, lower, report.score > 0.3]))
        """,
        tmp_path,
    )
    assert json.loads(told) == [True, "Submission is valid.", True, False, True]


def test_a_converter_reads_files_and_makes_tasks(tmp_path: Path) -> None:
    """As converters to other benchmarks' formats do: one task folder per competition of a split."""
    told = run_script(
        """
        import json, shutil
        from pathlib import Path
        import yaml
        from mlebench.registry import registry

        made = {}
        source = registry.get_competitions_dir()
        for competition_id in (registry.get_splits_dir() / "low.txt").read_text().splitlines():
            home = source / competition_id
            config = yaml.safe_load((home / "config.yaml").read_text())
            task = Path("tasks") / competition_id
            task.mkdir(parents=True)
            shutil.copy(home / "description.md", task / "instruction.md")
            for name in ("grade.py", "prepare.py", "leaderboard.csv", "checksums.yaml"):
                shutil.copy(home / name, task)
            (task / "task.json").write_text(json.dumps(config))
            made[competition_id] = config["grader"]["name"]
        print(json.dumps(made))
        """,
        tmp_path,
    )
    made = json.loads(told)
    assert len(made) == 22
    assert made["leaf-classification"] == "multi-class-log-loss"
    assert (tmp_path / "tasks" / "leaf-classification" / "grade.py").is_file()


def test_a_program_that_runs_agents(data_dir: Path, tmp_path: Path) -> None:
    """As `run_agent.py` does: run folders, a group, a list of ids, metadata, then the JSONL."""
    told = run_script(
        f"""
        import json, shutil
        from pathlib import Path
        from mlebench.data import is_dataset_prepared
        from mlebench.registry import registry
        from mlebench.utils import (
            create_run_dir, generate_run_id, get_logger, get_runs_dir, get_timestamp
        )

        logger = get_logger("runner", filename="run.log")
        new_registry = registry.set_data_dir(Path({str(data_dir)!r}))
        group = f"{{get_timestamp()}}_run-group_dummy"
        lines = []
        for competition_id in ["spaceship-titanic", "leaf-classification"]:
            competition = new_registry.get_competition(competition_id)
            if not is_dataset_prepared(competition):
                raise ValueError(competition_id)
            run_dir = create_run_dir(competition.id, "dummy", group)
            logger.info("run %s", run_dir)
            (run_dir / "submission").mkdir()
            shutil.copy(competition.sample_submission, run_dir / "submission" / "submission.csv")
            found = run_dir / "submission" / "submission.csv"
            lines.append({{"competition_id": competition_id, "submission_path": str(found)}})
        (get_runs_dir() / group / "metadata.json").write_text(json.dumps({{"runs": len(lines)}}))
        Path("submissions.jsonl").write_text("".join(json.dumps(line) + chr(10) for line in lines))
        from mlebench.grade import grade_jsonl
        grade_jsonl(Path("submissions.jsonl"), Path("reports"), new_registry)
        (report,) = Path("reports").glob("*grading_report.json")
        print(json.loads(report.read_text())["total_valid_submissions"])
        """,
        tmp_path,
    )
    assert told.strip() == "2"
    assert "run " in (tmp_path / "run.log").read_text()


def test_own_registries_grade_in_this_process(
    titanic: Competition, group: Path, tmp_path: Path
) -> None:
    """A registry of the caller's making is asked for competitions, whatever its class."""
    from mlebench.grade import grade_jsonl
    from mlebench.registry import Registry

    asked = []

    class Counting(Registry):
        def get_competition(self, competition_id: str) -> Competition:
            asked.append(competition_id)
            return super().get_competition(competition_id)

    path = grade_jsonl(group, tmp_path / "out", Counting(titanic.raw_dir.parent.parent))
    assert json.loads(path.read_text())["total_runs"] == 5
    assert set(asked) == {"spaceship-titanic", "leaf-classification"}


def test_importing_the_surface_loads_nothing_heavy() -> None:
    modules = "registry grade grade_helpers data utils metrics cli competitions.utils".split()
    code = f"import sys, {', '.join(f'mlebench.{name}' for name in modules)}\n"
    heavy = ("pandas", "sklearn", "scipy", "pyarrow", "PIL", "kaggle", "rich", "yaml")
    code += f"print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
