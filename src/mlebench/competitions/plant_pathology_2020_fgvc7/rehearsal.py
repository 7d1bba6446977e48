"""Rehearsal data: apple leaves with four label columns, image ids renumbered by preparation."""

from mlebench.rehearsal import Choice, FilePerId, Numbered, RawData, Table, jpeg

CLASSES = ["healthy", "multiple_diseases", "rust", "scab"]
HEADER = ",".join(CLASSES)
LABEL = Choice((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), weights=[28, 24, 34, 33])

leaves = Numbered(240, start=0, form="Train_{}")
train = Table("train.csv", {"image_id": leaves, HEADER: LABEL, "_image": jpeg})
test = Numbered(fixed=5, start=0, form="Test_{}")


make_raw = RawData(
    "leaves",
    train,
    FilePerId("images/{}.jpg", leaves, train["_image"]),
    FilePerId("images/{}.jpg", test, jpeg),
    Table("test.csv", {"image_id": test}),
    Table("sample_submission.csv", {"image_id": test, HEADER: (0.25,) * 4}),
)
