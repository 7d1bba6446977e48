"""Rehearsal data: radar pictures of ships and icebergs as JSON in 7z files, 5 x 5 pixels each."""

from typing import Any

from mlebench.rehearsal import Files, Making, Random, csv_file, hex_id, json_file, raw_data
from mlebench.rehearsal.archives import seven_zip_bytes

FOLDER = "data/processed/"


def band(r: Random) -> list[float]:
    return [round(r.gauss(-22, 6), r.choice([5, 6, 6, 7])) for _ in range(25)]


def picture(r: Random, name: str, *, is_labelled: bool) -> dict[str, Any]:
    has_angle = not is_labelled or r.random() >= 0.08
    angle = round(r.uniform(24.7, 45.9), 4) if has_angle else "na"
    found = {"id": name, "band_1": band(r), "band_2": band(r), "inc_angle": angle}
    return found | {"is_iceberg": int(r.random() < 0.47)} if is_labelled else found


@raw_data("rows")
def make_raw(making: Making) -> Files:
    r, ids, count = making.r, dict[str, None](), 150 * making.scale
    while len(ids) < 190 * making.scale:
        ids[hex_id(r, 8)] = None
    names = list(ids)
    train = [picture(r, name, is_labelled=True) for name in names[:count]]
    test = [picture(r, name, is_labelled=False) for name in names[count:]]
    yield "train.json.7z", seven_zip_bytes([json_file(FOLDER + "train.json", train)])
    yield "test.json.7z", seven_zip_bytes([json_file(FOLDER + "test.json", test)])
    sample = ([name, 0.5] for name in names[count:])
    table = csv_file(FOLDER + "sample_submission.csv", "id,is_iceberg", sample)
    yield "sample_submission.csv.7z", seven_zip_bytes([table])
