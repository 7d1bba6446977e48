"""Rehearsal data. Underwater sound clips: labels and dates are in the file names, zip in and zip out, split by day."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, rng, write_csv, write_zip

DAYS = ["20090328", "20090329", "20090330", "20090331"]  # preparation insists on exactly four


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "clips")
    clip = lambda: blob(r, 40, b"FORM\x00\x00\x00\x28AIFF")
    names = []
    for day in DAYS:
        starts = sorted(
            (r.randrange(24) * 10000, r.randrange(900), r.randrange(10))
            for _ in range(r.randrange(22, 34) * scale)
        )
        starts[7] = starts[
            6
        ]  # two clips with one time stamp: the old running number decides, as text (TRAIN10 before TRAIN9)
        starts[12] = starts[11]
        for hour, second, ms in starts:
            names.append(
                f"{day}_{hour:06d}_{second:03d}s{ms}ms_TRAIN{len(names) + 3}_{int(r.random() < 0.3)}.aif"
            )
    r.shuffle(names)  # members in no particular order
    write_zip(raw / "train2.zip", {"train2/": b""} | {f"train2/{n}": clip() for n in names})
    test = [f"20090404_000000_{12 + 7 * k:03d}s{k}ms_Test{k}.aif" for k in range(6)]
    write_zip(raw / "test2.zip", {"test2/": b""} | {f"test2/{n}": clip() for n in test})
    write_csv(raw / "sampleSubmission.csv", ["clip", "probability"], ([n, 0] for n in test))
