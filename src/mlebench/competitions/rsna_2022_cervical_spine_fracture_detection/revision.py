"""Revision v1.1: nine tenths of the studies are for training."""

from collections.abc import Callable
from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.rsna_2022_cervical_spine_fracture_detection.prepare import (
    Draw,
    draw,
    find_studies,
    write,
)
from mlebench.revision import Changes, Fix


def prepare(
    raw: Raw, public: Path, private: Path, *, key: Callable[[str], str | bytes] = str
) -> None:
    studies, boxed, segmented = find_studies(raw, key)
    test = draw(studies, boxed, segmented).train
    train = Draw(set(studies) - test, set(boxed) - test, set(segmented) - test)
    write(raw, train, public, private)


changes = Changes(
    fixes=(
        Fix(
            "a tenth of the studies is train and nine tenths are test, by mistake",
            "the two parts are exchanged",
        ),
        Fix(
            "some train studies lose their boxes and segmentations",
            "all train studies keep them",
        ),
    ),
    comparability="new",
    prepare=prepare,
    flags=(
        "crowded board: 27 % of the teams have the score of one public baseline: constant priors",
    ),
    passages={
        "| 202 labelled studies |": "| 1,817 labelled studies |",
        "| labels of 202 studies |": "| labels of 1,817 studies |",
        "14,536 rows: eight questions about each of 1,817 studies": (
            "1,616 rows: eight questions about each of 202 studies"
        ),
        "14,536 questions: 1,817 studies times eight": "1,616 questions: 202 studies times eight",
        "**The training part is the small one: a tenth of all studies.**": (
            "The test part is a tenth of all studies."
        ),
        "Note that there is **far less to train on than to predict**.": (
            "The test part is a tenth of all studies."
        ),
        "`slice_number`; several rows a study, 24 studies": "`slice_number`; several rows a study",
        "`slice_number`, for 24 studies, several rows each.": (
            "`slice_number`, several rows for a study."
        ),
        "NIfTI volumes for 9 studies;": "NIfTI volumes;",
        "NIfTI files for 9 studies,": "NIfTI files,",
        "prediction type); first all studies for `patient_overall`, then for `C1`, … Slices"
        " may be stored": ("prediction type), by which it is sorted\n\nSlices may be stored"),
        "sorted by question, then study.": "sorted by `row_id`.",
        "- With 202 studies, transfer counts: networks pretrained": "- Networks pretrained",
    },
)
