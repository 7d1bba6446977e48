"""Rehearsal data: apple leaves with one or several diseases each, as a blank-separated list."""

from mlebench.rehearsal import Choice, FilePerId, HexId, RawData, Table, jpeg

LABELS = [
    *("scab", "healthy", "frog_eye_leaf_spot", "rust", "complex", "powdery_mildew"),
    *("scab frog_eye_leaf_spot", "scab frog_eye_leaf_spot complex", "frog_eye_leaf_spot complex"),
    *("rust frog_eye_leaf_spot", "rust complex", "powdery_mildew complex"),
]
LABEL = Choice(*LABELS, weights=[48, 46, 32, 19, 16, 12, 7, 2, 2, 1, 1, 1])

leaf = {"image": HexId(16, "{}.jpg"), "labels": LABEL}
train = Table("train.csv", leaf, lambda making: 148 * making.scale + making.seed, sorted_by="image")
test = ["85f8cb619c66b863.jpg", "ad8770db05586b59.jpg", "c7b03e718489f3ca.jpg"]

make_raw = RawData(
    "rows",
    train,
    FilePerId("train_images/{}", train["image"], jpeg),
    FilePerId("test_images/{}", test, jpeg),
    Table("sample_submission.csv", {"image": test, "labels": "healthy"}),
)
