"""Rehearsal data: underwater sounds in zips, labels and dates in the file names, split by day."""

from mlebench.rehearsal import Blob, FilePerId, Making, Parts, Table, Zip, raw_data

CLIP = Blob(40, b"FORM\x00\x00\x00\x28AIFF")
DAYS = ["20090328", "20090329", "20090330", "20090331"]  # preparation requires exactly four


@raw_data("clips")
def make_raw(making: Making) -> Parts:
    r, names = making.r, list[str]()
    for day in DAYS:
        count = r.randrange(22, 34) * making.scale
        starts = sorted(
            (r.randrange(24) * 10000, r.randrange(900), r.randrange(10)) for _ in range(count)
        )
        # Two clips with one time stamp: their numbers decide, as text (TRAIN10 before TRAIN9).
        starts[7], starts[12] = starts[6], starts[11]
        for hour, second, ms in starts:
            end = f"TRAIN{len(names) + 3}_{int(r.random() < 0.3)}.aif"
            names.append(f"{day}_{hour:06d}_{second:03d}s{ms}ms_{end}")
    r.shuffle(names)  # the archive is not sorted
    yield Zip("train2.zip", ("train2/", b""), FilePerId("train2/{}", names, CLIP))
    test = [f"20090404_000000_{12 + 7 * k:03d}s{k}ms_Test{k}.aif" for k in range(6)]
    yield Zip("test2.zip", ("test2/", b""), FilePerId("test2/{}", test, CLIP))
    yield Table("sampleSubmission.csv", {"clip": test, "probability": 0})
