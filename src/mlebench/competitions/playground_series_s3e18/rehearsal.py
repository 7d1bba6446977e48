"""Rehearsal data: molecule descriptors and six yes/no enzyme classes, two of which are scored."""

from mlebench.rehearsal import Chance, Choice, Numbered, RawData, Real, Several, Table, Text, Whole

FEATURES = (
    "BertzCT,Chi1,Chi1n,Chi1v,Chi2n,Chi2v,Chi3v,Chi4n,EState_VSA1,EState_VSA2,ExactMolWt,"
    "FpDensityMorgan1,FpDensityMorgan2,FpDensityMorgan3,HallKierAlpha,HeavyAtomMolWt,Kappa3,"
    "MaxAbsEStateIndex,MinEStateIndex,NumHeteroatoms,PEOE_VSA10,PEOE_VSA14,PEOE_VSA6,PEOE_VSA7,"
    "PEOE_VSA8,SMR_VSA10,SMR_VSA5,SlogP_VSA3,VSA_EState9,fr_COO,fr_COO2"
)
CLASSES = Several(*map(Chance, [0.67, 0.8, 0.31, 0.28, 0.14, 0.16]))


MIXED = Text(Choice("0.0", "{0}", "{1}", "{2}"), Real(-4, 4), Real(0, 900), Real(0, 99, 6))

features: dict[str, object] = dict.fromkeys(FEATURES.split(","), MIXED)
features |= {name: Real(0.3, 3, 6) for name in features if "Morgan" in name}
features |= dict.fromkeys(["NumHeteroatoms", "fr_COO", "fr_COO2"], Whole(0, 9))
train, test = Numbered(320, fixed=20, start=0).split(320)

make_raw = RawData(
    "rows",
    Table("train.csv", {"id": train, **features, "EC1,EC2,EC3,EC4,EC5,EC6": CLASSES}),
    Table("test.csv", {"id": test, **features}),
    Table("sample_submission.csv", {"id": test, "EC1,EC2": (0.5, 0.5)}),
)
