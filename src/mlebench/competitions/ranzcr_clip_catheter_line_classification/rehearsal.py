"""Rehearsal data. Chest X-rays: eleven labels of which nine are scored, annotations as quoted lists, two copies of the images."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, hex_id, jpeg, rng, write_bytes, write_csv

SCORED = [
    "ETT - Abnormal",
    "ETT - Borderline",
    "ETT - Normal",
    "NGT - Abnormal",
    "NGT - Borderline",
    "NGT - Incompletely Imaged",
    "NGT - Normal",
    "CVC - Abnormal",
    "CVC - Borderline",
]


LABELS = [*SCORED, "CVC - Normal", "Swan Ganz Catheter Present"]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "xrays")
    uid = lambda: "1.2.826.0.1.3680043.8.498." + str(r.randrange(10**37, 10**38))
    patients = [hex_id(r, 9) for _ in range(60 * scale)]
    rows, notes = [], []
    for _ in range(180 * scale):
        u = uid()
        rows.append([u] + [int(r.random() < 0.35) for _ in LABELS] + [r.choice(patients)])
        write_bytes(raw / "train" / f"{u}.jpg", jpeg(r))
        if r.random() < 0.4:
            for label in r.sample(LABELS, r.choice([1, 1, 2])):
                notes.append(
                    [
                        u,
                        label,
                        str(
                            [
                                [r.randrange(3000), r.randrange(3000)]
                                for _ in range(r.randrange(1, 5))
                            ]
                        ),
                    ]
                )
    r.shuffle(notes)
    write_csv(raw / "train.csv", ["StudyInstanceUID", *LABELS, "PatientID"], rows)
    write_csv(raw / "train_annotations.csv", ["StudyInstanceUID", "label", "data"], notes)
    test = [uid() for _ in range(4)]
    for u in test:
        write_bytes(raw / "test" / f"{u}.jpg", jpeg(r))
    write_csv(
        raw / "sample_submission.csv", ["StudyInstanceUID", *LABELS], ([u] + [0] * 11 for u in test)
    )
    write_bytes(raw / "train_tfrecords" / "00-1881.tfrec", blob(r))
    write_bytes(raw / "test_tfrecords" / "00-448.tfrec", blob(r))
