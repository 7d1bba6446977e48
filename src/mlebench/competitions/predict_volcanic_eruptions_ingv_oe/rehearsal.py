"""Rehearsal data: ten seismic sensors per segment file; the target is the time to the eruption."""

from mlebench.rehearsal import Choice, FilePerId, Random, RawData, Sampled, Several, Table, Whole
from mlebench.rehearsal.content import csv_text

SENSORS = [f"sensor_{number}" for number in range(1, 11)]
VALUE = Choice("", Whole(-32768, 32768, "{}.0"), weights=[0.02, 0.98])


def segment(r: Random) -> bytes:
    """Four rows; some sensors are dead, some values are missing."""
    values = ["" if r.random() < 0.1 else VALUE for _ in SENSORS]
    return csv_text(SENSORS, [Several(*values)(r) for _ in range(4)]).encode()


ids = Sampled(range(1_000_000, 2_147_000_000), lambda making: 177 * making.scale + making.seed)
train, test = ids.split(lambda making: 165 * making.scale + making.seed)

make_raw = RawData(
    "rows",
    FilePerId("train/{}.csv", train, segment),
    FilePerId("test/{}.csv", test, segment),
    Table("train.csv", {"segment_id": train, "time_to_eruption": Whole(6_000, 49_000_000)}),
    Table("sample_submission.csv", {"segment_id": test, "time_to_eruption": 0}),
)
