"""Rehearsal data: ten seismic sensors per segment file; the target is the time to the eruption."""

from mlebench.rehearsal import FilePerId, Making, Random, RawData, Sampled, Table, Whole, csv_text

SENSORS = [f"sensor_{number}" for number in range(1, 11)]


def train_size(making: Making) -> int:
    return 165 * making.scale + making.seed


def size(making: Making) -> int:
    return train_size(making) + 12 * making.scale


def segment(r: Random) -> bytes:
    """Four rows; some sensors are dead, some values are missing."""
    dead = {k for k in range(10) if r.random() < 0.1}

    def value(sensor: int) -> str:
        if sensor in dead or r.random() < 0.02:
            return ""
        return f"{r.randrange(-32768, 32768)}.0"

    return csv_text(SENSORS, [[value(k) for k in range(10)] for _ in range(4)]).encode()


ids = Sampled(range(1_000_000, 2_147_000_000), size)
train, test = ids.split(train_size)

make_raw = RawData(
    "rows",
    FilePerId("train/{}.csv", train, segment),
    FilePerId("test/{}.csv", test, segment),
    Table("train.csv", {"segment_id": train, "time_to_eruption": Whole(6_000, 49_000_000)}),
    Table("sample_submission.csv", {"segment_id": test, "time_to_eruption": 0}),
)
