"""Rehearsal data: leaves with 192 measured features, 99 species as columns, nested zips."""

from mlebench.competitions.leaf_classification import prepare
from mlebench.rehearsal import Files, Making, Random, csv_file, jpeg, raw_data, zip_bytes, zipped

SPECIES = list(prepare.SPECIES)
FEATURES = [f"{kind}{k}" for kind in ("margin", "shape", "texture") for k in range(1, 65)]


def feature(r: Random) -> str:
    a, b, c, d = r.random() / 20, r.random() / 20, r.random() / 2000, r.random() / 3
    return r.choice(["0.0", f"{a:.6f}", f"{b:.6f}", f"{c:.8f}", repr(d)])


@raw_data("leaves")
def make_raw(making: Making) -> Files:
    r, ids = making.r, list(range(1, 151 * making.scale))
    r.shuffle(ids)
    train, test = sorted(ids[: 110 * making.scale]), sorted(ids[110 * making.scale :])[:5]
    rows = ([i, r.choice(SPECIES), *[feature(r) for _ in FEATURES]] for i in train)
    yield zipped(csv_file("train.csv", ["id", "species", *FEATURES], rows))
    rows = ([i, *[feature(r) for _ in FEATURES]] for i in test)
    yield zipped(csv_file("test.csv", ["id", *FEATURES], rows))
    sample = ([i, *[0.010101010101010102] * 99] for i in test)
    yield zipped(csv_file("sample_submission.csv", ["id", *SPECIES], sample))
    images = [(f"images/{i}.jpg", jpeg(r)) for i in sorted(ids, key=str)]
    yield "images.zip", zip_bytes([("images/", b""), *images])
