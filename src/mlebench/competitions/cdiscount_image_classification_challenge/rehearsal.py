"""Rehearsal data: products of a French shop as BSON records with id, category and 1-4 pictures."""

from typing import Any

from mlebench.rehearsal import Files, Making, Random, csv_file, jpeg, raw_data

CATEGORIES = [1000010653, 1000018296, 1000011423, 1000004079, 1000018290, 1000016018, 1000000055]
LEVELS = (
    "TELEPHONIE - GPS|AUTO - MOTO (NOUVEAU)|LIVRE / REVUE|BIJOUX -  LUNETTES - MONTRES|"
    'MEUBLE, DECO|DVD "BLU-RAY"|ARTICLES POUR FUMEUR|ÉPICERIE'
).split("|")


def product(r: Random, number: int, *, is_labelled: bool) -> bytes:
    import bson

    record: dict[str, Any] = {"_id": number}
    if is_labelled:
        record["category_id"] = r.choices(CATEGORIES, [4, 3, 3, 2, 2, 1, 1])[0]
    record["imgs"] = [{"picture": jpeg(r)} for _ in range(r.choice([1, 1, 1, 2, 3, 4]))]
    return bson.encode(record)


@raw_data("products")
def make_raw(making: Making) -> Files:
    r, ids = making.r, [0]
    for _ in range(190 * making.scale):
        ids.append(ids[-1] + r.choice([1, 1, 1, 2, 3]))
    kept = sorted(r.sample(ids[1:], 160 * making.scale))
    other = [i for i in ids[1:] if i not in set(kept)]
    kept[3], kept[40] = kept[40], kept[3]  # the file is not strictly ascending
    kept[-1], kept[7] = kept[7], kept[-1]
    train = [product(r, i, is_labelled=True) for i in kept]
    yield "train.bson", b"".join(train)
    yield "train_example.bson", b"".join(train[:100])
    yield "test.bson", b"".join(product(r, i, is_labelled=False) for i in other)
    header = "category_id,category_level1,category_level2,category_level3"
    names = ([c, r.choice(LEVELS), r.choice(LEVELS), r.choice(LEVELS)] for c in CATEGORIES)
    yield csv_file("category_names.csv", header, names)
    yield csv_file("sample_submission.csv", "_id,category_id", ([i, 1000010653] for i in other))
