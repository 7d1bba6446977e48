"""Rehearsal data: pet photos with twelve 0/1 marks and a popularity score from 1 to 100."""

from mlebench.rehearsal import Chance, FilePerId, HexId, Random, RawData, Real, Several, Table, jpeg

MARKS = "Subject Focus,Eyes,Face,Near,Action,Accessory,Group,Collage,Human,Occlusion,Info,Blur"


def score(r: Random) -> int:
    return min(100, max(1, int(r.gauss(38, 25))))


photo = {"Id": HexId(32), MARKS: Several(*[Chance(0.3)] * 12)}
train = Table("train.csv", photo | {"Pawpularity": score}, 155, sorted_by="Id")
test = Table("test.csv", photo, fixed=8, sorted_by="Id")

make_raw = RawData(
    "rows",
    train,
    test,
    FilePerId("train/{}.jpg", train["Id"], jpeg),
    FilePerId("test/{}.jpg", test["Id"], jpeg),
    Table("sample_submission.csv", {"Id": test["Id"], "Pawpularity": Real(1, 100, form="{:.2f}")}),
)
