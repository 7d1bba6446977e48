"""Rehearsal data. Numbered photographs in a 7z archive, labels in a zip."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, jpeg, rng, write_7z, write_zip


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
    r = rng(seed, "images")
    n = 110 * scale
    labels = [(i, int(r.random() < 0.63)) for i in range(1, n + 1)]
    steady_7z(raw / "train.7z", {f"train/{i}.jpg": jpeg(r) for i, _ in labels})
    steady_7z(raw / "test.7z", {f"test/{i}.jpg": jpeg(r) for i in range(1, 8)})
    write_zip(
        raw / "train_labels.csv.zip",
        {"train_labels.csv": csv_text(["name", "invasive"], labels).encode()},
    )
    write_zip(
        raw / "sample_submission.csv.zip",
        {
            "sample_submission.csv": csv_text(
                ["name", "invasive"], ((i, 0.5) for i in range(1, 8))
            ).encode()
        },
    )
