"""Rehearsal data: thumbnails in nested zips with a 0/1 label per file name."""

from mlebench.rehearsal import Chance, FilePerId, HexId, Ids, RawData, Stream, Table, Zip, jpeg

train = Ids(HexId(32, "{}.jpg"), 120)
test = Ids(HexId(32, "{}.jpg"), fixed=8)

make_raw = RawData(
    "rows",
    train,
    test,
    Table("train.csv", {"id": train, "has_cactus": Chance(0.75)}),
    Table("sample_submission.csv", {"id": test, "has_cactus": "0.5"}),
    Stream(
        "pictures",
        Zip("train.zip", ("train/", b""), FilePerId("train/{}", train, jpeg)),
        Zip("test.zip", ("test/", b""), FilePerId("test/{}", test, jpeg)),
    ),
)
