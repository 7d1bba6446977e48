"""Rehearsal data. Satellite scenes as .npy bands with human masks of contrails; run-length encoded answers."""

from __future__ import annotations

import json
import struct
from pathlib import Path

from mlebench.rehearsal import rng, write_bytes, write_csv, write_text

H, W, T = 8, 7, 8  # real: 256, 256, 8; not square here so that orientation shows


WKT = (
    'PROJCS["unnamed",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0]],'
    'PROJECTION["Azimuthal_Equidistant"],PARAMETER["latitude_of_center",%s],PARAMETER["longitude_of_center",%s]]'
)


def npy(descr: str, shape: tuple, data: bytes) -> bytes:
    """The .npy format, version 1.0, written by hand so that no library version shows."""
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode("latin1") + data


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "scenes")

    def record(folder: Path, rid: str, individual: bool) -> dict:
        for band in range(8, 17):
            values = (r.uniform(200, 300) for _ in range(H * W * T))
            write_bytes(
                folder / rid / f"band_{band:02}.npy",
                npy("<f4", (H, W, T), b"".join(struct.pack("<f", v) for v in values)),
            )
        mask = [0] * (H * W)
        if r.random() < 0.75:
            for _ in range(r.randrange(1, 4)):  # short slanted lines, row-major pixels
                y, x, dy, dx = (
                    r.randrange(H),
                    r.randrange(W),
                    r.choice([0, 1, -1, 1]),
                    r.choice([0, 1, -1]),
                )
                for _ in range(r.randrange(2, 7)):
                    if 0 <= y < H and 0 <= x < W:
                        mask[y * W + x] = 1
                    y, x = y + dy, x + dx
        write_bytes(
            folder / rid / "human_pixel_masks.npy",
            npy("<i4", (H, W, 1), struct.pack(f"<{H * W}i", *mask)),
        )
        if individual:
            n = r.choice([4, 5])
            votes = [v if r.random() < 0.8 else 1 - v for v in mask for _ in range(n)]
            write_bytes(
                folder / rid / "human_individual_masks.npy",
                npy("<i4", (H, W, 1, n), struct.pack(f"<{H * W * n}i", *votes)),
            )
        lat, lon = round(r.uniform(-50, 50), 6), r.uniform(-170, -30)
        return {
            "record_id": rid,
            "projection_wkt": WKT % (lat, lon),
            "col_min": r.uniform(-2e5, 2e5),
            "col_size": 2004.0174316406,
            "row_min": -256512.5,
            "row_size": 2004.0174316406,
            "timestamp": r.randrange(1_550_000_000, 1_590_000_000) + r.choice([0.0, 0.5]),
        }

    rid = lambda: str(r.randrange(10**15, 9 * 10**18))
    train = [record(raw / "train", rid(), True) for _ in range(15 * scale)]
    validation = [record(raw / "validation", rid(), False) for _ in range(5 * scale)]
    write_text(raw / "train_metadata.json", json.dumps(train))
    write_text(raw / "validation_metadata.json", json.dumps(validation, indent=1))
    for meta in validation[:2]:
        src = raw / "validation" / meta["record_id"]
        for band in range(8, 17):
            write_bytes(
                raw / "test" / meta["record_id"] / f"band_{band:02}.npy",
                (src / f"band_{band:02}.npy").read_bytes(),
            )
    write_csv(
        raw / "sample_submission.csv",
        ["record_id", "encoded_pixels"],
        ([m["record_id"], "1 3 10 5"] for m in validation[:2]),
    )
