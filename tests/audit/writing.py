"""Writers of files about test items, for generated competitions."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mlebench.rehearsal.tfrecords import tfrecords

WORDS = [f"{a}{b}" for a in ("sun", "rain", "wind", "hail", "fog", "ice") for b in "abcdefghij"]


def _items(folder: Path, ids: pd.Series, values: pd.Series) -> Iterable[tuple[Path, int, int]]:
    folder.mkdir(exist_ok=True)
    for name, value in zip(ids, values, strict=True):
        yield folder / str(name), int(name), int(value)


def stamped(image: Any) -> Any:
    """A grey picture with a white square in its corner."""
    image.paste(255, (0, 0, 3, 3))
    return image


def exif(folder: Path, ids: pd.Series, values: pd.Series) -> None:
    from PIL import Image

    draw = np.random.default_rng(1)
    for path, _, value in _items(folder, ids, values):
        image = Image.fromarray(draw.integers(0, 255, (16, 16), dtype=np.uint8))
        tags = image.getexif()
        tags[0x010F] = ("Canon", "Nikon")[value]
        image.save(path.with_suffix(".jpg"), exif=tags)


def dicom(folder: Path, ids: pd.Series, values: pd.Series) -> None:
    for path, name, value in _items(folder, ids, values):
        elements = {(0x0002, 0x0010): b"1.2.840.10008.1.2.1\0", (0x0010, 0x0020): b"%06d" % name}
        elements[0x0018, 0x0015] = (b"CHEST ", b"HAND  ")[value]
        kinds = {(0x0002, 0x0010): b"UI"}
        body = b"".join(
            struct.pack("<HH2sH", *tag, kinds.get(tag, b"LO"), len(data)) + data
            for tag, data in elements.items()
        )
        path.with_suffix(".dcm").write_bytes(bytes(128) + b"DICM" + body)


def tfrecord(folder: Path, ids: pd.Series, values: pd.Series, feature: str = "kind") -> None:
    rows = [{"id": name, feature: value} for _, name, value in _items(folder, ids, values)]
    (folder / "test.tfrec").write_bytes(tfrecords(rows))


def mat(folder: Path, ids: pd.Series, values: pd.Series) -> None:
    from scipy.io import savemat

    for path, name, value in _items(folder, ids, values):
        savemat(path.with_suffix(".mat"), {"scan": {"number": name, "stage": value}})


def hdf(folder: Path, ids: pd.Series, values: pd.Series) -> None:
    import h5py

    for path, _, value in _items(folder, ids, values):
        with h5py.File(path.with_suffix(".h5"), "w") as file:
            file.create_dataset("pixels", data=np.arange(4)).attrs["stage"] = value


def bson(folder: Path, ids: pd.Series, values: pd.Series) -> None:
    from bson import encode

    rows = [{"id": name, "kind": 5 * value} for _, name, value in _items(folder, ids, values)]
    (folder / "test.bson").write_bytes(b"".join(map(encode, rows)))


def json_rows(folder: Path, ids: pd.Series, values: pd.Series) -> None:
    rows = [{"id": name, "kind": "ab"[v]} for _, name, v in _items(folder, ids, values)]
    (folder / "test.json").write_text(json.dumps({"images": rows}))


def parquet(folder: Path, ids: pd.Series, values: pd.Series) -> None:
    folder.mkdir(exist_ok=True)
    table = pd.DataFrame({"id": ids.to_numpy(), "kind": values.to_numpy() + 0.5})
    table.to_parquet(folder / "test.parquet")


def nmea(folder: Path, ids: pd.Series, values: pd.Series) -> None:
    draw = np.random.default_rng(2)
    for path, _, value in _items(folder, ids, values):
        place = f"{draw.uniform(1000, 6000):.4f},N,{draw.uniform(100, 9000):.4f},E"
        path.with_suffix(".nmea").write_text(f"$GPGGA,120000,{place},{value + 1},08,0.9*47\n")


def outlines(folder: Path, ids: pd.Series, key: str) -> None:
    for name in ids:
        (folder / f"{name}.json").write_text(json.dumps([{key: [[1, 2], [3, 4], [5, 0]]}]))


def archive(path: Path, ids: pd.Series) -> None:
    with zipfile.ZipFile(path, "w") as out:
        for name in ids:
            out.writestr(zipfile.ZipInfo(f"test/{name}.txt"), f"item {name}\n")


def sounds(public: Path, train: pd.Series, test: pd.Series, draw: Any, shared: int) -> None:
    """WAV files for train and FLAC files for test, some of which sound the same."""
    import soundfile

    made = {int(n): draw.integers(-9999, 9999, 400).astype(np.int16) for n in [*train, *test]}
    for one, other in zip(test[:shared], train, strict=False):
        made[int(one)] = made[int(other)]
    for part, ids, suffix in (("train", train, "wav"), ("test", test, "flac")):
        (public / part).mkdir()
        for name in ids:
            out = io.BytesIO()
            soundfile.write(out, made[int(name)], 8000, format=suffix.upper())
            (public / part / f"{name}.{suffix}").write_bytes(out.getvalue())


def drawn(seed: int, count: int) -> list[int]:
    """Labels of a generator with a small seed."""
    generator = random.Random(seed % 101)
    return [generator.choice([0, 1]) for _ in range(count)]


def shuffled(table: pd.DataFrame, seed: int) -> pd.DataFrame:
    order = list(range(len(table)))
    random.Random(seed % 101).shuffle(order)
    return table.iloc[order]
