"""Rehearsal data: leaf photos in one folder per class, and a table with variety and age."""

from mlebench.rehearsal import FilePerId, Making, Numbered, Parts, Table, csv_file, jpeg, raw_data

LABELS = (
    "bacterial_leaf_blight bacterial_leaf_streak bacterial_panicle_blight blast brown_spot "
    "dead_heart downy_mildew hispa normal tungro"
).split()
VARIETIES = (
    "ADT45 KarnatakaPonni Ponni AtchayaPonni Surya Zonal AndraPonni IR20 RR Onthanel"
).split()


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r, rows = making.r, []
    # With some seeds 4 does not divide the count: the size of the test part is rounded.
    count = 134 * making.scale + making.seed
    for number in r.sample(range(100001, 100001 + 3 * count), count):
        label = r.choices(LABELS, [5, 4, 3, 17, 10, 14, 6, 16, 18, 11])[0]
        variety = r.choices(VARIETIES, [70, 10, 7, 5, 2, 2, 1, 1, 1, 1])[0]
        rows.append((f"{number}.jpg", label, variety, r.randrange(45, 83)))
    # The archive's table is sorted by label; image numbers are not.
    rows.sort(key=lambda row: row[1])
    yield FilePerId("train_images/{0[1]}/{0[0]}", rows, jpeg)
    yield csv_file("train.csv", "image_id,label,variety,age", rows)
    test = Numbered(12, start=200001, form="{}.jpg")
    yield FilePerId("test_images/{}", test, jpeg)
    yield Table("sample_submission.csv", {"image_id": test, "label": ""})
