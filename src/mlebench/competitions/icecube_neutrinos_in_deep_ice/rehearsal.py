"""Rehearsal data: pulses of a neutrino telescope in parquet batches, two angles per event."""

import math

from mlebench.rehearsal import Making, Parts, Random, csv_file, raw_data
from mlebench.rehearsal.content import parquet

PULSES = {"sensor_id": "int16", "time": "int64", "charge": "float64", "auxiliary": "bool"}
META = ["batch_id", "event_id", "first_pulse_index", "last_pulse_index"]


def direction(r: Random) -> tuple[float, float]:
    """Azimuth and zenith with six decimals, a few of them exactly 0."""
    azimuth = 0.0 if r.random() < 0.03 else round(r.uniform(0, 2 * math.pi), 6)
    return azimuth, 0.0 if r.random() < 0.03 else round(math.acos(r.uniform(-1, 1)), 6)


def pulses(r: Random) -> list[tuple[int, int, float, bool]]:
    times = sorted(r.randrange(5000, 25000) for _ in range(r.randrange(3, 12)))
    return [(r.randrange(5160), t, r.randrange(1, 120) / 40, r.random() < 0.7) for t in times]


@raw_data("events")
def make_raw(making: Making) -> Parts:
    import pandas as pd

    r, batches, meta = making.r, 23 * making.scale, []
    event = r.randrange(1000)
    for batch in range(1, batches + 2):
        rows, index = list[tuple[object, ...]](), list[int]()
        for _ in range(20 if batch <= batches else 3):
            event += r.randrange(1, 60)
            first = len(rows)
            rows += pulses(r)
            index += [event] * (len(rows) - first)
            if batch <= batches:
                meta.append((batch, event, first, len(rows) - 1, *direction(r)))
        frame = pd.DataFrame(rows, columns=list(PULSES), index=pd.Index(index, name="event_id"))
        part = "train" if batch <= batches else "test"
        yield f"{part}/batch_{batch}.parquet", parquet(frame.astype(PULSES), has_index=True)
    train = pd.DataFrame(meta, columns=[*META, "azimuth", "zenith"])
    yield "train_meta.parquet", parquet(train)
    test = [(2092, 0, 4), (7344, 5, 8), (9482, 9, 20)]
    frame = pd.DataFrame([(batches + 1, *row) for row in test], columns=META)
    yield "test_meta.parquet", parquet(frame)
    sample = frame[["event_id"]].assign(azimuth=1, zenith=1)
    yield "sample_submission.parquet", parquet(sample)
    sensors = making.stream("sensors")
    places = (
        (i, -256.14, round(sensors.uniform(-600, 600), 2), round(496.03 - 17 * (i % 60), 2))
        for i in range(200)
    )
    yield csv_file("sensor_geometry.csv", "sensor_id,x,y,z", places)
