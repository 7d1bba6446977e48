"""Rehearsal data: seedlings in a folder of PNG files per species, names with spaces."""

from mlebench.rehearsal import FilePerId, HexId, Ids, Making, Parts, Png, RawData, Table, hex_id

PHOTO = Png(2, 2, "RGB")
SPECIES = (
    "Black-grass,Charlock,Cleavers,Common Chickweed,Common wheat,Fat Hen,Loose Silky-bent,Maize,"
    "Scentless Mayweed,Shepherds Purse,Small-flowered Cranesbill,Sugar beet"
).split(",")

test = Ids(HexId(9, "{}.png"), fixed=6)


def train(making: Making) -> Parts:
    r = making.r
    for species in SPECIES:
        for _ in range(r.randrange(9, 17) * making.scale):
            yield f"train/{species}/{hex_id(r, 9)}.png", PHOTO(r)


make_raw = RawData(
    "seedlings",
    train,
    ("train/Maize/notes.txt", b"not an image\n"),  # only .png counts
    test,
    FilePerId("test/{}", test, PHOTO),
    Table("sample_submission.csv", {"file": test, "species": "Sugar beet"}),
)
