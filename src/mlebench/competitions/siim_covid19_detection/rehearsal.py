"""Rehearsal data. Chest radiographs: one label per study, boxes per image."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, hex_id, rng, write_bytes, write_csv

STUDY = [
    "Negative for Pneumonia",
    "Typical Appearance",
    "Indeterminate Appearance",
    "Atypical Appearance",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "studies")
    studies, images = [], []
    for _ in range(120 * scale):
        study = hex_id(r, 12)
        kind = r.choices(range(4), [28, 47, 17, 8])[0]
        studies.append([study + "_study"] + [int(k == kind) for k in range(4)])
        for n in range(r.choice([1, 1, 1, 1, 2])):
            image = hex_id(r, 12)
            boxes = [
                [
                    round(r.uniform(100, 2000), 5),
                    round(r.uniform(100, 1500), 5),
                    round(r.uniform(200, 900), 5),
                    round(r.uniform(200, 900), 5),
                ]
                for _ in range(0 if kind == 0 or n else r.choice([0, 1, 2, 2, 3]))
            ]
            shown = (
                str([dict(zip(["x", "y", "width", "height"], b)) for b in boxes]) if boxes else ""
            )
            label = (
                " ".join(
                    f"opacity 1 {x} {y} {round(x + w, 5)} {round(y + h, 5)}" for x, y, w, h in boxes
                )
                or "none 1 0 0 1 1"
            )
            images.append([image + "_image", shown, label, study])
            write_bytes(
                raw / "train" / study / hex_id(r, 12) / f"{image}.dcm",
                blob(r, 30, b"\0" * 16 + b"DICM"),
            )
    r.shuffle(
        images
    )  # Kaggle's rows are sorted; these are not, so that the sorting in preparation shows
    write_csv(raw / "train_study_level.csv", ["id", *STUDY], studies)
    write_csv(raw / "train_image_level.csv", ["id", "boxes", "label", "StudyInstanceUID"], images)
    rows = []
    for _ in range(2):
        study, image = hex_id(r, 12), hex_id(r, 12)
        write_bytes(raw / "test" / study / hex_id(r, 12) / f"{image}.dcm", blob(r, 30))
        rows += [(study + "_study", "negative 1 0 0 1 1"), (image + "_image", "none 1 0 0 1 1")]
    write_csv(
        raw / "sample_submission.csv",
        ["id", "PredictionString"],
        sorted(rows, key=lambda row: row[0][13:], reverse=True),
    )
