"""Rehearsal data. Apple leaves with one or several diseases each, as a blank-separated list."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, jpeg, rng, write_bytes, write_csv

LABELS = [
    "scab",
    "healthy",
    "frog_eye_leaf_spot",
    "rust",
    "complex",
    "powdery_mildew",
    "scab frog_eye_leaf_spot",
    "scab frog_eye_leaf_spot complex",
    "frog_eye_leaf_spot complex",
    "rust frog_eye_leaf_spot",
    "rust complex",
    "powdery_mildew complex",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    rows = sorted(
        [f"{hex_id(r, 16)}.jpg", r.choices(LABELS, [48, 46, 32, 19, 16, 12, 7, 2, 2, 1, 1, 1])[0]]
        for _ in range(148 * scale + seed)
    )
    for name, _ in rows:
        write_bytes(raw / "train_images" / name, jpeg(r))
    write_csv(raw / "train.csv", ["image", "labels"], rows)
    tests = ["85f8cb619c66b863.jpg", "ad8770db05586b59.jpg", "c7b03e718489f3ca.jpg"]
    for name in tests:
        write_bytes(raw / "test_images" / name, jpeg(r))
    write_csv(raw / "sample_submission.csv", ["image", "labels"], ([t, "healthy"] for t in tests))
