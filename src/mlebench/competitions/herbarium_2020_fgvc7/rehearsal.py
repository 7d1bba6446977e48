"""Rehearsal data: pressed plants in COCO style, metadata that is not valid UTF-8, rare species."""

import json

from mlebench.rehearsal import FilePerId, Making, Parts, Table, jpeg, json_file, raw_data, records

# Images per species: 1 (train only), 2-4 (the last one to test), 5 and more (shuffle split).
SIZES = {15672: 12, 3: 5, 105: 1, 32092: 6, 7: 2, 19999: 9, 20500: 3, 310: 4, 4: 11, 28001: 7}
SIZES |= {99: 5, 100: 8}
INFO = {
    "contributor": "New York Botanical Garden",
    "date_created": "2020-02-19 16:14:57",
    "description": "Herbarium dataset",
    "url": "https://www.kaggle.com/c/herbarium-2020-fgvc7",
    "version": "1.0",
    "year": 2020,
}
LICENSE = (1, "Attribution-NonCommercial 4.0", "http://creativecommons.org/licenses/by-nc/4.0/")
LICENSES = records("id,name,url", [LICENSE])
IMAGE = "file_name,height,id,license,width"


def image_path(label: int, image: object) -> str:
    return f"{label // 100:03d}/{label % 100:02d}/{image}.jpg"


@raw_data("herbarium")
def make_raw(making: Making) -> Parts:
    r, images, notes = making.r, [], []
    labels = [c for c, n in SIZES.items() for _ in range(n if n < 5 else n * making.scale)]
    r.shuffle(labels)
    for number, label in enumerate(labels):
        i = 100 + 7 * number + r.randrange(5)
        name = f"images/{image_path(label, i)}"
        yield f"nybg2020/train/{name}", jpeg(r)
        images.append((name, 1000, i, 1, r.randrange(600, 700)))
        notes.append((label, i, i, r.randrange(3)))
    species = (
        ("Fabaceae", f"Acacia{k}", c, f'Acacia {k} "L." × alba')
        for k, c in enumerate(sorted(SIZES))
    )
    meta = {
        "annotations": records("category_id,id,image_id,region_id", notes),
        "categories": records("family,genus,id,name", species),
        "images": records(IMAGE, images),
        "info": INFO,
        "licenses": LICENSES,
        "regions": records("id,name", enumerate(["São Paulo", "Cura@ao", "North America"])),
    }
    # UTF-8 with a single Latin-1 byte, which no UTF-8 reader accepts.
    text = json.dumps(meta, ensure_ascii=False).encode()
    yield "nybg2020/train/metadata.json", text.replace(b"Cura@ao", b"Cura\xe7ao")
    test = [(f"images/000/{k}.jpg", 1000, k, 1, 682) for k in range(4)]
    yield FilePerId("nybg2020/test/{0[0]}", test, jpeg)
    about = {"images": records(IMAGE, test), "info": INFO, "licenses": LICENSES}
    yield json_file("nybg2020/test/metadata.json", about)
    yield Table("sample_submission.csv", {"Id": [0, 1, 2, 3], "Predicted": 0})
