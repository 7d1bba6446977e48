"""Rehearsal data: museum photographs with sets of numeric attributes in one text cell."""

from mlebench.rehearsal import FilePerId, Files, HexId, Ids, Making, Random, RawData, Table, hex_id
from mlebench.rehearsal.content import Png, csv_file

PHOTOGRAPH = Png(2, 2, "RGB")
GROUPS = ["country", "culture", "dimension", "medium", "tags"]
NAMES = "france|japan|“attic” ware|large, round|silk|wood|men|birds|flowers|prints".split("|")


def names(making: Making) -> Files:
    drawn = making.r.sample(NAMES * 4, 40)
    rows = ((i, f"{GROUPS[i // 8]}::{name}") for i, name in enumerate(drawn))
    yield csv_file("labels.csv", "attribute_id,attribute_name", rows)


def labelled(r: Random) -> tuple[str, str]:
    count, name = r.choice([1, 2, 2, 3, 3, 4, 7]), hex_id(r, 32)
    return name, " ".join(map(str, sorted(r.sample(range(40), count))))


train = Table("train.csv", {"id,attribute_ids": labelled}, 120, sorted_by="id")
test = Ids(HexId(32), fixed=5, is_sorted=False)

make_raw = RawData(
    "art",
    names,
    train,
    FilePerId("train/{}.png", train["id"], PHOTOGRAPH),
    test,
    FilePerId("test/{}.png", test, PHOTOGRAPH),
    Table("sample_submission.csv", {"id": test, "attribute_ids": "0 1 2"}),
)
