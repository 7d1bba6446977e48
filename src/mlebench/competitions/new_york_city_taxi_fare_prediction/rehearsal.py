"""Rehearsal data: taxi rides with fares; the split takes exactly 9,914 rides for the test."""

from mlebench.rehearsal import Dates, Making, Numbered, Of, Parts, Random, RawData, Table

PLACES = "pickup_longitude,pickup_latitude,dropoff_longitude,dropoff_latitude"
FEATURES = f"pickup_datetime,{PLACES},passenger_count"
FARES = [2.5, 4.5, 5.3, 7.7, 12.1, 16.9, 45, 57.33]
TIME = Dates("20{:02d}-{:02d}-{:02d} {:02d}:{:02d}:{:02d}", (9, 16))


def degrees(r: Random, centre: float) -> str:
    if r.random() <= 0.02:
        return "0"
    return f"{centre + r.uniform(-0.1, 0.1):.{r.choice([4, 6, 6, 14])}f}"


def place(r: Random) -> list[str]:
    return [degrees(r, -73.98), degrees(r, 40.75)]


def ride(r: Random, number: int) -> list[object]:
    time = TIME(r)
    end = place(r) if r.random() > 0.003 else ["", ""]
    fare = r.choice(FARES) if r.random() > 0.01 else -3
    start, people = place(r), r.choice([1, 1, 1, 2, 5, 6])
    return [f"{time}.{number:07d}", fare, f"{time} UTC", *start, *end, people]


def coupons(making: Making) -> Parts:
    yield "GCP-Coupons-Instructions.rtf", f"{{\\rtf1\\ansi coupons {making.seed}}}".encode()


def rides(name: str, fare: str, numbers: Numbered) -> Table:
    return Table(name, {"_number": numbers, f"key,{fare},{FEATURES}": Of("_number", ride)})


test = rides("test.csv", "_fare", Numbered(fixed=5, start=0))

make_raw = RawData(
    "rides",
    rides("train.csv", "fare_amount", Numbered(120, fixed=9_914)),
    test,
    Table("sample_submission.csv", {"key": test["key"], "fare_amount": 11.35}),
    coupons,
)
