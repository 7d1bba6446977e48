"""Rehearsal data. Seismic images with salt masks as run lengths over 101 x 101 pixels; the images themselves are tiny here."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, hex_id, png, rng, write_csv, write_zip

SIDE = 101


def rle(columns: list[list[bool]]) -> str:
    """Run lengths of a mask given column by column, 1-based, top to bottom then left to right."""
    flat = [v for column in columns for v in column] + [False]
    out, start = [], None
    for k, v in enumerate(flat, 1):
        if v and start is None:
            start = k
        elif not v and start is not None:
            out += [start, k - start]
            start = None
    return " ".join(map(str, out))


def rect(x0: int, y0: int, x1: int, y1: int) -> list[list[bool]]:
    return [[x0 <= x < x1 and y0 <= y < y1 for y in range(SIDE)] for x in range(SIDE)]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "images")
    ids = [hex_id(r, 10) for _ in range(96 * scale)]
    members, rows = {}, []
    images, masks = {}, {}
    for k, i in enumerate(ids):
        kind = r.randrange(10)
        if kind < 4:
            mask = ""
        elif kind == 4:
            mask = f"1 {SIDE * SIDE}"  # wholly salt
        elif kind == 5:
            mask = rle(rect(0, 0, SIDE, r.randrange(60, 101)))  # most of the image
        else:
            x, y = r.randrange(60), r.randrange(60)
            mask = rle(rect(x, y, x + r.randrange(3, 41), y + r.randrange(3, 41)))
        rows.append((i, mask))
        images[f"competition_data/train/images/{i}.png"] = png(4, 4, r)
        masks[f"competition_data/train/masks/{i}.png"] = png(
            4, 4, r, "I;16", lambda x, y: 65535 if mask and x < 2 else 0
        )
    test = [hex_id(r, 10) for _ in range(4)]
    sample = csv_text(["id", "rle_mask"], ((i, "1 1") for i in test))
    depths = [(i, r.randrange(51, 960)) for i in ids + test]
    r.shuffle(depths)
    members["competition_data/train.csv"] = csv_text(["id", "rle_mask"], rows).encode()
    members["competition_data/depths.csv"] = csv_text(["id", "z"], depths).encode()
    members["competition_data/sample_submission.csv"] = sample.encode()
    members |= (
        images | masks | {f"competition_data/test/images/{i}.png": png(4, 4, r) for i in test}
    )
    write_zip(raw / "competition_data.zip", members)
    write_csv(raw / "depths.csv", ["id", "z"], depths)
    write_csv(raw / "train.csv", ["id", "rle_mask"], rows)
    write_csv(raw / "sample_submission.csv", ["id", "rle_mask"], ((i, "1 1") for i in test))
