"""Drives are split; every linked table and sensor file follows the drive it belongs to."""

import json
from pathlib import Path, PurePosixPath
from typing import Any

from mlebench.archives.copying import copy_file, copy_files
from mlebench.archives.raw import Raw
from mlebench.errors import DataError
from mlebench.tables import Splitting, read_table, split_rows, write_table

MAP = "map_raster_palo_alto.png"
COMMON_TABLES = ("attribute", "category", "sensor", "visibility")
FOLDERS = {"jpeg": "images", "bin": "lidar"}
WORDS_PER_BOX = 8

Table = list[dict[str, Any]]


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    with_own_logs: bool = False,
    split: Splitting = split_rows,
) -> None:
    """Write all files.

    Args:
        with_own_logs: whether the map of each part lists its own logs, by token; the published
            preparation lists the test logs in both, in the order of the split.
    """
    logs = split([log["token"] for log in _table(raw, "log")], test_size=0.2)
    boxes = read_table(raw / "train.csv", exact=False)
    for part, tokens in zip(("train", "test"), logs, strict=True):
        tables = tables_of(raw, set(tokens), is_train=part == "train")
        listed = sorted(tokens) if with_own_logs else logs[1]
        tables["map"] = [{**_table(raw, "map")[0], "log_tokens": listed}]
        folder = public / f"{part}_data"
        folder.mkdir()
        for name, rows in tables.items():
            (folder / f"{name}.json").write_text(json.dumps(rows), "utf-8")
        for name in COMMON_TABLES:
            copy_file(raw / "train_data" / f"{name}.json", folder / f"{name}.json")
        copy_file(raw / "train_maps" / MAP, public / f"{part}_maps" / MAP)
        copy_sensor_files(raw, tables["sample_data"], public, part)
        of_part = boxes[boxes["Id"].isin({sample["token"] for sample in tables["sample"]})]
        if part == "train":
            write_table(of_part, public / "train.csv")
        else:
            write_table(of_part.assign(PredictionString=""), public / "sample_submission.csv")
            sure = of_part["PredictionString"].map(with_confidence)
            write_table(of_part.assign(PredictionString=sure), private / "test.csv")


def tables_of(raw: Raw, logs: set[str], *, is_train: bool) -> dict[str, Table]:
    """The rows of each table that belong to these drives; a scene has the token of its log."""
    found = {
        "log": _rows(raw, "log", "token", logs),
        "scene": _rows(raw, "scene", "log_token", logs),
        "sample": _rows(raw, "sample", "scene_token", logs),
    }
    samples = {sample["token"] for sample in found["sample"]}
    data = found["sample_data"] = _rows(raw, "sample_data", "sample_token", samples)
    sensors = {row["token"]: row for row in _table(raw, "calibrated_sensor")}
    used = dict.fromkeys(row["calibrated_sensor_token"] for row in data)
    found["calibrated_sensor"] = [sensors[token] for token in used]
    poses = {row["token"]: row for row in _table(raw, "ego_pose")}
    found["ego_pose"] = [poses[row["ego_pose_token"]] for row in data]
    if is_train:
        annotations = _rows(raw, "sample_annotation", "sample_token", samples)
        found["sample_annotation"] = annotations
        instances = {row["instance_token"] for row in annotations}
        found["instance"] = _rows(raw, "instance", "token", instances)
    return found


def copy_sensor_files(raw: Raw, data: Table, public: Path, part: str) -> None:
    """Pictures and lidar sweeps that the table names, each once."""
    files: dict[str, Raw] = {}
    for row in data:
        kind, name = FOLDERS.get(row["fileformat"]), PurePosixPath(row["filename"]).name
        if kind is None:
            raise DataError(f"{name} has format {row['fileformat']!r}, expected jpeg or bin")
        files[f"{part}_{kind}/{name}"] = raw / f"train_{kind}" / name
    copy_files(files, public)


def with_confidence(boxes: str) -> str:
    """Put full confidence before every box."""
    words = boxes.split(" ")
    starts = range(0, len(words), WORDS_PER_BOX)
    return " ".join(" ".join(["1.0", *words[k : k + WORDS_PER_BOX]]) for k in starts)


def _table(raw: Raw, name: str) -> Table:
    rows: Table = json.loads((raw / "train_data" / f"{name}.json").read_text())
    return rows


def _rows(raw: Raw, name: str, column: str, tokens: set[str]) -> Table:
    return [row for row in _table(raw, name) if row[column] in tokens]
