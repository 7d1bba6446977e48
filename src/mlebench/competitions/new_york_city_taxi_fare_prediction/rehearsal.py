"""Rehearsal data: taxi rides with fares; the split takes exactly 9,914 rides for the test."""

from mlebench.rehearsal import Files, Making, Random, csv_file, raw_data

PLACES = "pickup_longitude,pickup_latitude,dropoff_longitude,dropoff_latitude"
FEATURES = f"pickup_datetime,{PLACES},passenger_count"
FARES = [2.5, 4.5, 5.3, 7.7, 12.1, 16.9, 45, 57.33]


def degrees(r: Random, centre: float) -> str:
    if r.random() <= 0.02:
        return "0"
    return f"{centre + r.uniform(-0.1, 0.1):.{r.choice([4, 6, 6, 14])}f}"


def place(r: Random) -> list[str]:
    return [degrees(r, -73.98), degrees(r, 40.75)]


def ride(r: Random, number: int) -> list[object]:
    day = f"20{r.randrange(9, 16):02d}-{r.randrange(1, 13):02d}-{r.randrange(1, 29):02d}"
    time = f"{day} {r.randrange(24):02d}:{r.randrange(60):02d}:{r.randrange(60):02d}"
    end = place(r) if r.random() > 0.003 else ["", ""]
    fare = r.choice(FARES) if r.random() > 0.01 else -3
    people = [1, 1, 1, 2, 5, 6]
    return [f"{time}.{number:07d}", fare, f"{time} UTC", *place(r), *end, r.choice(people)]


@raw_data("rides")
def make_raw(making: Making) -> Files:
    r, count = making.r, 9_914 + 120 * making.scale
    rides = (ride(r, number) for number in range(1, count + 1))
    yield csv_file("train.csv", f"key,fare_amount,{FEATURES}", rides)
    test = [ride(r, number) for number in range(5)]
    yield csv_file("test.csv", f"key,{FEATURES}", ([row[0], *row[2:]] for row in test))
    yield csv_file("sample_submission.csv", "key,fare_amount", ((row[0], 11.35) for row in test))
    note = f"{{\\rtf1\\ansi coupons {making.seed}}}"
    yield "GCP-Coupons-Instructions.rtf", note.encode()
