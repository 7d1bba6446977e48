"""Rehearsal data. Camera traps: pictures in a nested zip, split by camera location, 23 classes."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, jpeg, rng, write_csv, write_zip

COLUMNS = [
    "category_id",
    "date_captured",
    "file_name",
    "frame_num",
    "id",
    "location",
    "rights_holder",
    "seq_id",
    "seq_num_frames",
    "width",
    "height",
]


CLASSES = [0, 1, 3, 4, 8, 10, 11, 13, 14, 16, 17, 18, 19]


def guid(r) -> str:
    return f"{hex_id(r, 8)}-23d2-11e8-a6a3-ec086b02610b"


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    places = r.sample(range(1, 140), 11)

    def row(labelled: bool):
        name = guid(r)
        # the last cameras are rare, so that the split by place is not a split by share
        place = (
            places[min(r.randrange(11), r.randrange(11))] if r.random() < 0.7 else r.choice(places)
        )
        date = f"20{r.randrange(10, 17)}-{r.randrange(1, 13):02d}-{r.randrange(1, 29):02d} {r.randrange(24):02d}:{r.randrange(60):02d}:{r.randrange(60):02d}"
        holder = r.choice(["Erin Boydston", "Justin Brown", 'Brown, "J" & Söhne', ""])
        cells = [
            date,
            f"{name}.jpg",
            r.randrange(1, 4),
            name,
            place,
            holder,
            f"{hex_id(r, 8)}-5567-11e8-bc84-dca9047ef277",
            3,
            1024,
            r.choice([747, 768]),
        ]
        label = 0 if r.random() < 0.5 else r.choice(CLASSES)
        return ([label] if labelled else []) + cells

    rows = [row(True) for _ in range(190 * scale)]
    write_csv(raw / "train.csv", COLUMNS, rows)
    tests = [row(False) for _ in range(5)]
    write_csv(raw / "test.csv", COLUMNS[1:], tests)
    write_csv(raw / "sample_submission.csv", ["Id", "Predicted"], ((t[3], 0) for t in tests))
    pictures = rng(seed, "pictures")
    write_zip(raw / "train_images.zip", {c[2]: jpeg(pictures) for c in rows})
    write_zip(raw / "test_images.zip", {c[1]: jpeg(pictures) for c in tests})
