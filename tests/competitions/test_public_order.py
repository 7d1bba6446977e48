"""Revision v1.1: neither order nor numbers of public items come from a draw with a public seed."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from _pytest.mark import ParameterSet
from numpy.typing import NDArray

from mlebench.catalogue import Catalogue
from mlebench.preparing.prepare import prepare
from mlebench.tables import splitting
from tests.competitions.test_goldens import IDS

SOURCE = Path(splitting.__file__).parents[1]
QUICK = {"nomad2018-predict-transparent-conductors", "petfinder-pawpularity-score"}
Positions = tuple[NDArray[np.int64], NDArray[np.int64]]
Split = Callable[..., Positions]
published: Split = splitting.split_positions

MOVED_BY_ORDER = {"iwildcam-2020-fgvc7"}
"""Places are moved between the parts from the end of each: the order decides membership."""

DRAWN_BY_HASH = (
    "google-quest-challenge",
    "h-and-m-personalized-fashion-recommendations",
    "hms-harmful-brain-activity-classification",
    "jigsaw-toxic-comment-classification-challenge",
    "ml2021spring-hw2",
    "movie-review-sentiment-analysis-kernels-only",
    "paddy-disease-classification",
    "plant-seedlings-classification",
    "ranzcr-clip-catheter-line-classification",
    "siim-isic-melanoma-classification",
    "tensorflow-speech-recognition-challenge",
)
"""Competitions whose test part is another one than that of v1."""


def backwards(count: int, *, test_size: float | int, seed: int = 0) -> Positions:
    """The published split, but test rows are returned in reverse."""
    train, test = published(count, test_size=test_size, seed=seed)
    return train, test[::-1].copy()


def reseeded(count: int, *, test_size: float | int, seed: int = 0) -> Positions:
    return published(count, test_size=test_size, seed=seed + 1)


def public_files(competition_id: str, root: Path, split: Split) -> dict[str, str]:
    """The hashes of the public files if rows are split in this way."""
    competition = Catalogue(root, revision="v1.1").get_competition(competition_id)
    competition.folder.raw.mkdir(parents=True)
    competition.make_rehearsal(competition.folder.raw, 1, 1)
    with pytest.MonkeyPatch.context() as patch:
        for module in list(sys.modules.values()):
            if getattr(module, "split_positions", None) is published:
                patch.setattr(module, "split_positions", split)
        prepare(competition)
    root = competition.public_dir
    return {
        file.relative_to(root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in root.rglob("*")
        if file.is_file()
    }


def cases() -> Iterator[ParameterSet]:
    for competition_id in IDS:
        marks = [] if competition_id in QUICK else [pytest.mark.long]
        if competition_id not in MOVED_BY_ORDER:
            yield pytest.param(competition_id, marks=marks)


@pytest.mark.parametrize("competition_id", list(cases()))
def test_the_order_of_the_split_is_not_public(competition_id: str, tmp_path: Path) -> None:
    files = public_files(competition_id, tmp_path / "forwards", published)
    assert files == public_files(competition_id, tmp_path / "backwards", backwards)


@pytest.mark.long
@pytest.mark.parametrize("competition_id", DRAWN_BY_HASH)
def test_new_parts_need_no_seed(competition_id: str, tmp_path: Path) -> None:
    files = public_files(competition_id, tmp_path / "published", published)
    assert files == public_files(competition_id, tmp_path / "reseeded", reseeded)


def test_the_patch_reaches_the_split(tmp_path: Path) -> None:
    name = "aerial-cactus-identification"
    files = public_files(name, tmp_path / "published", published)
    assert files != public_files(name, tmp_path / "reseeded", reseeded)


GENERATORS = {
    "choice",
    "default_rng",
    "hash_array",
    "hash_pandas_object",
    "permutation",
    "random",
    "Random",
    "RandomState",
    "shuffle",
    "sklearn",
    "split_groups",
    "split_positions",
    "split_rows",
    "split_sorted_groups",
    "train_test_split",
}
KEPT_MEMBERSHIP = {
    "osic_pulmonary_fibrosis_progression": {"split_sorted_groups"},
    "random_acts_of_pizza": {"split_rows"},
    "tabular_playground_series_may_2022": {"split_rows"},
    "tweet_sentiment_extraction": {"split_rows"},
}
"""Test rows are those of v1."""


@pytest.mark.parametrize(
    "file",
    [
        *sorted(SOURCE.glob("competitions/*/revision.py")),
        *(SOURCE / "recipes" / f"{name}.py" for name in ("hashes", "mat", "tfrecord")),
        *(SOURCE / "preparing" / f"{name}.py" for name in ("order", "sharing")),
    ],
    ids=lambda file: f"{file.parent.name}/{file.name}",
)
def test_no_generator_is_used(file: Path) -> None:
    """Draws by hash depend on neither a seed nor the version of a library."""
    nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.name.split(".")[0] for alias in node.names}
    # A variable may be called like the method of a table that draws rows.
    assert not any(isinstance(node, ast.Attribute) and node.attr == "sample" for node in nodes)
    assert names & GENERATORS == KEPT_MEMBERSHIP.get(file.parent.name, set())
