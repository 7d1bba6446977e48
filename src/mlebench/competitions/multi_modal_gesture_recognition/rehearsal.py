"""Rehearsal data: recordings of gestures in tar archives of zips, a list of numbers for each."""

from mlebench.rehearsal import File, Files, Making, Random, blob, csv_file, raw_data, tgz_bytes
from mlebench.rehearsal.archives import zip_bytes

PARTS = ["audio.wav", "color.mp4", "data.mat", "depth.mp4", "user.mp4"]
STARTS = {"training1": (1, 12), "training2": (101, 12), "training3": (200, 12)}


def sample(r: Random, number: int) -> File:
    name = f"Sample{number:05d}"
    return f"{name}.zip", zip_bytes((f"{name}_{part}", blob(r, 24)) for part in PARTS)


@raw_data("samples")
def make_raw(making: Making) -> Files:
    r, rows = making.r, []
    for part, (first, count) in (STARTS | {"training4": (300, 45 * making.scale)}).items():
        # Some recordings are missing.
        numbers = [number for number in range(first, first + count) if r.random() > 0.1]
        yield f"{part}.tar.gz", tgz_bytes(sample(r, number) for number in numbers)
        for number in numbers:
            gestures = r.sample(range(1, 21), r.randrange(1, 21))
            gestures += [r.randrange(1, 21) for _ in range(r.randrange(3))]
            rows.append((f"{number:04d}", " ".join(map(str, gestures))))
    r.shuffle(rows)
    yield csv_file("training.csv", "Id,Sequence", rows)
    test = []
    for number in (1, 2, 3):
        numbers = [310 + 100 * number + k for k in range(3)]
        yield f"validation{number}.tar.gz", tgz_bytes(sample(r, number) for number in numbers)
        test += [f"{number:04d}" for number in numbers]
    yield csv_file("test.csv", "Id", ([i] for i in test))
    yield csv_file("randomPredictions.csv", "Id,Sequence", ((i, "1 2 3") for i in test))
    for name in ("devel01-40.7z", "valid_all_files_combined.7z"):
        yield name, blob(r, 60, b"7z\xbc\xaf\x27\x1c")
    yield "sample_code_mmrgc.zip", zip_bytes([("code/dataRead.m", b"% read\n")])
