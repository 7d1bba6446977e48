"""Denoising Dirty Documents: the clean grey level of every pixel of a stained page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.clusters import Clusters, before_first
from mlebench.formats.values import converted_numbers
from mlebench.metrics import root_mean_squared_error
from mlebench.tables import Splitting, split_rows, write_table

if TYPE_CHECKING:
    import pandas as pd


def prepare(raw: Raw, public: Path, private: Path, *, split: Splitting = split_rows) -> None:
    with unpacked(raw / "train.zip") as content:
        pages = {page.name: page for page in (content / "train").files("*.png")}
        train, test = split(list(pages), test_size=0.2)
        copy_files({name: pages[name] for name in train}, public / "train")
        copy_files({name: pages[name] for name in test}, public / "test")
    with unpacked(raw / "train_cleaned.zip") as content:
        clean = content / "train_cleaned"
        copy_files({name: clean / name for name in train}, public / "train_cleaned")
        answers = pixel_table([clean / name for name in sorted(test)])
    write_table(answers, private / "answers.csv")
    write_table(answers.assign(value=1), public / "sampleSubmission.csv")


def pixel_table(pages: list[Raw]) -> pd.DataFrame:
    """One row per pixel, page by page, row by row: `<page>_<row>_<column>` and grey level."""
    import numpy as np
    import pandas as pd
    from PIL import Image

    ids: list[str] = []
    levels = []
    for page in pages:
        with page.open() as stream:
            grey = np.asarray(Image.open(stream).convert("L"))
        height, width = grey.shape
        columns = [f"_{k}" for k in range(1, width + 1)]
        ids += [f"{page.stem}_{row}{column}" for row in range(1, height + 1) for column in columns]
        levels.append(grey.ravel() / 255.0)
    return pd.DataFrame({"id": ids, "value": np.concatenate(levels)})


competition = CompetitionDefinition(
    id="denoising-dirty-documents",
    title="Denoising Dirty Documents",
    category="Image To Image",
    complexity="low",
    dataset_gb=0.06,
    prepare=prepare,
    submission=RowPerId(id="id", target="value", odd_values=converted_numbers),
    metric=root_mean_squared_error,
    clusters=Clusters("page", "id", before_first("_")),
    answers="private/answers.csv",
    sample_submission="public/sampleSubmission.csv",
    official_sample_score=0.28616,
)
