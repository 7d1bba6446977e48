"""Rehearsal data: species photos described by COCO-like JSON files, images in gzipped tars."""

from mlebench.rehearsal import Making, Parts, Table, TarGz, hex_id, jpeg, raw_data
from mlebench.rehearsal.content import json_file, records

GROUPS = ["Amphibians", "Birds", "Fungi", "Insects", "Plants", "Reptiles"]
HOLDERS = ["Ann", "José Álvarez", 'B. "Bob" Li']
COUNTS = [1, 2, 3, 4, 5, 6, 8, 9, 13, 16, 17, 18, 26]
INFO = {
    "year": 2019,
    "version": "1.0",
    "description": "Synthetic “train” split",
    "contributor": "nobody",
    "url": "",
    "date_created": "2019-03-04",
}
# Differs from the train file.
TEST_INFO = INFO | {"description": "Synthetic “test” split", "date_created": "2019-04-01"}
CC = (1, "Attribution License", "http://creativecommons.org/licenses/by/2.0/")
LICENSES = records("id,name,url", [(0, "None", ""), CC])
TAXON = ("Plantae", "Tracheophyta", "Magnoliopsida", "Asterales", "Asteraceae")
CATEGORY = "id,name,kingdom,phylum,class,order,family,genus"
IMAGE = "id,width,height,file_name,license,rights_holder"


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r, members = making.r, {}
    counts = COUNTS * making.scale
    ids = sorted(r.sample(range(1010), min(1010, len(counts))))
    groups = [(c, r.choice(GROUPS)) for c in ids]
    photos = [group for group, n in zip(groups, counts, strict=False) for _ in range(n)]
    r.shuffle(photos)  # categories appear in mixed order
    for split, chosen, first in (("train", photos, 0), ("val", None, len(photos))):
        images, notes = [], []
        for number, (c, group) in enumerate(chosen or r.sample(photos, 9), first):
            name = f"train_val2019/{group}/{c}/{hex_id(r, 32)}.jpg"
            members[name] = jpeg(r)
            size = r.choice([600, 800]), r.choice([600, 800])
            images.append((number, *size, name, r.randrange(2), r.choice(HOLDERS)))
            notes.append((number, number, c))
        about = {
            "info": INFO,
            "images": records(IMAGE, images),
            "licenses": LICENSES,
            "annotations": records("id,image_id,category_id", notes),
            "categories": records(CATEGORY, ((c, str(c), *TAXON, f"Genús {c}") for c in ids)),
        }
        yield json_file(f"{split}2019.json", about)
    yield TarGz("train_val2019.tar.gz", *members.items())
    test = {f"test2019/{hex_id(r, 32)}.jpg": jpeg(r) for _ in range(5)}
    ids = list(range(268243, 268248))
    images = [(i, 800, 600, name, 0, "") for i, name in zip(ids, test, strict=True)]
    about = {"info": TEST_INFO, "images": records(IMAGE, images), "licenses": LICENSES[:1]}
    yield json_file("test2019.json", about)
    yield TarGz("test2019.tar.gz", *test.items())
    yield Table("kaggle_sample_submission.csv", {"id": ids, "predicted": "1 2 3 4 5"})
