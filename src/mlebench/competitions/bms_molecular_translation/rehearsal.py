"""Rehearsal data: drawings of molecules in three levels of folders, one InChI text each."""

from mlebench.rehearsal import Choice, FilePerId, HexId, Ids, Many, Png, RawData, Stream, Table
from mlebench.rehearsal.draws import Text, Whole

DRAWING = Png(9, 7)
PATTERN = "{0[0]}/{0[1]}/{0[2]}/{0}.png"
NUMBER_LIKE = ["000012345678", "00001e234567"]

train = Ids(HexId(12), 118, extra=NUMBER_LIKE)
test = Ids(HexId(12), fixed=6)

BOND = Text("{}-{}", Whole(1, 9), Whole(9, 20))
HYDROGEN = Text("/h{}H,1-2H3", Many(BOND, Whole(1, 4), ","))
STEREO = Text("/t{}-,{}+/m{}/s1", Whole(1, 20), Whole(1, 20), Whole(0, 2))
inchi = Text(
    "InChI=1S/C{}H{}{}/c{}({}){}{}",
    *(Whole(1, 30), Whole(1, 60), Choice("", "N", "NO2", "N3OS", "ClFN2O", "BrO3")),
    *(Many(Whole(1, 30), Whole(2, 14), "-"), Whole(2, 9)),
    *(Choice(HYDROGEN, "", weights=[8, 2]), Choice(STEREO, "", weights=[3, 7])),
)

make_raw = RawData(
    "rows",
    train,
    test,
    Table("train_labels.csv", {"image_id": train, "InChI": inchi}),
    Table("sample_submission.csv", {"image_id": test, "InChI": "InChI=1S/H2O/h1H2"}),
    Table("extra_approved_InChIs.csv", {"InChI": inchi}, fixed=50),
    Stream(
        "pictures",
        FilePerId("train/" + PATTERN, train, DRAWING),
        FilePerId("test/" + PATTERN, test, DRAWING),
    ),
)
