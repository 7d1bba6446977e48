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
    note="`test_metadata.json` has the same fields as `train_metadata.json`.",
    prepare=partial(prepare, with_test_metadata=True),
    submission=replace(rows, is_paired=True),
)
