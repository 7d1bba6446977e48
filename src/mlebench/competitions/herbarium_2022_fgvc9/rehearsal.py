"""Rehearsal data: pressed plants of North America in COCO style, renumbered by preparation."""

from collections import Counter
from itertools import combinations

from mlebench.competitions.herbarium_2020_fgvc7.rehearsal import image_path
from mlebench.rehearsal import FilePerId, Making, Parts, Table, jpeg, json_file, raw_data, records

SIZES = {15504: 12, 3: 7, 105: 7, 10932: 8, 42: 9, 99: 11, 100: 10, 7: 16}
GENERA = ["Abies", "Abronia", "Abutilon", "Acacia", "Acaena"]
LICENSE = "http://creativecommons.org/licenses/by-nc/4.0/"
AUTHORS = "(D.Don) Poit. × Née"
IMAGE = "image_id,file_name,license"


@raw_data("herbarium")
def make_raw(making: Making) -> Parts:
    r, images, notes = making.r, [], []
    labels = [c for c, n in SIZES.items() for _ in range(n * making.scale)]
    r.shuffle(labels)
    count: Counter[int] = Counter()
    for label in labels:
        count[label] += 1
        i = f"{label:05d}__{count[label]:03d}"
        name = image_path(label, i)
        yield f"train_images/{name}", jpeg(r)
        images.append((i, name, r.randrange(3)))
        notes.append((label % 5, r.randrange(9), label, i))
    species = (
        (c, f"Abies bracteata {k}", "Pinaceae", "Abies", f"bracteata{k}", AUTHORS)
        for k, c in enumerate(sorted(SIZES))
    )
    pairs = combinations(range(5), 2)
    distances = ((a, b, r.choice([r.uniform(1, 300), 281.0, 5.9e-05])) for a, b in pairs)
    licenses = ((k, name, LICENSE) for k, name in enumerate(["CC-BY", "CC-BY-NC", "CC0"]))
    codes = ((k, f"NY{k}") for k in range(9))
    meta = {
        "annotations": records("genus_id,institution_id,category_id,image_id", notes),
        "images": records(IMAGE, images),
        "categories": records("category_id,scientificName,family,genus,species,authors", species),
        "genera": records("genus_id,genus", enumerate(GENERA)),
        "institutions": records("institution_id,collectionCode", codes),
        "distances": records("genus_id_x,genus_id_y,distance", distances),
        "licenses": records("id,name,url", licenses),
    }
    yield json_file("train_metadata.json", meta, ensure_ascii=False)
    test = [(str(k), f"000/test-{k:06d}.jpg", 1) for k in range(5)]
    yield FilePerId("test_images/{0[1]}", test, jpeg)
    yield json_file("test_metadata.json", records(IMAGE, test))
    yield Table("sample_submission.csv", {"Id": [0, 1, 2, 3, 4], "Predicted": 42})
