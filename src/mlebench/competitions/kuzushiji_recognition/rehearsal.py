"""Rehearsal data: pages of old Japanese text, characters with boxes in one string per page."""

from mlebench.rehearsal import Choice, FilePerId, Making, Many, Parts, Table, Text, Whole, Zip, jpeg
from mlebench.rehearsal.declared import raw_data
from mlebench.tables import split_positions

CHARS = "はがいのにかしてまもれよりるをん心人日大一二三"
LONG = Whole(100_000_000, 300_000_000), Whole(0, 99, "{:05d}"), Choice(*"12")
SHORT = Choice("umgy", "brsk", "hnsd"), Whole(0, 20), Whole(0, 999)
SHORT_ID = Text("{}{:03d}-{:03d}", *SHORT)
PAGE_ID = Choice(Text("{}_{}_{}", *LONG), Text("{}-{}_{}", *LONG), SHORT_ID, SHORT_ID)
CODE = {char: f"U+{ord(char):04X}" for char in CHARS}
BOX = Whole(0, 1200), Whole(0, 1800), Whole(20, 400), Whole(20, 400)
LABELS = Many(Text("{} {} {} {} {}", Choice(*CODE.values()), *BOX), Whole(1, 25), " ")


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r, count = making.r, 87 * making.scale
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids[PAGE_ID(r)] = None
    labels = []
    # The published preparation fails on a test page without labels: only train pages are empty.
    train, _ = split_positions(count, test_size=0.1)
    for number in range(count):
        drawn = LABELS(r)
        labels.append("" if number in train and r.random() < 0.1 else drawn)
    yield Table("train.csv", {"image_id": list(ids), "labels": labels})
    yield Zip("train_images.zip", FilePerId("{}.jpg", ids, jpeg))
    test = [f"test_{number:08x}" for number in range(6)]
    yield Zip("test_images.zip", FilePerId("{}.jpg", test, jpeg))
    yield Table("sample_submission.csv", {"image_id": test, "labels": "U+003F 1 1 U+FF2F 2 2"})
    names = {"Unicode": sorted(CODE.values()), "char": sorted(CHARS)}
    yield Table("unicode_translation.csv", names)
