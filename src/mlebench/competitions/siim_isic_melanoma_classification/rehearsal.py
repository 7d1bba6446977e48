"""Rehearsal data. Skin lesions as DICOM, JPEG and TFRecord; two of the TFRecord files decide the test set."""

from __future__ import annotations

import struct
from pathlib import Path

from mlebench.rehearsal import blob, jpeg, rng, write_bytes, write_csv

_TABLE = []


for _n in range(256):
    for _ in range(8):
        _n = (_n >> 1) ^ 0x82F63B78 if _n & 1 else _n >> 1
    _TABLE.append(_n)


def masked_crc(data: bytes) -> bytes:
    c = 0xFFFFFFFF
    for b in data:
        c = _TABLE[(c ^ b) & 255] ^ (c >> 8)
    c ^= 0xFFFFFFFF
    return struct.pack("<I", (((c >> 15) | (c << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


def varint(n: int) -> bytes:
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def part(field: int, body: bytes) -> bytes:
    return bytes([field << 3 | 2]) + varint(len(body)) + body


def example(features: dict) -> bytes:
    """tf.train.Example of bytes and integer features."""
    out = b""
    for key, v in features.items():
        feature = part(1, part(1, v)) if isinstance(v, bytes) else part(3, part(1, varint(v)))
        out += part(1, part(1, key.encode()) + part(2, feature))
    return part(1, out)


def tfrecords(examples) -> bytes:
    out = b""
    for e in examples:
        head = struct.pack("<Q", len(e))
        out += head + masked_crc(head) + e + masked_crc(e)
    return out


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "lesions")
    counts = [(11 if k in (0, 6) else 3) * scale for k in range(16)]
    names = r.sample([f"ISIC_{i:07d}" for i in range(15719, 9999999, 1777)], sum(counts))
    rows = {}
    for n in names:
        bad = int(r.random() < 0.35)
        gap = lambda v, p=0.1: "" if r.random() < p else v
        rows[n] = [
            n,
            f"IP_{r.randrange(1, 40):07d}",
            gap(r.choice(["male", "female"])),
            gap(f"{5 * r.randrange(3, 18)}.0"),
            gap(
                r.choice(
                    [
                        "head/neck",
                        "upper extremity",
                        "lower extremity",
                        "torso",
                        "palms/soles",
                        "oral/genital",
                    ]
                )
            ),
            "melanoma" if bad else r.choice(["unknown", "nevus", "lichenoid keratosis"]),
            "malignant" if bad else "benign",
            bad,
        ]
    columns = [
        "image_name",
        "patient_id",
        "sex",
        "age_approx",
        "anatom_site_general_challenge",
        "diagnosis",
        "benign_malignant",
        "target",
    ]
    write_csv(raw / "train.csv", columns, (rows[n] for n in sorted(names)))
    todo = list(names)
    for k, c in enumerate(
        counts
    ):  # the number in the real file name is its record count; names are fixed here
        mine, todo = todo[:c], todo[c:]
        write_bytes(
            raw / "tfrecords" / f"train{k:02d}-{2071 if k < 15 else 2061}.tfrec",
            tfrecords(
                example(
                    {
                        "image": jpeg(r),
                        "image_name": n.encode(),
                        "patient_id": r.randrange(2056),
                        "target": rows[n][7],
                    }
                )
                for n in mine
            ),
        )
    for n in names:
        write_bytes(raw / "train" / f"{n}.dcm", blob(r, 20, b"\0" * 128 + b"DICM"))
        write_bytes(raw / "jpeg" / "train" / f"{n}.jpg", jpeg(r))
    test = [f"ISIC_{i:07d}" for i in (52060, 52349, 58510)]
    for n in test:
        write_bytes(raw / "test" / f"{n}.dcm", blob(r, 20, b"\0" * 128 + b"DICM"))
        write_bytes(raw / "jpeg" / "test" / f"{n}.jpg", jpeg(r))
    write_bytes(
        raw / "tfrecords" / "test00-687.tfrec",
        tfrecords(example({"image": jpeg(r), "image_name": n.encode()}) for n in test),
    )
    write_csv(raw / "test.csv", columns[:5], ((n, "IP_3579794", "male", "70.0", "") for n in test))
    write_csv(raw / "sample_submission.csv", ["image_name", "target"], ((n, 0) for n in test))
