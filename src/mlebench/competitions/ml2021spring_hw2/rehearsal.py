"""Rehearsal data. Frames of speech: a matrix of 11 x 39 features per frame, 39 phoneme classes as text labels."""

from __future__ import annotations

import io
from pathlib import Path

from mlebench.rehearsal import rng, write_bytes, write_csv


def npy(array) -> bytes:
    import numpy as np

    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    import numpy as np

    r = rng(seed, "frames")

    def frames(count: int):
        return np.array(
            [[r.uniform(-3, 3) for _ in range(429)] for _ in range(count)], dtype=np.float32
        )

    folder = raw / "timit_11" / "timit_11"
    train, test = 150 * scale, 55 * scale
    write_bytes(folder / "train_11.npy", npy(frames(train)))
    labels = [str(36 if r.random() < 0.2 else r.randrange(39)) for _ in range(train)]
    write_bytes(folder / "train_label_11.npy", npy(np.array(labels, dtype="<U2")))
    write_bytes(folder / "test_11.npy", npy(frames(test)))
    write_csv(raw / "sampleSubmission.csv", ["Id", "Class"], ((i, 0) for i in range(test)))
