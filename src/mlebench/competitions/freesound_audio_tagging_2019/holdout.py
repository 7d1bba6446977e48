"""The hold-out for training: a fifth of the curated clips, by the hash of their names."""

from pathlib import Path

from mlebench.archives.copying import copy_file, copy_files, copy_folder, zip_files
from mlebench.archives.raw import Raw
from mlebench.competitions.freesound_audio_tagging_2019.prepare import CLASSES, LABELS
from mlebench.recipes.holdouts import MAX_SHARE, HoldOut, split_groups_of_hold_out
from mlebench.tables import format_table, read_table, write_table

CURATED = "train_curated"


def make_raw(public: Raw, target: Path) -> None:
    """All files as in the raw data, with the clips that are held out as its test."""
    clips = read_table(public / f"{CURATED}.csv")
    train, held_out = split_groups_of_hold_out(clips, "fname", test_size=MAX_SHARE)
    write_table(train, target / f"{CURATED}.csv")
    for folder, part in ((CURATED, train), ("test", held_out)):
        copy_files({name: public / CURATED / name for name in part["fname"]}, target / folder)
    copy_file(public / "train_noisy.csv", target / "train_noisy.csv")
    copy_folder(public / "train_noisy", target / "train_noisy")
    guesses = dict.fromkeys(CLASSES, 0)
    write_table(held_out[["fname"]].assign(**guesses), target / "sample_submission.csv")
    member = f"{LABELS}/test_post_competition.csv"
    labels = format_table(held_out.assign(usage="Private"))
    zip_files({member: labels.encode()}, target / f"{LABELS}.zip")


hold_out = HoldOut(tables={}, make_raw=make_raw, is_whole=True)
