"""Rehearsal data: numbered photographs in a 7z archive, labels in a zip."""

from mlebench.rehearsal import Chance, FilePerId, Numbered, RawData, SevenZip, Table, Zip, jpeg

train = Table("train_labels.csv", {"name": Numbered(110), "invasive": Chance(0.63)})
test = Numbered(fixed=7)

make_raw = RawData(
    "images",
    Zip("train_labels.csv.zip", train),
    SevenZip("train.7z", FilePerId("train/{}.jpg", train["name"], jpeg)),
    SevenZip("test.7z", FilePerId("test/{}.jpg", test, jpeg)),
    Zip(
        "sample_submission.csv.zip",
        Table("sample_submission.csv", {"name": test, "invasive": 0.5}),
    ),
)
