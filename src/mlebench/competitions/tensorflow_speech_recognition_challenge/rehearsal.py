"""Rehearsal data. One-word recordings in a 7z archive, one folder per word; names repeat across folders."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, hex_id, rng, wav, write_7z, write_text

WORDS = [
    "bed",
    "bird",
    "cat",
    "dog",
    "down",
    "eight",
    "five",
    "four",
    "go",
    "happy",
    "house",
    "left",
    "marvin",
    "nine",
    "no",
    "off",
    "on",
    "one",
    "right",
    "seven",
    "sheila",
    "six",
    "stop",
    "three",
    "tree",
    "two",
    "up",
    "wow",
    "yes",
    "zero",
]


NOISE = [
    "doing_the_dishes",
    "dude_miaowing",
    "exercise_bike",
    "pink_noise",
    "running_tap",
    "white_noise",
]


def steady_7z(path: Path, members: dict[str, bytes]) -> None:
    """lib.write_7z with the clock stopped: py7zr stamps members with the present time."""
    from py7zr.py7zr import ArchiveTimestamp

    now = ArchiveTimestamp.from_now
    ArchiveTimestamp.from_now = staticmethod(lambda: ArchiveTimestamp.from_datetime(1577836800))
    try:
        write_7z(path, members)
    finally:
        ArchiveTimestamp.from_now = staticmethod(now)


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "clips")
    speakers = [hex_id(r, 8) for _ in range(25 * scale)]
    z = {f"train/audio/_background_noise_/{n}.wav": wav(r, 0.004) for n in NOISE}
    z["train/audio/_background_noise_/README.md"] = b"noise\n"
    for w in WORDS:
        for s in r.sample(speakers, r.randrange(4, 9) * scale):
            for k in range(r.choice([1, 1, 1, 2])):
                z[f"train/audio/{w}/{s}_nohash_{k}.wav"] = wav(r, 0.002)
    for extra in ("LICENSE", "README.md", "testing_list.txt", "validation_list.txt"):
        z[f"train/{extra}"] = f"{extra}\n".encode()
    steady_7z(raw / "train.7z", z)
    test = [f"clip_{hex_id(r, 9)}.wav" for _ in range(5)]
    steady_7z(raw / "test.7z", {f"test/audio/{n}": wav(r, 0.002) for n in test})
    steady_7z(
        raw / "sample_submission.7z",
        {
            "sample_submission.csv": csv_text(
                ["fname", "label"], ((n, "silence") for n in test)
            ).encode()
        },
    )
    write_text(raw / "link_to_gcp_credits_form.txt", "https://example.com\n")
