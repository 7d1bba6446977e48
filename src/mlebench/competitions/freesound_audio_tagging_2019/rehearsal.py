"""Rehearsal data. Audio clips with 80 tags; the test labels come in a second archive that the original downloads from Zenodo.

Here that archive lies in raw already (FSDKaggle2019.meta.zip), so that no network is needed."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import (
    csv_text,
    hex_id,
    rng,
    wav,
    write_bytes,
    write_csv,
    write_zip,
)

CLASSES = [
    "Accelerating_and_revving_and_vroom",
    "Accordion",
    "Acoustic_guitar",
    "Applause",
    "Bark",
    "Bass_drum",
    "Bass_guitar",
    "Bathtub_(filling_or_washing)",
    "Bicycle_bell",
    "Burping_and_eructation",
    "Bus",
    "Buzz",
    "Car_passing_by",
    "Cheering",
    "Chewing_and_mastication",
    "Child_speech_and_kid_speaking",
    "Chink_and_clink",
    "Chirp_and_tweet",
    "Church_bell",
    "Clapping",
    "Computer_keyboard",
    "Crackle",
    "Cricket",
    "Crowd",
    "Cupboard_open_or_close",
    "Cutlery_and_silverware",
    "Dishes_and_pots_and_pans",
    "Drawer_open_or_close",
    "Drip",
    "Electric_guitar",
    "Fart",
    "Female_singing",
    "Female_speech_and_woman_speaking",
    "Fill_(with_liquid)",
    "Finger_snapping",
    "Frying_(food)",
    "Gasp",
    "Glockenspiel",
    "Gong",
    "Gurgling",
    "Harmonica",
    "Hi-hat",
    "Hiss",
    "Keys_jangling",
    "Knock",
    "Male_singing",
    "Male_speech_and_man_speaking",
    "Marimba_and_xylophone",
    "Mechanical_fan",
    "Meow",
    "Microwave_oven",
    "Motorcycle",
    "Printer",
    "Purr",
    "Race_car_and_auto_racing",
    "Raindrop",
    "Run",
    "Scissors",
    "Screaming",
    "Shatter",
    "Sigh",
    "Sink_(filling_or_washing)",
    "Skateboard",
    "Slam",
    "Sneeze",
    "Squeak",
    "Stream",
    "Strum",
    "Tap",
    "Tick-tock",
    "Toilet_flush",
    "Traffic_noise_and_roadway_noise",
    "Trickle_and_dribble",
    "Walk_and_footsteps",
    "Water_tap_and_faucet",
    "Waves_and_surf",
    "Whispering",
    "Writing",
    "Yell",
    "Zipper_(clothing)",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")

    def tags() -> str:
        return ",".join(r.sample(CLASSES, r.choice([1, 1, 1, 1, 2, 2, 3, 6])))

    for subset, count in (("curated", 25 * scale), ("noisy", 35 * scale)):
        rows = sorted([f"{hex_id(r, 8)}.wav", tags()] for _ in range(count))
        write_csv(raw / f"train_{subset}.csv", ["fname", "labels"], rows)
        for name, _ in rows:
            write_bytes(raw / f"train_{subset}" / name, wav(r, 0.002, 44100))

    meta = [
        [
            f"{hex_id(r, 8)}.wav",
            tags(),
            "Private" if i % 4 else "Public",
            r.randrange(1000, 400_000),
            "http://creativecommons.org/licenses/by/3.0/",
        ]
        for i in range(60 * scale)
    ]
    private = sorted(row[0] for row in meta if row[2] == "Private")
    write_csv(
        raw / "sample_submission.csv",
        ["fname", *CLASSES],
        ([name] + [0] * len(CLASSES) for name in private),
    )
    for name in private:
        write_bytes(raw / "test" / name, wav(r, 0.002, 44100))
    members = {
        "FSDKaggle2019.meta/": b"",
        "FSDKaggle2019.meta/test_post_competition.csv": csv_text(
            ["fname", "labels", "usage", "freesound_id", "license"], meta
        ).encode(),
        "FSDKaggle2019.meta/train_curated_post_competition.csv": b"fname,labels,freesound_id,license\n",
        "FSDKaggle2019.meta/vocabulary.csv": csv_text([], []).encode(),
    }
    write_zip(raw / "FSDKaggle2019.meta.zip", members)
