"""How agents worked: figures by hand, and code that is looked at but never run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mlebench.records.measures import WorkMeasures
from mlebench.results.attempts import load_attempts
from mlebench.results.process import (
    Linter,
    measure_process,
    process_figures,
    read_processes,
    read_sources,
)
from tests.results.made_runs import make_group

RUFF = Linter.find()


def test_runs_are_measured_once_and_kept(tmp_path: Path) -> None:
    group = make_group(
        tmp_path, "aide", ["spaceship-titanic"], seeds=2, outcomes=["gold", "failed"]
    )
    attempts = load_attempts([group.path])
    assert read_processes(attempts) == []
    measured = measure_process(attempts)
    assert len(measured) == 2
    first = measured[0][1]
    assert first.validations >= 1
    assert first.invalid_validations == 1
    assert first.executions == 12
    assert first.code_files == 1
    assert first.code_lines == 7
    assert first.lint_findings is not None
    assert [a.seed for a, _ in read_processes(attempts)] == [0]
    assert measure_process(attempts)[0][1] == first


@pytest.mark.skipif(RUFF.program is None, reason="ruff is not installed")
def test_ruff_counts_findings() -> None:
    assert RUFF.name.startswith("ruff ")
    assert RUFF.count(["import os\n", "x = 1\n"]) == 1
    # A setting in the code itself must not decide; syntax errors are findings as well.
    assert (RUFF.count(["def broken(:\n"]) or 0) >= 1


def test_without_ruff_files_that_are_no_python_are_counted() -> None:
    linter = Linter("compile")
    assert linter.count(["x = 1\n", "def broken(:\n", "(" * 5000 + ")" * 5000]) == 2


def test_code_is_read_without_following_anything(tmp_path: Path) -> None:
    code = tmp_path / "code"
    (code / "deep").mkdir(parents=True)
    (code / "deep" / "a.py").write_text("print(1)\n")
    (tmp_path / "secret.py").write_text("SECRET = 1\n")
    (code / "link.py").symlink_to(tmp_path / "secret.py")
    (code / "loop").symlink_to(code)
    os.mkfifo(code / "pipe.py")
    (code / "large.py").write_bytes(b"#" * (2 << 20))
    (code / "broken.py").write_bytes(b"\xff\xfe\n")
    assert read_sources(code) == ["\ufffd\ufffd\n", "print(1)\n"]
    assert read_sources(tmp_path / "missing") == []


def test_h09_a_deep_tree_is_not_the_end(tmp_path: Path) -> None:
    place = os.open(tmp_path, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=place)
        inside = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inside
    os.close(place)
    (tmp_path / "a.py").write_text("x = 1\n")
    assert read_sources(tmp_path) == ["x = 1\n"]
    # pytest's own clean-up would not come to its end.
    subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


def test_figures_by_hand() -> None:
    found = process_figures(
        [
            WorkMeasures(1.0, 4, 1, 10, 5, 100, 1, 2, 200, 4, "ruff 1"),
            WorkMeasures(3.0, 0, 0, None, None, None, None, 1, 100, 2, "ruff 1"),
            WorkMeasures(None, 2, 2, 30, 5, 300, 3),
        ]
    )
    assert found["first_valid_hours_median"] == 2.0
    assert found["runs_with_valid"] == 2
    assert found["validations_mean"] == 2.0
    assert found["invalid_validations_share"] == 0.5
    assert found["failed_executions_share"] == 0.25
    assert found["failed_model_calls_share"] == 0.01
    assert found["lint_findings_per_100_lines"] == 2.0
    assert found["linter"] == "ruff 1"
    assert process_figures([WorkMeasures()])["invalid_validations_share"] is None
