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
    note="Nine tenths of the studies are in train, and one tenth is the test.",
    prepare=prepare,
    flags=(
        "crowded board: 27 % of the teams have the score of one public baseline: constant priors",
    ),
)
