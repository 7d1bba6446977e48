"""Rehearsal data: forest cover with integer features and seven classes of very unequal size."""

from mlebench.rehearsal import Chance, Choice, Numbered, Of, RawData, Several, Table, Whole

MEASURES = {
    "Elevation": Whole(1800, 3800),
    "Aspect": Whole(-33, 407),
    "Slope": Whole(-3, 60),
    "Horizontal_Distance_To_Hydrology": Whole(-92, 1600),
    "Vertical_Distance_To_Hydrology": Whole(-317, 800),
    "Horizontal_Distance_To_Roadways": Whole(-287, 7600),
    "Hillshade_9am": Whole(-4, 301),
    "Hillshade_Noon": Whole(49, 279),
    "Hillshade_3pm": Whole(-53, 272),
    "Horizontal_Distance_To_Fire_Points": Whole(-277, 8000),
}
FLAGS = [f"Wilderness_Area{k}" for k in range(1, 5)] + [f"Soil_Type{k}" for k in range(1, 41)]
FEATURES = MEASURES | {",".join(FLAGS): Several(*[Chance(0.1)] * 44)}
COVER = Choice(1, 2, 3, 4, 6, 7, weights=[368, 565, 49, 1, 3, 15])

# Class 5 occurs once, as in the real file.
cover = Of("Id", lambda r, number: 5 if number == 77 else COVER(r))
train = Numbered(600, start=0)
test = Numbered(fixed=20, start=4_000_000)

make_raw = RawData(
    "rows",
    Table("train.csv", {"Id": train, **FEATURES, "Cover_Type": cover}),
    Table("test.csv", {"Id": test, **FEATURES}),
    Table("sample_submission.csv", {"Id": test, "Cover_Type": 2}),
)
