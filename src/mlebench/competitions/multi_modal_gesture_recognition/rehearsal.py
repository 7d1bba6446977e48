"""Rehearsal data: recordings of gestures in tar archives of zips, a list of numbers for each."""

from mlebench.rehearsal import Blob, FilePerId, Making, Parts, Table, TarGz, Zip, csv_file, raw_data

CONTENTS = ["audio.wav", "color.mp4", "data.mat", "depth.mp4", "user.mp4"]
STARTS = {"training1": (1, 12), "training2": (101, 12), "training3": (200, 12)}


def samples(name: str, numbers: list[int]) -> TarGz:
    names = [f"Sample{number:05d}" for number in numbers]
    zips = (Zip(f"{i}.zip", FilePerId(i + "_{}", CONTENTS, Blob(24))) for i in names)
    return TarGz(f"{name}.tar.gz", *zips)


@raw_data("samples")
def make_raw(making: Making) -> Parts:
    r, rows, test = making.r, [], []
    for part, (first, count) in (STARTS | {"training4": (300, 45 * making.scale)}).items():
        # Some recordings are missing.
        numbers = [number for number in range(first, first + count) if r.random() > 0.1]
        yield samples(part, numbers)
        for number in numbers:
            gestures = r.sample(range(1, 21), r.randrange(1, 21))
            gestures += [r.randrange(1, 21) for _ in range(r.randrange(3))]
            rows.append((f"{number:04d}", " ".join(map(str, gestures))))
    r.shuffle(rows)
    yield csv_file("training.csv", "Id,Sequence", rows)
    for number in (1, 2, 3):
        numbers = [310 + 100 * number + k for k in range(3)]
        yield samples(f"validation{number}", numbers)
        test += [f"{number:04d}" for number in numbers]
    yield Table("test.csv", {"Id": test})
    yield Table("randomPredictions.csv", {"Id": test, "Sequence": "1 2 3"})
    other = ["devel01-40.7z", "valid_all_files_combined.7z"]
    yield FilePerId("{}", other, Blob(60, b"7z\xbc\xaf\x27\x1c"))
    yield Zip("sample_code_mmrgc.zip", ("code/dataRead.m", b"% read\n"))
