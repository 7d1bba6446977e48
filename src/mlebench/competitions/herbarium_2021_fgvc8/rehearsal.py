"""Rehearsal data: herbarium sheets in COCO style, split per species, renumbered test images."""

from mlebench.competitions.herbarium_2020_fgvc7 import rehearsal as herbarium_2020
from mlebench.rehearsal import FilePerId, Making, Parts, Table, jpeg, json_file, raw_data, records

INFO = herbarium_2020.INFO | {
    "date_created": "2021-03-10 22:05:15.123456",
    "description": "Herbarium 2021",
    "url": "https://example.org",
    "year": 2021,
}
LICENSES = records("id,name,url", ((k, f"CC {k} – ©", "http://example.org/") for k in range(3)))
INSTITUTIONS = ["NYBG", "Bishop Museum", "Naturalis", "Queensland", "Auckland"]


@raw_data("train")
def make_raw(making: Making) -> Parts:
    r, images, notes = making.r, [], []
    species = [*sorted(r.sample(range(64_500), 30 * making.scale)), 0, 1]
    sizes = {c: r.choice([1, 2, 3, 4, 4, 5, 6, 7, 9, 11]) for c in species} | {0: 14, 1: 5}
    labels = [c for c, n in sizes.items() for _ in range(n)]
    r.shuffle(labels)
    numbers = r.sample(range(2_400_000), len(labels))
    for note, (label, number) in enumerate(zip(labels, numbers, strict=True), 10_000):
        name = f"images/{herbarium_2020.image_path(label, number)}"
        notes.append((label, note, number, r.randrange(5)))
        images.append((name, 1000, number, r.randrange(3), r.randrange(600, 700)))
        yield f"train/{name}", jpeg(r)
    names = (("Orchidaceae", c, f"Épidendrum no{c} L.", "Asparagales") for c in sorted(species))
    meta = {
        "annotations": records("category_id,id,image_id,institution_id", notes),
        "categories": records("family,id,name,order", names),
        "images": records(herbarium_2020.IMAGE, images),
        "info": INFO,
        "licenses": LICENSES,
        "institutions": records("id,name", enumerate(INSTITUTIONS)),
    }
    yield json_file("train/metadata.json", meta, ensure_ascii=False)
    test = [(f"images/000/{k}.jpg", 1000, str(k), 0, 660) for k in range(4)]
    yield FilePerId("test/{0[0]}", test, jpeg)
    about = {"images": records(herbarium_2020.IMAGE, test), "info": INFO, "licenses": LICENSES}
    yield json_file("test/metadata.json", about)
    yield Table("sample_submission.csv", {"Id": [0, 1, 2, 3], "Predicted": 42})
