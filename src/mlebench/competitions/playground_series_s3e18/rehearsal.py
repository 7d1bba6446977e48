"""Rehearsal data: molecule descriptors and six yes/no enzyme classes, two of which are scored."""

from functools import partial

from mlebench.rehearsal import Chance, Numbered, Random, RawData, Several, Table

FEATURES = (
    "BertzCT,Chi1,Chi1n,Chi1v,Chi2n,Chi2v,Chi3v,Chi4n,EState_VSA1,EState_VSA2,ExactMolWt,"
    "FpDensityMorgan1,FpDensityMorgan2,FpDensityMorgan3,HallKierAlpha,HeavyAtomMolWt,Kappa3,"
    "MaxAbsEStateIndex,MinEStateIndex,NumHeteroatoms,PEOE_VSA10,PEOE_VSA14,PEOE_VSA6,PEOE_VSA7,"
    "PEOE_VSA8,SMR_VSA10,SMR_VSA5,SlogP_VSA3,VSA_EState9,fr_COO,fr_COO2"
)
CLASSES = Several(*map(Chance, [0.67, 0.8, 0.31, 0.28, 0.14, 0.16]))


def feature(r: Random, name: str) -> float:
    if name in ("NumHeteroatoms", "fr_COO", "fr_COO2"):
        return r.randrange(0, 9)
    if "Morgan" in name:
        return round(r.uniform(0.3, 3), 6)
    return r.choice([0.0, r.uniform(-4, 4), r.uniform(0, 900), round(r.uniform(0, 99), 6)])


features = {name: partial(feature, name=name) for name in FEATURES.split(",")}
train, test = Numbered(320, fixed=20, start=0).split(320)

make_raw = RawData(
    "rows",
    Table("train.csv", {"id": train, **features, "EC1,EC2,EC3,EC4,EC5,EC6": CLASSES}),
    Table("test.csv", {"id": test, **features}),
    Table("sample_submission.csv", {"id": test, "EC1,EC2": (0.5, 0.5)}),
)
