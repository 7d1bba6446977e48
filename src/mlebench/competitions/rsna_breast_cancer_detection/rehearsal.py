"""Rehearsal data. Mammograms: several images a breast, one prediction a breast, split by patient."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, rng, write_bytes, write_csv

COLUMNS = [
    "site_id",
    "patient_id",
    "image_id",
    "laterality",
    "view",
    "age",
    "cancer",
    "biopsy",
    "invasive",
    "BIRADS",
    "implant",
    "density",
    "machine_id",
    "difficult_negative_case",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "patients")
    files = rng(seed, "files")
    images = r.sample(range(10_000, 2_000_000_000), 400 * scale)
    rows = []
    for i, patient in enumerate(sorted(r.sample(range(2, 65_000), 60 * scale))):
        site = r.choice([1, 2])
        age = "" if r.random() < 0.1 else f"{r.randrange(40, 89)}.0"
        sick = r.choice("LR") if i % 2 == 0 else ""
        for side in "LR":
            if r.random() < 0.15 and side != sick and rows:
                continue
            for view in r.choice([["CC"], ["CC", "MLO"], ["MLO", "CC"], ["CC", "MLO", "AT"]])[
                : r.randrange(1, 4)
            ]:
                cancer = int(side == sick)
                rows.append(
                    (
                        site,
                        patient,
                        images.pop(),
                        side,
                        view,
                        age,
                        cancer,
                        int(cancer or r.random() < 0.1),
                        int(cancer and r.random() < 0.7),
                        r.choice(["", "0.0", "1.0", "2.0"]),
                        r.randrange(2),
                        r.choice(["", "A", "B", "C", "D"]),
                        r.choice([29, 48, 49, 170]),
                        r.choice(["True", "False"]),
                    )
                )
                write_bytes(
                    raw / "train_images" / str(patient) / f"{rows[-1][2]}.dcm",
                    blob(files, 40, b"\0" * 8 + b"DICM"),
                )
    write_csv(raw / "train.csv", COLUMNS, rows)
    test = [(2, 10008, images.pop(), side, "CC", 81, 0, 21, f"10008_{side}") for side in "LR"]
    write_csv(
        raw / "test.csv",
        [
            "site_id",
            "patient_id",
            "image_id",
            "laterality",
            "view",
            "age",
            "implant",
            "machine_id",
            "prediction_id",
        ],
        test,
    )
    write_csv(
        raw / "sample_submission.csv",
        ["prediction_id", "cancer"],
        ((t[-1], 0.021168) for t in test),
    )
    for t in test:
        write_bytes(
            raw / "test_images" / "10008" / f"{t[2]}.dcm", blob(files, 40, b"\0" * 8 + b"DICM")
        )
