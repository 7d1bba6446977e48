"""Rehearsal data. Brain MRI cases with four scan types each; case ids are numbers with leading zeros."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, rng, write_bytes, write_csv

SCANS = ["FLAIR", "T1w", "T1wCE", "T2w"]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "cases")
    cases = [f"{k:05d}" for k in sorted(r.sample(range(1010 * scale), 110 * scale))]

    def scan(folder: Path, kinds: list[str]) -> None:
        for kind in kinds:
            first = r.randrange(1, 20)
            for k in range(first, first + (2 if kind == "FLAIR" and r.random() < 0.2 else 1)):
                write_bytes(folder / kind / f"Image-{k}.dcm", blob(r, 40, b"\0" * 16 + b"DICM"))

    for k, c in enumerate(
        cases
    ):  # only every tenth case has all four scans, to keep the number of files small
        scan(raw / "train" / c, SCANS if k % 10 == 0 else [r.choice(SCANS)])
    write_csv(
        raw / "train_labels.csv",
        ["BraTS21ID", "MGMT_value"],
        ((c, int(k % 2 == 0) if r.random() < 0.7 else r.randrange(2)) for k, c in enumerate(cases)),
    )
    for k in range(2):
        scan(raw / "test" / f"{2000 * scale + k:05d}", SCANS)
    write_csv(
        raw / "sample_submission.csv",
        ["BraTS21ID", "MGMT_value"],
        ((f"{2000 * scale + k:05d}", 0.5) for k in range(2)),
    )
