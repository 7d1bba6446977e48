"""Rehearsal data. Products of a French shop: BSON streams of product id, category and 1-4 JPEG pictures."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import jpeg, rng, write_bytes, write_csv

CATEGORIES = [1000010653, 1000018296, 1000011423, 1000004079, 1000018290, 1000016018, 1000000055]


LEVELS = [
    "TELEPHONIE - GPS",
    "AUTO - MOTO (NOUVEAU)",
    "LIVRE / REVUE",
    "BIJOUX -  LUNETTES - MONTRES",
    "MEUBLE, DECO",
    'DVD "BLU-RAY"',
    "ARTICLES POUR FUMEUR",
    "ÉPICERIE",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    import bson

    r = rng(seed, "products")
    ids, n = [], 0
    for _ in range(190 * scale):
        n += r.choice([1, 1, 1, 2, 3])
        ids.append(n)
    cut = 160 * scale
    kept = sorted(r.sample(ids, cut))
    other = [i for i in ids if i not in set(kept)]
    kept[3], kept[40] = kept[40], kept[3]  # the file is not strictly ascending
    kept[-1], kept[7] = kept[7], kept[-1]

    def product(i: int, labelled: bool) -> bytes:
        doc = {"_id": i}
        if labelled:
            doc["category_id"] = r.choices(CATEGORIES, [4, 3, 3, 2, 2, 1, 1])[0]
        doc["imgs"] = [{"picture": jpeg(r)} for _ in range(r.choice([1, 1, 1, 2, 3, 4]))]
        return bson.encode(doc)

    train = [product(i, True) for i in kept]
    write_bytes(raw / "train.bson", b"".join(train))
    write_bytes(raw / "train_example.bson", b"".join(train[:100]))
    write_bytes(raw / "test.bson", b"".join(product(i, False) for i in other))
    write_csv(
        raw / "category_names.csv",
        ["category_id", "category_level1", "category_level2", "category_level3"],
        ([c, r.choice(LEVELS), r.choice(LEVELS), r.choice(LEVELS)] for c in CATEGORIES),
    )
    write_csv(
        raw / "sample_submission.csv", ["_id", "category_id"], ([i, 1000010653] for i in other)
    )
