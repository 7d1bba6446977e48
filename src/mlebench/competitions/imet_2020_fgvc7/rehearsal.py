"""Rehearsal data: museum photographs with sets of numeric attributes in one text cell."""

from mlebench.rehearsal import FilePerId, HexId, Ids, Numbered, Of, Png, Random, RawData, Sampled
from mlebench.rehearsal.declared import Table
from mlebench.rehearsal.draws import hex_id

PHOTOGRAPH = Png(2, 2, "RGB")
GROUPS = ["country", "culture", "dimension", "medium", "tags"]
NAMES = "france|japan|“attic” ware|large, round|silk|wood|men|birds|flowers|prints".split("|")


def labelled(r: Random) -> tuple[str, str]:
    count, name = r.choice([1, 2, 2, 3, 3, 4, 7]), hex_id(r, 32)
    return name, " ".join(map(str, sorted(r.sample(range(40), count))))


labels = {
    "attribute_id": Numbered(fixed=40, start=0),
    "_name": Sampled(NAMES * 4, fixed=40),
    "attribute_name": Of("attribute_id,_name", lambda r, i, name: f"{GROUPS[i // 8]}::{name}"),
}
train = Table("train.csv", {"id,attribute_ids": labelled}, 120, sorted_by="id")
test = Ids(HexId(32), fixed=5, is_sorted=False)

make_raw = RawData(
    "art",
    Table("labels.csv", labels),
    train,
    FilePerId("train/{}.png", train["id"], PHOTOGRAPH),
    test,
    FilePerId("test/{}.png", test, PHOTOGRAPH),
    Table("sample_submission.csv", {"id": test, "attribute_ids": "0 1 2"}),
)
