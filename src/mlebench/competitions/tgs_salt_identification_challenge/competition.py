"""TGS Salt Identification Challenge: which pixels of a seismic picture are salt."""

from pathlib import Path

import numpy as np

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.run_lengths import MaskPerId
from mlebench.metrics.masks import iou_precision
from mlebench.recipes import Files, LabelSplit
from mlebench.tables import read_table, split_rows, write_table

SIDE = 101


rows = MaskPerId(id="id", target="rle_mask", size=SIDE * SIDE, exact_columns=True)
tables = LabelSplit(rows, sample_value="1 1")


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    with_test_depths: bool = False,
    test_size: float = 0.25,
) -> None:
    with unpacked(raw / "competition_data.zip") as content:
        data = content / "competition_data"
        parts = split_rows(read_table(data / "train.csv"), test_size=test_size)
        train, test = (part.sort_values("id") for part in parts)
        Files("train/images/{}.png", "id")(data, (train, test), public)
        masks = [f"train/masks/{id}.png" for id in train["id"]]
        copy_files({mask: data / mask for mask in masks}, public)
    tables.write((train, test), public, private)
    depths = read_table(raw / "depths.csv").sort_values("id")
    known = {*train["id"], *(test["id"] if with_test_depths else ())}
    write_table(depths[depths["id"].isin(known)], public / "depths.csv")


competition = CompetitionDefinition(
    id="tgs-salt-identification-challenge",
    title="TGS Salt Identification Challenge",
    category="Image Segmentation",
    complexity="medium",
    awards_medals=True,
    prize_usd=100_000,
    prepare=prepare,
    submission=rows,
    metric=iou_precision(np.arange(0.5, 1.0, 0.05), empty_means_full=True),
    official_sample_score=0.0,
    faults=(
        Fault("an empty mask where there is salt counts as if all were marked as salt"),
        Fault("three numbers `a n b` are two runs of the length n; a single number marks nothing"),
        Fault("depths.csv lacks the test pictures, whose depth Kaggle provides"),
    ),
    accepts=frozenset({"nan"}),
)
