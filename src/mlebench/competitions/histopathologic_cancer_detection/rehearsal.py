"""Rehearsal data: tissue patches as .tif files, one label per file name."""

from mlebench.rehearsal import Blob, Chance, FilePerId, HexId, Ids, RawData, Table

PATCH = Blob(60, b"II*\x00\x08\x00\x00\x00")

train = Ids(HexId(40), 130, is_sorted=False)
test = Ids(HexId(40), 37, is_sorted=False)

make_raw = RawData(
    "patches",
    train,
    test,
    FilePerId("train/{}.tif", train, PATCH),
    FilePerId("test/{}.tif", test, PATCH),
    Table("train_labels.csv", {"id": train, "label": Chance(0.4)}),
    Table("sample_submission.csv", {"id": test, "label": 0}),
)
