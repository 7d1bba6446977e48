"""Rehearsal data. Cover images and three stego versions of each. Preparation takes exactly 5000 for test, so there are more files than elsewhere."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, rng, write_bytes, write_csv

ALGS = ["Cover", "JMiPOD", "JUNIWARD", "UERD"]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "images")
    for alg in ALGS + ["Test"]:
        (raw / alg).mkdir(parents=True, exist_ok=True)
    for i in range(1, 5000 + 24 * scale + 1):
        mark = hex_id(r, 8)
        for alg in ALGS:
            (raw / alg / f"{i:05d}.jpg").write_bytes(f"\xff\xd8{alg[:2]}{mark}".encode("latin-1"))
    for i in range(1, 4):
        write_bytes(raw / "Test" / f"{i:04d}.jpg", f"test{hex_id(r, 8)}".encode())
    write_csv(
        raw / "sample_submission.csv", ["Id", "Label"], ((f"{i:04d}.jpg", 0) for i in range(1, 4))
    )
