"""A table of votes, recordings and spectrograms, split by spectrogram."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_folder
from mlebench.archives.raw import Raw
from mlebench.recipes import Files
from mlebench.recipes.splits import Parts
from mlebench.tables import read_table, split_groups, write_table

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

VOTES = ("seizure_vote", "lpd_vote", "gpd_vote", "lrda_vote", "grda_vote", "other_vote")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    parts = split_groups(read_table(raw / "train.csv"), "spectrogram_id", test_size=0.1)
    write(raw, parts, public, private)


def write(
    raw: Raw,
    parts: Parts,
    public: Path,
    private: Path,
    *,
    shown: Sequence[str] = ("spectrogram_id", "eeg_id", "patient_id"),
) -> None:
    """Write the tables and recordings of both parts.

    Args:
        shown: the columns of the public test table.
    """
    train, test = parts
    write_table(train, public / "train.csv")
    write_table(test[[*shown]], public / "test.csv")
    write_table(test, private / "test.csv")
    ids = test[["eeg_id"]]
    shares = dict(zip(VOTES, vote_shares(test).T, strict=True))
    write_table(ids.assign(**shares), private / "gold_submission.csv")
    uniform = dict.fromkeys(VOTES, 1 / len(VOTES))
    write_table(ids.assign(**uniform), public / "sample_submission.csv")
    Files("train_eegs/{}.parquet", "eeg_id")(raw, parts, public)
    Files("train_spectrograms/{}.parquet", "spectrogram_id")(raw, parts, public)
    copy_folder(raw / "example_figures", public / "example_figures")


def vote_shares(frame: pd.DataFrame) -> NDArray[np.float64]:
    """The votes of each row as parts of one."""
    votes = frame[list(VOTES)].to_numpy()
    shares: NDArray[np.float64] = votes / votes.sum(axis=1, keepdims=True)
    return shares
