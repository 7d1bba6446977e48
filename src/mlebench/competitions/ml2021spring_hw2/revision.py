"""Revision v1.1: whole utterances are held out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.archives.raw import Raw
from mlebench.competitions.ml2021spring_hw2.prepare import (
    BLOCK_ROWS,
    count_rows,
    load_array,
    save_rows,
)
from mlebench.recipes.hashes import hash_of
from mlebench.revision import TEXT_CELLS, Changes, Fix
from mlebench.tables import write_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEATURES = 39
"""Numbers of one frame; a row has those of eleven frames, the one to classify in the middle."""


def prepare(raw: Raw, public: Path, private: Path) -> None:
    import numpy as np
    import pandas as pd

    source, goal = raw / "timit_11" / "timit_11", public / "timit_11" / "timit_11"
    frames, labels = load_array(source / "train_11.npy"), load_array(source / "train_label_11.npy")
    unlabelled = count_rows(source / "test_11.npy")
    wanted = round(len(frames) * unlabelled / (len(frames) + unlabelled))
    is_test = draw_utterances(frames, wanted)
    train, test = np.flatnonzero(~is_test), np.flatnonzero(is_test)
    test = np.array(sorted(test, key=lambda row: hash_of(frames[row].tobytes())))
    save_rows(frames, train, goal / "train_11.npy")
    save_rows(labels, train, goal / "train_label_11.npy")
    save_rows(frames, test, goal / "test_11.npy")
    answers = pd.DataFrame({"Id": np.arange(len(test)), "ClassId": labels[test]})
    write_table(answers, private / "answers.csv")
    write_table(answers.assign(ClassId=0), public / "sampleSubmission.csv")


def draw_utterances(frames: NDArray[Any], wanted: int) -> NDArray[np.bool_]:
    """Which rows are held out: those of the utterances with the lowest hashes of their first row,
    until there are as many rows as wanted."""
    import numpy as np

    starts = find_starts(frames)
    lengths = np.diff(starts, append=len(frames))
    order = sorted(range(len(starts)), key=lambda k: hash_of("test", frames[starts[k]].tobytes()))
    rows_before = np.cumsum(lengths[order]) - lengths[order]
    is_drawn = np.zeros(len(starts), bool)
    is_drawn[order] = rows_before < wanted
    return np.repeat(is_drawn, lengths)


def find_starts(frames: NDArray[Any]) -> NDArray[np.int64]:
    """The rows where an utterance begins: their windows do not continue those before them."""
    import numpy as np

    continues = np.zeros(len(frames), bool)
    for start in range(0, len(frames) - 1, BLOCK_ROWS):
        block = frames[start : start + BLOCK_ROWS + 1]
        overlaps = block[:-1, FEATURES:] == block[1:, :-FEATURES]
        continues[start + 1 : start + len(block)] = overlaps.all(axis=1)
    return np.flatnonzero(~continues)


changes = Changes(
    fixes=(
        Fix(
            "frames are split one by one with a public seed: a test frame has labelled neighbours"
            " of the same utterance in train, and the shuffle can be inverted",
            "whole utterances, recognised by their overlapping windows, are drawn by hash, and the"
            " test frames are in the order of their hashes",
        ),
        TEXT_CELLS,
    ),
    comparability="new",
    prepare=prepare,
    passages={
        "899,641": "about 899,600",
        "330,291": "about 330,300",
        **dict.fromkeys(
            (
                "Rows are in random order; train and test frames were drawn at random.",
                "The rows were shuffled and divided into train and test at random.",
            ),
            "Whole utterances were drawn for the test part. Training rows of an utterance"
            " follow each other in time; test rows are in no order.",
        ),
        "if the ids are not exactly 0 to 330,290, each once,": (
            "if the ids are not those of the sample, each once,"
        ),
        "since the rows were shuffled.": "since the test rows are in no order.",
    },
)
