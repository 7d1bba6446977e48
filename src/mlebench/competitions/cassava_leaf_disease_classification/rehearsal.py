"""Rehearsal data. Cassava leaf photographs as loose JPEGs and as TFRecord files; the split follows the TFRecord files."""

from __future__ import annotations

import json
import struct
from pathlib import Path

from mlebench.rehearsal import jpeg, rng, write_bytes, write_csv, write_text

NAMES = {
    "0": "Cassava Bacterial Blight (CBB)",
    "1": "Cassava Brown Streak Disease (CBSD)",
    "2": "Cassava Green Mottle (CGM)",
    "3": "Cassava Mosaic Disease (CMD)",
    "4": "Healthy",
}


def _crc_table() -> list[int]:
    table = []
    for n in range(256):
        for _ in range(8):
            n = (n >> 1) ^ 0x82F63B78 if n & 1 else n >> 1
        table.append(n)
    return table


_TABLE = _crc_table()


def _masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for b in data:
        crc = _TABLE[(crc ^ b) & 255] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def _varint(n: int) -> bytes:
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def _field(number: int, body: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(body)) + body


def example(features: dict) -> bytes:
    """A tf.train.Example; bytes values become bytes_list, ints int64_list (packed)."""
    entries = b""
    for key, value in features.items():
        feature = (
            _field(1, _field(1, value))
            if isinstance(value, bytes)
            else _field(3, _field(1, _varint(value)))
        )
        entries += _field(1, _field(1, key.encode()) + _field(2, feature))
    return _field(1, entries)


def tfrecord(records: list[bytes]) -> bytes:
    out = b""
    for rec in records:
        head = struct.pack("<Q", len(rec))
        out += (
            head + struct.pack("<I", _masked_crc(head)) + rec + struct.pack("<I", _masked_crc(rec))
        )
    return out


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "train")
    rows = {}
    for k in range(16):
        records = []
        for _ in range(r.randrange(6, 12) * scale):
            name, label, image = (
                f"{r.randrange(10**6, 4 * 10**9)}.jpg",
                r.choices(range(5), [5, 10, 11, 62, 12])[0],
                jpeg(r),
            )
            rows[name] = label
            write_bytes(raw / "train_images" / name, image)
            records.append(example({"image": image, "image_name": name.encode(), "target": label}))
        write_bytes(
            raw / "train_tfrecords" / f"ld_train{k:02d}-{len(records)}.tfrec", tfrecord(records)
        )
    write_csv(raw / "train.csv", ["image_id", "label"], sorted(rows.items()))
    write_text(raw / "label_num_to_disease_map.json", json.dumps(NAMES))
    image = jpeg(r)
    write_bytes(raw / "test_images" / "2216849948.jpg", image)
    write_bytes(
        raw / "test_tfrecords" / "ld_test00-1.tfrec",
        tfrecord([example({"image": image, "image_name": b"2216849948.jpg"})]),
    )
    write_csv(raw / "sample_submission.csv", ["image_id", "label"], [("2216849948.jpg", 4)])
