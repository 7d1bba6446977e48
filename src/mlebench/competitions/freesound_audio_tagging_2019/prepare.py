"""All files are copied unchanged; the answers were published after the competition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_file, copy_folder
from mlebench.archives.raw import Raw
from mlebench.tables import read_zipped_table, write_table

if TYPE_CHECKING:
    import pandas as pd

LABELS = "FSDKaggle2019.meta"
NAMES = """
Accelerating_and_revving_and_vroom Accordion Acoustic_guitar Applause Bark Bass_drum Bass_guitar
Bathtub_(filling_or_washing) Bicycle_bell Burping_and_eructation Bus Buzz Car_passing_by Cheering
Chewing_and_mastication Child_speech_and_kid_speaking Chink_and_clink Chirp_and_tweet Church_bell
Clapping Computer_keyboard Crackle Cricket Crowd Cupboard_open_or_close Cutlery_and_silverware
Dishes_and_pots_and_pans Drawer_open_or_close Drip Electric_guitar Fart Female_singing
Female_speech_and_woman_speaking Fill_(with_liquid) Finger_snapping Frying_(food) Gasp
Glockenspiel Gong Gurgling Harmonica Hi-hat Hiss Keys_jangling Knock Male_singing
Male_speech_and_man_speaking Marimba_and_xylophone Mechanical_fan Meow Microwave_oven Motorcycle
Printer Purr Race_car_and_auto_racing Raindrop Run Scissors Screaming Shatter Sigh
Sink_(filling_or_washing) Skateboard Slam Sneeze Squeak Stream Strum Tap Tick-tock Toilet_flush
Traffic_noise_and_roadway_noise Trickle_and_dribble Walk_and_footsteps Water_tap_and_faucet
Waves_and_surf Whispering Writing Yell Zipper_(clothing)
"""
CLASSES = tuple(NAMES.split())


def prepare(raw: Raw, public: Path, private: Path) -> None:
    write_table(answers(read_labels(raw)), private / "test.csv")
    for file in raw.files():
        if LABELS not in file.name:
            copy_file(file, public / file.name)
    for folder in raw.folders():
        if LABELS not in folder.name:
            copy_folder(folder, public / folder.name)


def read_labels(raw: Raw) -> pd.DataFrame:
    """The labels of all test clips, which do not come from Kaggle."""
    return read_zipped_table(raw / f"{LABELS}.zip", f"{LABELS}/test_post_competition.csv")


def answers(labels: pd.DataFrame) -> pd.DataFrame:
    """A 0/1 column for each class, for the clips of the private leaderboard."""
    clips = labels[labels["usage"] == "Private"]
    tags = clips["labels"].str.get_dummies(sep=",").reindex(columns=list(CLASSES), fill_value=0)
    return clips[["fname"]].join(tags)
