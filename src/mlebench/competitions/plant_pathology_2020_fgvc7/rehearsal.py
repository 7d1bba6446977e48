"""Rehearsal data: apple leaves with four label columns, image ids renumbered by preparation."""

from mlebench.rehearsal import FilePerId, Files, Making, Numbered, RawData, Table, csv_file, jpeg

CLASSES = ["healthy", "multiple_diseases", "rust", "scab"]

test = Numbered(fixed=5, start=0, form="Test_{}")


def train(making: Making) -> Files:
    r, rows = making.r, []
    for number in range(240 * making.scale):
        label = r.choices(range(4), [28, 24, 34, 33])[0]
        rows.append([f"Train_{number}", *(int(label == k) for k in range(4))])
        yield f"images/Train_{number}.jpg", jpeg(r)
    yield csv_file("train.csv", ["image_id", *CLASSES], rows)


make_raw = RawData(
    "leaves",
    train,
    FilePerId("images/{}.jpg", test, jpeg),
    Table("test.csv", {"image_id": test}),
    Table("sample_submission.csv", {"image_id": test, ",".join(CLASSES): (0.25,) * 4}),
)
