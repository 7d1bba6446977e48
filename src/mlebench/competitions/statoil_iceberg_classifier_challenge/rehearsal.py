"""Rehearsal data: radar pictures of ships and icebergs as JSON in 7z files, 5 x 5 pixels each."""

from typing import Any

from mlebench.rehearsal import Making, Parts, Random, SevenZip, Table, hex_id, json_file, raw_data

FOLDER = "data/processed/"


def band(r: Random) -> list[float]:
    return [round(r.gauss(-22, 6), r.choice([5, 6, 6, 7])) for _ in range(25)]


def picture(r: Random, name: str, *, is_labelled: bool) -> dict[str, Any]:
    has_angle = not is_labelled or r.random() >= 0.08
    angle = round(r.uniform(24.7, 45.9), 4) if has_angle else "na"
    found = {"id": name, "band_1": band(r), "band_2": band(r), "inc_angle": angle}
    return found | {"is_iceberg": int(r.random() < 0.47)} if is_labelled else found


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r, count = making.r, 150 * making.scale
    ids = [hex_id(r, 8) for _ in range(190 * making.scale)]
    train = [picture(r, i, is_labelled=True) for i in ids[:count]]
    test = [picture(r, i, is_labelled=False) for i in ids[count:]]
    yield SevenZip("train.json.7z", json_file(FOLDER + "train.json", train))
    yield SevenZip("test.json.7z", json_file(FOLDER + "test.json", test))
    sample = Table(FOLDER + "sample_submission.csv", {"id": ids[count:], "is_iceberg": 0.5})
    yield SevenZip("sample_submission.csv.7z", sample)
