"""Rehearsal data: seismic images, tiny here, with salt masks as runs over 101 x 101 pixels."""

from mlebench.rehearsal import FilePerId, HexId, Ids, Making, Of, Parts, Png, Random, Table
from mlebench.rehearsal.archives import Zip
from mlebench.rehearsal.content import csv_file, run_lengths
from mlebench.rehearsal.declared import files_of, raw_data
from mlebench.rehearsal.draws import hex_id

SIDE = 101
TOP = "competition_data"
IMAGE = Png(4, 4)


def rectangle(left: int, top: int, right: int, bottom: int) -> str:
    """Pixels are numbered from 1, top to bottom, then left to right."""
    columns, rows = range(left, min(right, SIDE)), range(top, min(bottom, SIDE))
    return run_lengths(x * SIDE + y + 1 for x in columns for y in rows)


def salt(r: Random) -> str:
    kind = r.randrange(10)
    if kind < 4:
        return ""
    if kind == 4:
        return f"1 {SIDE * SIDE}"  # the whole image
    if kind == 5:
        return rectangle(0, 0, SIDE, r.randrange(60, 101))  # most of it
    x, y = r.randrange(60), r.randrange(60)
    return rectangle(x, y, x + r.randrange(3, 41), y + r.randrange(3, 41))


def mask_image(r: Random, mask: str) -> bytes:
    return Png(4, 4, "I;16", lambda x, y: 65535 if mask and x < 2 else 0)(r)


@raw_data("images")
def make_raw(making: Making) -> Parts:
    r, ids = making.r, Ids(HexId(10), 96, is_sorted=False)
    columns = {"id": ids, "rle_mask": salt, "_image": IMAGE, "_mask": Of("rle_mask", mask_image)}
    train = Table("train.csv", columns)
    names = train["id"].values(making)
    test = [hex_id(r, 10) for _ in range(4)]
    depths = [(name, r.randrange(51, 960)) for name in names + test]
    r.shuffle(depths)
    sample = Table("sample_submission.csv", {"id": test, "rle_mask": "1 1"})
    tables = list(files_of([train, csv_file("depths.csv", "id,z", depths), sample], making))
    yield from tables
    yield Zip(
        "competition_data.zip",
        *((f"{TOP}/{name}", content) for name, content in tables),
        FilePerId(f"{TOP}/train/images/{{}}.png", names, train["_image"]),
        FilePerId(f"{TOP}/train/masks/{{}}.png", names, train["_mask"]),
        FilePerId(f"{TOP}/test/images/{{}}.png", test, IMAGE),
    )
