"""Rehearsal data: radio snippets in folders by first hex digit, plus the old leaky data."""

from mlebench.rehearsal import Chance, FilePerId, HexId, Ids, Random, RawData, Table, npy

OLD, PATTERN = "old_leaky_data", "{0[0]}/{0}.npy"

train = Table("train_labels.csv", {"id": HexId(12), "target": Chance(0.4)}, 160, sorted_by="id")
test, old_train, old_test = (Ids(HexId(12), fixed=count) for count in (6, 8, 8))


def snippet(r: Random) -> bytes:
    import numpy as np

    values = [r.uniform(-3, 3) for _ in range(6 * 2 * 2)]
    return npy(np.array(values, dtype=np.float16).reshape(6, 2, 2))


make_raw = RawData(
    "train",
    train,
    FilePerId("train/" + PATTERN, train["id"], snippet),
    test,
    FilePerId("test/" + PATTERN, test, snippet),
    Table("sample_submission.csv", {"id": test, "target": 0.5}),
    Table(f"{OLD}/train_labels_old.csv", {"id": old_train, "target": Chance(0.2)}),
    FilePerId(f"{OLD}/train_old/{PATTERN}", old_train, snippet),
    Table(f"{OLD}/test_labels_old.csv", {"id": old_test, "target": Chance(0.2)}),
    FilePerId(f"{OLD}/test_old/{PATTERN}", old_test, snippet),
)
