"""Rehearsal data: retina photographs graded 0 to 4 for diabetic retinopathy."""

from mlebench.rehearsal import Choice, FilePerId, HexId, Ids, Png, RawData, Table

PHOTOGRAPH = Png(5, 4, "RGB")

train = Ids(HexId(12), 150)
test = Ids(HexId(12), fixed=8)

make_raw = RawData(
    "train",
    Table(
        "train.csv",
        {"id_code": train, "diagnosis": Choice(0, 1, 2, 3, 4, weights=[49, 10, 27, 5, 8])},
    ),
    FilePerId("train_images/{}.png", train, PHOTOGRAPH),
    Table("test.csv", {"id_code": test}),
    Table("sample_submission.csv", {"id_code": test, "diagnosis": 0}),
    FilePerId("test_images/{}.png", test, PHOTOGRAPH),
)
