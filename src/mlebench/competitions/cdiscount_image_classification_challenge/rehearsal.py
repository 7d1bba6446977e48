"""Rehearsal data: products of a French shop as BSON records with id, category and 1-4 pictures."""

from itertools import accumulate

from mlebench.rehearsal import Choice, Making, Many, Parts, Random, Table, csv_file, jpeg, raw_data

CATEGORIES = [1000010653, 1000018296, 1000011423, 1000004079, 1000018290, 1000016018, 1000000055]
CATEGORY = Choice(*CATEGORIES, weights=[4, 3, 3, 2, 2, 1, 1])
PICTURES = Many(jpeg, Choice(1, 1, 1, 2, 3, 4))
LEVELS = (
    "TELEPHONIE - GPS|AUTO - MOTO (NOUVEAU)|LIVRE / REVUE|BIJOUX -  LUNETTES - MONTRES|"
    'MEUBLE, DECO|DVD "BLU-RAY"|ARTICLES POUR FUMEUR|ÉPICERIE'
).split("|")
LEVEL = Choice(*LEVELS)


def product(r: Random, number: int, *, is_labelled: bool) -> bytes:
    import bson

    label = {"category_id": CATEGORY(r)} if is_labelled else {}
    return bson.encode({"_id": number} | label | {"imgs": [{"picture": p} for p in PICTURES(r)]})


@raw_data("products")
def make_raw(making: Making) -> Parts:
    r, scale = making.r, making.scale
    ids = list(accumulate(r.choice([1, 1, 1, 2, 3]) for _ in range(190 * scale)))
    kept = sorted(r.sample(ids, 160 * scale))
    other = sorted(set(ids) - set(kept))
    kept[3], kept[40] = kept[40], kept[3]  # the file is not strictly ascending
    kept[-1], kept[7] = kept[7], kept[-1]
    train = [product(r, i, is_labelled=True) for i in kept]
    yield "train.bson", b"".join(train)
    yield "train_example.bson", b"".join(train[:100])
    yield "test.bson", b"".join(product(r, i, is_labelled=False) for i in other)
    levels = {f"category_level{number}": LEVEL for number in (1, 2, 3)}
    yield Table("category_names.csv", {"category_id": CATEGORIES, **levels})
    yield csv_file("sample_submission.csv", "_id,category_id", ((i, 1000010653) for i in other))
