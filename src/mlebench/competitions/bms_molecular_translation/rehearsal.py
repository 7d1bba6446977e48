"""Rehearsal data: drawings of molecules in three levels of folders, one InChI text each."""

from mlebench.rehearsal import FilePerId, HexId, Ids, Png, Random, RawData, Stream, Table

DRAWING = Png(9, 7)
PATTERN = "{0[0]}/{0[1]}/{0[2]}/{0}.png"
NUMBER_LIKE = ["000012345678", "00001e234567"]

train = Ids(HexId(12), 118, extra=NUMBER_LIKE)
test = Ids(HexId(12), fixed=6)


def inchi(r: Random) -> str:
    carbon, hydrogen = r.randrange(1, 30), r.randrange(1, 60)
    formula = f"C{carbon}H{hydrogen}" + r.choice(["", "N", "NO2", "N3OS", "ClFN2O", "BrO3"])
    bonds = "-".join(str(r.randrange(1, 30)) for _ in range(r.randrange(2, 14)))
    text = f"InChI=1S/{formula}/c{bonds}({r.randrange(2, 9)})"
    if r.random() < 0.8:
        count = r.randrange(1, 4)
        pairs = [f"{r.randrange(1, 9)}-{r.randrange(9, 20)}" for _ in range(count)]
        text += "/h" + ",".join(pairs) + "H,1-2H3"
    if r.random() < 0.3:
        text += f"/t{r.randrange(1, 20)}-,{r.randrange(1, 20)}+/m{r.randrange(2)}/s1"
    return text


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
