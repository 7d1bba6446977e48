"""Rehearsal data. Radio snippets as NPY files in folders by first hex digit, plus the old leaky data."""

from __future__ import annotations

import io
from pathlib import Path

from mlebench.rehearsal import hex_id, rng, write_bytes, write_csv


def npy(r) -> bytes:
    import numpy as np

    out = io.BytesIO()
    np.save(
        out,
        np.array([r.uniform(-3, 3) for _ in range(6 * 2 * 2)], dtype=np.float16).reshape(6, 2, 2),
    )
    return out.getvalue()


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "train")
    rows = sorted((hex_id(r, 12), int(r.random() < 0.4)) for _ in range(160 * scale))
    write_csv(raw / "train_labels.csv", ["id", "target"], rows)
    for i, _ in rows:
        write_bytes(raw / "train" / i[0] / f"{i}.npy", npy(r))
    test = sorted(hex_id(r, 12) for _ in range(6))
    for i in test:
        write_bytes(raw / "test" / i[0] / f"{i}.npy", npy(r))
    write_csv(raw / "sample_submission.csv", ["id", "target"], ((i, 0.5) for i in test))
    old = raw / "old_leaky_data"
    for part in ("train_old", "test_old"):
        ids = sorted(hex_id(r, 12) for _ in range(8))
        write_csv(
            old / f"{part.split('_')[0]}_labels_old.csv",
            ["id", "target"],
            ((i, int(r.random() < 0.2)) for i in ids),
        )
        for i in ids:
            write_bytes(old / part / i[0] / f"{i}.npy", npy(r))
