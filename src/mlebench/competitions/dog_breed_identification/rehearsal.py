"""Rehearsal data: dog photographs of 120 breeds, scored by log loss."""

from mlebench.competitions.dog_breed_identification import prepare
from mlebench.rehearsal import Choice, FilePerId, HexId, Ids, RawData, Table, jpeg

BREEDS = prepare.NAMES.split()

train = Ids(HexId(32), 140)
test = Ids(HexId(32), fixed=6)

make_raw = RawData(
    "train",
    Table("labels.csv", {"id": train, "breed": Choice(*BREEDS)}),
    FilePerId("train/{}.jpg", train, jpeg),
    test,
    FilePerId("test/{}.jpg", test, jpeg),
    Table("sample_submission.csv", {"id": test, ",".join(BREEDS): (1 / 120,) * 120}),
)
