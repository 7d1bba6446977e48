"""Rehearsal data: seismic images, tiny here, with salt masks as runs over 101 x 101 pixels."""

from mlebench.rehearsal import Files, Making, Random, csv_file, hex_id, png, raw_data, run_lengths
from mlebench.rehearsal.archives import zip_bytes

SIDE = 101
TOP = "competition_data/"


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
    return png(4, 4, r, "I;16", lambda x, y: 65535 if mask and x < 2 else 0)


@raw_data("images")
def make_raw(making: Making) -> Files:
    r, masks, images, mask_images = making.r, {}, [], []
    ids = [hex_id(r, 10) for _ in range(96 * making.scale)]
    for i in ids:
        masks[i] = salt(r)
        images.append((f"{TOP}train/images/{i}.png", png(4, 4, r)))
        mask_images.append((f"{TOP}train/masks/{i}.png", mask_image(r, masks[i])))
    test = [hex_id(r, 10) for _ in range(4)]
    depths = [(i, r.randrange(51, 960)) for i in ids + test]
    r.shuffle(depths)
    tables = [
        csv_file("train.csv", "id,rle_mask", masks.items()),
        csv_file("depths.csv", "id,z", depths),
        csv_file("sample_submission.csv", "id,rle_mask", ((i, "1 1") for i in test)),
    ]
    members = [(TOP + name, content) for name, content in tables]
    members += images + mask_images
    members += [(f"{TOP}test/images/{i}.png", png(4, 4, r)) for i in test]
    yield "competition_data.zip", zip_bytes(members)
    yield from tables
