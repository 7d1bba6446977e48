"""Rehearsal data. CT studies of the neck: one folder of slices a study, boxes and segmentations for some of them."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, rng, write_bytes, write_csv

LEVELS = ["C1", "C2", "C3", "C4", "C5", "C6", "C7"]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "studies")
    studies = [f"1.2.826.0.1.3680043.{n}" for n in r.sample(range(1, 32_000), 85 * scale)]
    rows = []
    for uid in studies:
        broken = [int(r.random() < 0.25) for _ in LEVELS] if r.random() < 0.5 else [0] * 7
        rows.append((uid, int(any(broken)), *broken))
    write_csv(raw / "train.csv", ["StudyInstanceUID", "patient_overall", *LEVELS], rows)
    # 25 studies with boxes, 15 with segmentations, 12 of them with both (times scale): every share has a rounding case
    chosen = r.sample(studies, 28 * scale)
    boxed, segmented = chosen[: 25 * scale], chosen[13 * scale :]
    boxes = []
    for uid in boxed:
        for n in range(r.randrange(3, 7)):
            # 17 digits in the middle columns, where quick float parsers differ from exact ones
            x = r.choice([f"{r.uniform(20, 400):.5f}", str(r.randrange(20, 400)) + ".00000"])
            boxes.append(
                (
                    uid,
                    x,
                    f"{r.uniform(100, 400):.14f}",
                    f"{r.uniform(10, 90):.15f}",
                    f"{r.uniform(5, 90):.5f}",
                    r.randrange(20, 400),
                )
            )
    r.shuffle(boxes)
    write_csv(
        raw / "train_bounding_boxes.csv",
        ["StudyInstanceUID", "x", "y", "width", "height", "slice_number"],
        boxes,
    )
    files = rng(seed, "files")
    for uid in segmented:
        write_bytes(raw / "segmentations" / f"{uid}.nii", blob(files, 40, b"\x5c\x01\x00\x00"))
    for i, uid in enumerate(studies):
        for n in range(1, 2 + (i % 3 == 0)):
            write_bytes(
                raw / "train_images" / uid / f"{n}.dcm", blob(files, 40, b"\0" * 8 + b"DICM")
            )
    tests = ["1.2.826.0.1.3680043.22327", "1.2.826.0.1.3680043.25399"]
    write_csv(
        raw / "test.csv",
        ["row_id", "StudyInstanceUID", "prediction_type"],
        ((f"{t}_{p}", t, p) for t in tests for p in ["C1"]),
    )
    write_csv(
        raw / "sample_submission.csv", ["row_id", "fractured"], ((f"{t}_C1", 0.5) for t in tests)
    )
    for t in tests:
        write_bytes(raw / "test_images" / t / "1.dcm", blob(files, 40, b"\0" * 8 + b"DICM"))
