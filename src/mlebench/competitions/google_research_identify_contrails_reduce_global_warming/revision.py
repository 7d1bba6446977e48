"""Revision v1.1: odd lists of runs are refused, and test records have metadata."""

from dataclasses import replace
from functools import partial

# The name of the module is longer than a line.
from mlebench.competitions.google_research_identify_contrails_reduce_global_warming.competition import (  # noqa: E501
    rows,
)
from mlebench.competitions.google_research_identify_contrails_reduce_global_warming.prepare import (
    prepare,
)
from mlebench.revision import DRAWN_SAMPLE, PAIRED_RUNS, Changes, Fix

changes = Changes(
    fixes=(
        PAIRED_RUNS,
        DRAWN_SAMPLE,
        Fix(
            "test records have no metadata, unlike those of train and validation",
            "test_metadata.json has time, place and projection of the test records",
        ),
    ),
    comparability="near",
    has_drawn_sample=True,
    prepare=partial(prepare, with_test_metadata=True),
    submission=replace(rows, is_paired=True),
    passages={
        "| `train_metadata.json`, `validation_metadata.json` | place and time of the records"
        " of these two parts |": (
            "| `train_metadata.json`, `validation_metadata.json`, `test_metadata.json` |"
            " place and time of the records |"
        ),
        "| `train_metadata.json` and `validation_metadata.json` | time and position for"
        " records of these parts |": (
            "| `train_metadata.json`, `validation_metadata.json`, `test_metadata.json` | time"
            " and position of the records |"
        ),
        "There are none for the test records.": "",
        "The test records come without metadata.": "",
        "further columns (such as `height` and `width` in the sample) are ignored.": (
            "`height` and `width`, which the sample has, may be given and are ignored, and"
            " further columns are refused."
        ),
        "the sample has two more columns, which nobody reads.": (
            "the sample has two more columns, which may be given and are ignored, and further"
            " ones are refused."
        ),
    },
)
