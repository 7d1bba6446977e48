"""Rehearsal data: ten seismic sensors per segment file; the target is the time to the eruption."""

from mlebench.rehearsal import Files, Making, Random, csv_file, raw_data

SENSORS = [f"sensor_{number}" for number in range(1, 11)]


def segment(r: Random) -> list[list[str]]:
    """Four rows; some sensors are dead, some values are missing."""
    dead = {k for k in range(10) if r.random() < 0.1}

    def value(sensor: int) -> str:
        if sensor in dead or r.random() < 0.02:
            return ""
        return f"{r.randrange(-32768, 32768)}.0"

    return [[value(sensor) for sensor in range(10)] for _ in range(4)]


@raw_data("rows")
def make_raw(making: Making) -> Files:
    r, train = making.r, 165 * making.scale + making.seed
    ids = r.sample(range(1_000_000, 2_147_000_000), train + 12 * making.scale)
    for number, i in enumerate(ids):
        folder = "train" if number < train else "test"
        yield csv_file(f"{folder}/{i}.csv", SENSORS, segment(r))
    times = ([i, r.randrange(6_000, 49_000_000)] for i in ids[:train])
    yield csv_file("train.csv", "segment_id,time_to_eruption", times)
    sample = ([i, 0] for i in ids[train:])
    yield csv_file("sample_submission.csv", "segment_id,time_to_eruption", sample)
