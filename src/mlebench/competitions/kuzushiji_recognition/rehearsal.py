"""Rehearsal data: pages of old Japanese text, characters with boxes in one string per page."""

from mlebench.rehearsal import Files, Making, Random, csv_file, jpeg, raw_data, zip_bytes

CHARS = "はがいのにかしてまもれよりるをん心人日大一二三"


def page_id(r: Random) -> str:
    style = r.randrange(4)
    if style < 2:
        number = r.randrange(100_000_000, 300_000_000)
        return f"{number}{'_-'[style]}{r.randrange(99):05d}_{r.choice('12')}"
    return f"{r.choice(['umgy', 'brsk', 'hnsd'])}{r.randrange(20):03d}-{r.randrange(999):03d}"


def characters(r: Random) -> str:
    cells: list[object] = []
    for _ in range(r.randrange(1, 25)):
        cells += [f"U+{ord(r.choice(CHARS)):04X}", r.randrange(1200), r.randrange(1800)]
        cells += [r.randrange(20, 400), r.randrange(20, 400)]
    return " ".join(map(str, cells))


@raw_data("rows")
def make_raw(making: Making) -> Files:
    import numpy as np

    r, count = making.r, 87 * making.scale
    # The original's preparation stops on a test page without labels: only train pages are empty.
    test = set(np.random.RandomState(0).permutation(count)[: -(-count // 10)].tolist())
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids[page_id(r)] = None
    rows = []
    for number, i in enumerate(ids):
        labels = characters(r)
        rows.append([i, "" if number not in test and r.random() < 0.1 else labels])
    yield csv_file("train.csv", "image_id,labels", rows)
    yield "train_images.zip", zip_bytes((f"{i}.jpg", jpeg(r)) for i in ids)
    tests = [f"test_{number:08x}" for number in range(6)]
    yield "test_images.zip", zip_bytes((f"{i}.jpg", jpeg(r)) for i in tests)
    sample = ([i, "U+003F 1 1 U+FF2F 2 2"] for i in tests)
    yield csv_file("sample_submission.csv", "image_id,labels", sample)
    names = ([f"U+{ord(c):04X}", c] for c in sorted(CHARS))
    yield csv_file("unicode_translation.csv", "Unicode,char", names)
