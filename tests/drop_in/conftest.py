"""Prepared rehearsal data behind the published registry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlebench.registry import Competition, Registry

MISSING = [
    {"competition_id": "spaceship-titanic", "submission_path": None},
    {"competition_id": "spaceship-titanic", "submission_path": "None"},
    {"competition_id": "leaf-classification", "submission_path": "no/such/submission.csv"},
]


@pytest.fixture
def published(data_dir: Path) -> Registry:
    """A registry over prepared rehearsal data; not to be written to."""
    return Registry(data_dir)


@pytest.fixture
def titanic(published: Registry) -> Competition:
    return published.get_competition("spaceship-titanic")


@pytest.fixture
def group(titanic: Competition, tmp_path: Path) -> Path:
    """The JSONL of five runs: gold, sample, and three without a submission."""
    graded = [
        {"competition_id": titanic.id, "submission_path": str(file), "logs_path": "x"}
        for file in (titanic.gold_submission, titanic.sample_submission)
    ]
    file = tmp_path / "submissions.jsonl"
    file.write_text("# a group\n" + "".join(json.dumps(line) + "\n" for line in graded + MISSING))
    return file
