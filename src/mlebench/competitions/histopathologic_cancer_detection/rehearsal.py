"""Rehearsal data: tissue patches as .tif files, one label per file name."""

from mlebench.rehearsal import Chance, FilePerId, HexId, Ids, Random, RawData, Table, blob

train = Ids(HexId(40), 130, is_sorted=False)
test = Ids(HexId(40), 37, is_sorted=False)


def patch(r: Random) -> bytes:
    return blob(r, 60, b"II*\x00\x08\x00\x00\x00")


make_raw = RawData(
    "patches",
    train,
    test,
    FilePerId("train/{}.tif", train, patch),
    FilePerId("test/{}.tif", test, patch),
    Table("train_labels.csv", {"id": train, "label": Chance(0.4)}),
    Table("sample_submission.csv", {"id": test, "label": 0}),
)
