"""ALASKA2: whether a JPEG photograph hides a message."""

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.metrics import weighted_roc_auc
from mlebench.tables import split_rows, write_table

CLEAN = "Cover"
HIDDEN = ("JMiPOD", "JUNIWARD", "UERD")


Chooser = Callable[[Raw, list[str]], list[Raw]]
"""Picks one version of each test image; the images are numbered in the order it returns."""


def prepare_versions(
    choose: Chooser, raw: Raw, public: Path, private: Path, *, test_size: float | int = 5000
) -> None:
    import pandas as pd

    names = [file.name for file in (raw / CLEAN).files("*.jpg")]
    train, test = split_rows(names, test_size=test_size, seed=42)
    for folder in (CLEAN, *HIDDEN):
        images = {f"{k:05d}.jpg": raw / folder / name for k, name in enumerate(train, 1)}
        copy_files(images, public / folder)
    chosen = {f"{k:04d}.jpg": image for k, image in enumerate(choose(raw, test), 1)}
    copy_files(chosen, public / "Test")
    labels = [int(image.parent_name != CLEAN) for image in chosen.values()]
    answers = pd.DataFrame({"Id": list(chosen), "Label": labels})
    write_table(answers, private / "test.csv")
    write_table(answers.assign(Label=0), public / "sample_submission.csv")


def choose_versions(raw: Raw, names: list[str]) -> list[Raw]:
    """Shuffle the images and draw for each whether it hides nothing or which method it uses."""
    draws = random.Random(0)
    shuffled = list(names)
    draws.shuffle(shuffled)
    return [
        raw / (CLEAN if draws.choice([True, False]) else draws.choice(HIDDEN)) / name
        for name in shuffled
    ]


prepare = partial(prepare_versions, choose_versions)

competition = CompetitionDefinition(
    id="alaska2-image-steganalysis",
    title="ALASKA2 Image Steganalysis",
    category="Image Classification",
    complexity="medium",
    awards_medals=True,
    prize_usd=25_000,
    prepare=prepare,
    submission=RowPerId(id="Id", target="Label"),
    metric=weighted_roc_auc(cuts=[0.4], weights=[2, 1]),
    official_sample_score=0.58571,
)
