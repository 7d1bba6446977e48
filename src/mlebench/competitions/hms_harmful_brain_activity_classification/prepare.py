"""A table of votes, recordings and spectrograms, split by spectrogram."""

from pathlib import Path
from typing import Any

from mlebench.archives.copying import copy_folder, copy_split
from mlebench.archives.raw import Raw
from mlebench.tables import read_table, split_groups, write_table
from mlebench.tables.frames import Frame

VOTES = ("seizure_vote", "lpd_vote", "gpd_vote", "lrda_vote", "grda_vote", "other_vote")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    train, test = split_groups(read_table(raw / "train.csv"), "spectrogram_id", test_size=0.1)
    write_table(train, public / "train.csv")
    write_table(test[["spectrogram_id", "eeg_id", "patient_id"]], public / "test.csv")
    write_table(test, private / "test.csv")
    ids = test[["eeg_id"]]
    shares = dict(zip(VOTES, vote_shares(test).T, strict=True))
    write_table(ids.assign(**shares), private / "gold_submission.csv")
    uniform = dict.fromkeys(VOTES, 1 / len(VOTES))
    write_table(ids.assign(**uniform), public / "sample_submission.csv")
    for column, folder in (("eeg_id", "train_eegs"), ("spectrogram_id", "train_spectrograms")):
        files = f"{folder}/{{}}.parquet"
        parts = {"train": train[column].unique(), "test": test[column].unique()}
        copy_split(raw, files, public, **parts)
    copy_folder(raw / "example_figures", public / "example_figures")


def vote_shares(frame: Frame) -> Any:
    """The votes of each row as parts of one."""
    votes = frame[list(VOTES)].to_numpy()
    return votes / votes.sum(axis=1, keepdims=True)
