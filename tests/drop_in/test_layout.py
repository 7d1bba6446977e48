"""The exported layout: `prepare.py` and `grade.py` of a folder do what the published ones do.

Expected files and scores were made by the published code on the same synthetic data.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest
import yaml

from mlebench.catalogue import Catalogue, LocatedCompetition, folder_name
from mlebench.catalogue.export import export_layout
from mlebench.errors import InvalidSubmissionError, UsageError
from mlebench.registry import registry
from mlebench.utils import load_answers, read_csv
from tests.competitions.test_goldens import GOLDENS, IDS, agrees, rounding_of
from tests.competitions.trees import tree
from tests.drop_in.test_files import SPLITS, run_python

QUICK = (
    "dog-breed-identification",
    "spaceship-titanic",
    "tensorflow2-question-answering",
    "uw-madison-gi-tract-image-segmentation",
)


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "mle-bench"
    assert export_layout(Catalogue(), folder) == 82
    return folder


def test_layout_as_a_converter_reads_it(layout: Path) -> None:
    """For each id of a split: config, description, board and the paths that the config names."""
    found = {}
    for file in (layout / "experiments" / "splits").glob("*.txt"):
        for competition_id in file.read_text("utf-8").split():
            folder = layout / "mlebench" / "competitions" / competition_id
            config = yaml.safe_load((folder / "config.yaml").read_text("utf-8"))
            board = pd.read_csv(folder / "leaderboard.csv")
            text = (layout / config["description"]).read_text("utf-8")
            found[competition_id] = (config["name"], len(board), len(text))
    assert sorted(found) == registry.list_competition_ids()
    assert found["spaceship-titanic"][:2] == ("Spaceship Titanic", 2288)
    assert min(length for _, _, length in found.values()) > 500
    assert sorted(file.stem for file in (layout / "experiments/splits").iterdir()) == sorted(SPLITS)
    assert not list(layout.rglob("__init__.py"))


def test_layout_instructions_name_the_folders_of_an_agent(layout: Path) -> None:
    for name in ("instructions.txt", "instructions_obfuscated.txt"):
        text = (layout / "environment" / name).read_text("utf-8")
        for place in ("/home/data", "/home/submission/submission.csv", "/home/code"):
            assert place in text
    assert "kaggle" not in text.lower()


def test_a_layout_on_the_path_does_not_hide_the_package(layout: Path) -> None:
    done = run_python(
        "import mlebench.registry as r; print(len(r.registry.list_competition_ids()))",
        PYTHONPATH=os.pathsep.join([str(layout), *filter(None, sys.path)]),
    )
    assert done.stdout.strip() == "82", done.stderr


def test_a_layout_is_not_written_over_other_files(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        export_layout(Catalogue(), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def load_file(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("somebody_elses_name", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "competition_id",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in IDS],
)
def test_folder_prepares_and_grades(competition_id: str, layout: Path, tmp_path: Path) -> None:
    golden = json.loads((GOLDENS / f"{competition_id}.json").read_text("utf-8"))
    golden["module"] = folder_name(competition_id)
    home = layout / "mlebench" / "competitions" / competition_id
    raw, public, private = (tmp_path / name for name in ("raw", "public", "private"))
    for folder in (raw, public, private):
        folder.mkdir()
    made = Catalogue(tmp_path / "data").get_competition(competition_id)
    made.make_rehearsal(raw, golden["seed"], golden["scale"])
    load_file(home / "prepare.py").prepare(raw, public, private)
    found = tree(tmp_path, golden["archives"], golden["tables"], golden["ignored"])
    assert found == golden["files"]
    grade = load_file(home / "grade.py").grade
    assert wrong_scores(grade, read_config(home, tmp_path), golden, made) == {}


def read_config(home: Path, prepared: Path) -> dict[str, Path]:
    """The files that the exported configuration names, below a folder of prepared data."""
    config = yaml.safe_load((home / "config.yaml").read_text("utf-8"))
    return {
        key: prepared / name.removeprefix(f"{home.name}/prepared/")
        for key, name in config["dataset"].items()
    }


def wrong_scores(
    grade: Callable[[pd.DataFrame, Any], float],
    files: dict[str, Path],
    golden: dict[str, Any],
    competition: LocatedCompetition,
) -> dict[str, str]:
    """Submissions whose score is not that of the published grader, as an importer reads them."""
    home = files["sample_submission"].parent.parent
    module = importlib.import_module(f"tests.competitions.submissions.{golden['module']}")
    texts = module.submissions(home / "public", home / "private", golden["seed"])
    answers = load_answers(files["answers"])
    wrong = {}
    for name, expected in golden["scores"].items():
        file = io.StringIO(texts[name]) if name in texts else files[f"{name}_submission"]
        score: float | str = "invalid"
        with suppress(InvalidSubmissionError, UnicodeDecodeError, pd.errors.ParserError):
            score = float(grade(read_csv(file), answers))
        if not agrees(expected, score, rounding_of(competition, name)):
            wrong[name] = f"expected {expected}, got {score}"
    return wrong
