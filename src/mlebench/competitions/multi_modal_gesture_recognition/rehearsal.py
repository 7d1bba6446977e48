"""Rehearsal data. Recordings of gesture series in tar archives of zips; one list of gesture numbers each."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

from mlebench.rehearsal import blob, rng, write_bytes, write_csv, zip_bytes


def tgz(members: dict[str, bytes]) -> bytes:
    """A .tar.gz without times in it."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as t:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    out = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=out, mode="wb", mtime=0) as g:
        g.write(tar.getvalue())
    return out.getvalue()


def sample(r, number: int) -> tuple[str, bytes]:
    name = f"Sample{number:05d}"
    parts = {
        f"{name}_{part}": blob(r, 24)
        for part in ("audio.wav", "color.mp4", "data.mat", "depth.mp4", "user.mp4")
    }
    return f"{name}.zip", zip_bytes(parts)


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "samples")
    starts = {
        "training1": (1, 12),
        "training2": (101, 12),
        "training3": (200, 12),
        "training4": (300, 45 * scale),
    }
    rows = []
    for part, (first, count) in starts.items():
        numbers = [
            first + i for i in range(count) if r.random() > 0.1
        ]  # some recordings are missing
        write_bytes(raw / f"{part}.tar.gz", tgz(dict(sample(r, n) for n in numbers)))
        for n in numbers:
            gestures = r.sample(range(1, 21), r.randrange(1, 21)) + [
                r.randrange(1, 21) for _ in range(r.randrange(3))
            ]
            rows.append((f"{n:04d}", " ".join(map(str, gestures))))
    r.shuffle(rows)
    write_csv(raw / "training.csv", ["Id", "Sequence"], rows)
    tests = []
    for i, part in enumerate(("validation1", "validation2", "validation3")):
        numbers = range(410 + 100 * i, 413 + 100 * i)
        write_bytes(raw / f"{part}.tar.gz", tgz(dict(sample(r, n) for n in numbers)))
        tests += [f"{n:04d}" for n in numbers]
    write_csv(raw / "test.csv", ["Id"], ([t] for t in tests))
    write_csv(raw / "randomPredictions.csv", ["Id", "Sequence"], ((t, "1 2 3") for t in tests))
    for name in ("devel01-40.7z", "valid_all_files_combined.7z"):
        write_bytes(raw / name, blob(r, 60, b"7z\xbc\xaf\x27\x1c"))
    write_bytes(raw / "sample_code_mmrgc.zip", zip_bytes({"code/dataRead.m": b"% read\n"}))
