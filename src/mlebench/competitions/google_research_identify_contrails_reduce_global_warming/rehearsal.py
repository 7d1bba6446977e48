"""Rehearsal data: satellite scenes as .npy bands with human masks of contrails."""

from typing import Any

from mlebench.rehearsal import Making, Parts, Random, json_file, npy, raw_data
from mlebench.rehearsal.content import File, csv_file

# 256, 256, 8 in the archive. Not square here, so that a transposed mask is noticed.
H, W, T = 8, 7, 8
WKT = (
    'PROJCS["unnamed",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],'
    'PRIMEM["Greenwich",0]],PROJECTION["Azimuthal_Equidistant"],PARAMETER["latitude_of_center",'
    '{}],PARAMETER["longitude_of_center",{}]]'
)


def array(values: list[Any], kind: str, *shape: int) -> bytes:
    import numpy as np

    return npy(np.array(values, dtype=kind).reshape(shape))


def contrails(r: Random) -> list[int]:
    """A mask of short slanted lines, row by row."""
    mask = [0] * (H * W)
    for _ in range(r.randrange(1, 4) if r.random() < 0.75 else 0):
        y, x, dy, dx = r.randrange(H), r.randrange(W), r.choice([0, 1, -1, 1]), r.choice([0, 1, -1])
        for _ in range(r.randrange(2, 7)):
            if 0 <= y < H and 0 <= x < W:
                mask[y * W + x] = 1
            y, x = y + dy, x + dx
    return mask


def scene(r: Random, folder: str, *, has_votes: bool) -> tuple[dict[str, Any], list[File]]:
    """The metadata of a scene, and its files."""
    record, files = str(r.randrange(10**15, 9 * 10**18)), {}
    for band in range(8, 17):
        values = [r.uniform(200, 300) for _ in range(H * W * T)]
        files[f"band_{band:02}"] = array(values, "<f4", H, W, T)
    mask = contrails(r)
    files["human_pixel_masks"] = array(mask, "<i4", H, W, 1)
    if has_votes:
        people = r.choice([4, 5])
        votes = [v if r.random() < 0.8 else 1 - v for v in mask for _ in range(people)]
        files["human_individual_masks"] = array(votes, "<i4", H, W, 1, people)
    latitude, longitude = round(r.uniform(-50, 50), 6), r.uniform(-170, -30)
    meta = {
        "record_id": record,
        "projection_wkt": WKT.format(latitude, longitude),
        "col_min": r.uniform(-2e5, 2e5),
        "col_size": 2004.0174316406,
        "row_min": -256512.5,
        "row_size": 2004.0174316406,
        "timestamp": r.randrange(1_550_000_000, 1_590_000_000) + r.choice([0.0, 0.5]),
    }
    return meta, [(f"{folder}/{record}/{name}.npy", content) for name, content in files.items()]


@raw_data("scenes")
def make_raw(making: Making) -> Parts:
    r, scale = making.r, making.scale
    train = [scene(r, "train", has_votes=True) for _ in range(15 * scale)]
    validation = [scene(r, "validation", has_votes=False) for _ in range(5 * scale)]
    yield json_file("train_metadata.json", [meta for meta, _ in train])
    yield json_file("validation_metadata.json", [meta for meta, _ in validation], indent=1)
    for _, files in train + validation:
        yield from files
    for _, files in validation[:2]:
        for name, content in files[:9]:
            yield name.replace("validation", "test"), content
    rows = ([meta["record_id"], "1 3 10 5"] for meta, _ in validation[:2])
    yield csv_file("sample_submission.csv", "record_id,encoded_pixels", rows)
