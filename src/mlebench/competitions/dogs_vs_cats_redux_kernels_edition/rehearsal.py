"""Rehearsal data: photographs named by class, in nested zips."""

from mlebench.rehearsal import FilePerId, Numbered, RawData, Table, Zip, jpeg

cats = Numbered(55, start=0, form="train/cat.{}.jpg")
dogs = Numbered(55, fixed=-4, start=0, form="train/dog.{}.jpg")
test = Numbered(fixed=11)

make_raw = RawData(
    "images",
    Zip("train.zip", ("train/", b""), FilePerId("{}", cats, jpeg), FilePerId("{}", dogs, jpeg)),
    Zip("test.zip", ("test/", b""), FilePerId("test/{}.jpg", test, jpeg)),
    Table("sample_submission.csv", {"id": test, "label": 0.5}),
)
