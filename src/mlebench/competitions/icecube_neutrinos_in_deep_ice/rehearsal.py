"""Rehearsal data. Pulses of a neutrino telescope: parquet tables in batches, two angles per event."""

from __future__ import annotations

import io
import math
from pathlib import Path

from mlebench.rehearsal import rng, write_bytes, write_csv


def parquet(frame, index: bool) -> bytes:
    out = io.BytesIO()
    frame.to_parquet(out, index=index, engine="pyarrow", compression="snappy")
    return out.getvalue()


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    import numpy as np
    import pandas as pd

    r = rng(seed, "events")
    event = r.randrange(1000)
    meta = {
        k: []
        for k in (
            "batch_id",
            "event_id",
            "first_pulse_index",
            "last_pulse_index",
            "azimuth",
            "zenith",
        )
    }

    def batch(number: int, events: int, part: str, labelled: bool) -> None:
        nonlocal event
        pulses = {"event_id": [], "sensor_id": [], "time": [], "charge": [], "auxiliary": []}
        for _ in range(events):
            event += r.randrange(1, 60)
            first = len(pulses["time"])
            for t in sorted(r.randrange(5000, 25000) for _ in range(r.randrange(3, 12))):
                pulses["event_id"].append(event)
                pulses["sensor_id"].append(r.randrange(5160))
                pulses["time"].append(t)
                pulses["charge"].append(r.randrange(1, 120) / 40)
                pulses["auxiliary"].append(r.random() < 0.7)
            if labelled:
                last = len(pulses["time"]) - 1
                # the true directions have 6 decimals; a few sit on the poles and on the azimuth seam
                azimuth = 0.0 if r.random() < 0.03 else round(r.uniform(0, 2 * math.pi), 6)
                zenith = 0.0 if r.random() < 0.03 else round(math.acos(r.uniform(-1, 1)), 6)
                for key, value in zip(meta, (number, event, first, last, azimuth, zenith)):
                    meta[key].append(value)
        frame = pd.DataFrame(
            {
                "sensor_id": np.array(pulses["sensor_id"], dtype="int16"),
                "time": np.array(pulses["time"], dtype="int64"),
                "charge": np.array(pulses["charge"], dtype="float64"),
                "auxiliary": np.array(pulses["auxiliary"], dtype=bool),
            },
            index=pd.Index(np.array(pulses["event_id"], dtype="int64"), name="event_id"),
        )
        write_bytes(raw / part / f"batch_{number}.parquet", parquet(frame, True))

    batches = 23 * scale
    for number in range(1, batches + 1):
        batch(number, 20, "train", True)
    train = pd.DataFrame(meta)
    write_bytes(raw / "train_meta.parquet", parquet(train, False))
    batch(batches + 1, 3, "test", False)
    ours = pd.DataFrame(
        {
            "batch_id": [batches + 1] * 3,
            "event_id": [2092, 7344, 9482],
            "first_pulse_index": [0, 5, 9],
            "last_pulse_index": [4, 8, 20],
        }
    )
    write_bytes(raw / "test_meta.parquet", parquet(ours, False))
    write_bytes(
        raw / "sample_submission.parquet",
        parquet(ours[["event_id"]].assign(azimuth=1, zenith=1), False),
    )
    sensors = rng(seed, "sensors")
    write_csv(
        raw / "sensor_geometry.csv",
        ["sensor_id", "x", "y", "z"],
        (
            (i, -256.14, round(sensors.uniform(-600, 600), 2), round(496.03 - 17 * (i % 60), 2))
            for i in range(200)
        ),
    )
