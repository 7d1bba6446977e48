"""The hold-out for training: a fifth of the curated clips, by the hash of their names."""

from pathlib import Path

from mlebench.archives.copying import copy_file, copy_files, copy_folder, zip_files
from mlebench.archives.raw import Raw
from mlebench.competitions.freesound_audio_tagging_2019.prepare import CLASSES, LABELS
from mlebench.recipes.holdouts import HoldOut, lowest
from mlebench.tables import format_table, read_table, write_table

CURATED = "train_curated"


def make_raw(public: Raw, target: Path) -> None:
    """All files as in the raw data, with the clips that are held out as its test."""
    clips = read_table(public / f"{CURATED}.csv")
    is_held_out = clips["fname"].isin(lowest(clips["fname"], 0.2))
    write_table(clips[~is_held_out], target / f"{CURATED}.csv")
    for folder, part in ((CURATED, clips[~is_held_out]), ("test", clips[is_held_out])):
        copy_files({name: public / CURATED / name for name in part["fname"]}, target / folder)
    copy_file(public / "train_noisy.csv", target / "train_noisy.csv")
    copy_folder(public / "train_noisy", target / "train_noisy")
    held_out = clips[is_held_out].assign(usage="Private")
    guesses = dict.fromkeys(CLASSES, 0)
    write_table(held_out[["fname"]].assign(**guesses), target / "sample_submission.csv")
    member = f"{LABELS}/test_post_competition.csv"
    zip_files({member: format_table(held_out).encode()}, target / f"{LABELS}.zip")


hold_out = HoldOut(tables={}, make_raw=make_raw, is_whole=True)
