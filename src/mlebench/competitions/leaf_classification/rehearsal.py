"""Rehearsal data: leaves with 192 measured features, 99 species as columns, nested zips."""

from mlebench.competitions.leaf_classification import prepare
from mlebench.rehearsal import Choice, FilePerId, Making, Parts, Random, Table, Zip, jpeg, raw_data
from mlebench.rehearsal.archives import zipped

SPECIES = list(prepare.SPECIES)


def feature(r: Random) -> str:
    a, b, c, d = r.random() / 20, r.random() / 20, r.random() / 2000, r.random() / 3
    return r.choice(["0.0", f"{a:.6f}", f"{b:.6f}", f"{c:.8f}", repr(d)])


FEATURES = {f"{kind}{k}": feature for kind in ("margin", "shape", "texture") for k in range(1, 65)}


@raw_data("leaves")
def make_raw(making: Making) -> Parts:
    ids, count = list(range(1, 151 * making.scale)), 110 * making.scale
    making.r.shuffle(ids)
    train, test = sorted(ids[:count]), sorted(ids[count:])[:5]
    yield zipped(Table("train.csv", {"id": train, "species": Choice(*SPECIES), **FEATURES}))
    yield zipped(Table("test.csv", {"id": test, **FEATURES}))
    sample = {"id": test, ",".join(SPECIES): (0.010101010101010102,) * 99}
    yield zipped(Table("sample_submission.csv", sample))
    images = FilePerId("images/{}.jpg", sorted(ids, key=str), jpeg)
    yield Zip("images.zip", ("images/", b""), images)
