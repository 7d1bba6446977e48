"""Rehearsal data: breaths of 80 time steps on a ventilator, to predict the airway pressure."""

from collections.abc import Iterator

from mlebench.rehearsal import Making, Parts, Random, csv_file, raw_data

COLUMNS = "id,breath_id,R,C,time_step,u_in,u_out"


def valve(r: Random, step: int) -> float:
    if r.random() < 0.1:
        return 0.0
    return 100.0 if r.random() < 0.02 else abs(20 / (1 + step / 5) + r.uniform(-2, 2))


def breaths(r: Random, first: int, count: int) -> Iterator[list[object]]:
    """The rows of breaths, whose numbers are not sorted, to test the order of grouping."""
    row = 0
    for breath in r.sample(range(first, first + 3 * count), count):
        lung = r.choice([5, 20, 50]), r.choice([10, 20, 50])
        time, peak = 0.0, r.uniform(5, 35)
        for step in range(80):
            row, u_in, u_out = row + 1, valve(r, step), int(step >= 30 + breath % 3)
            pressure = 5.0 + peak * step / 32 if step < 32 else 6.0 + r.uniform(-0.5, 0.5)
            pressure += r.uniform(-0.1, 0.1)
            yield [row, breath, *lung, repr(time), repr(u_in), u_out, repr(pressure)]
            time += 0.033 + r.uniform(0, 0.001)


@raw_data("breaths")
def make_raw(making: Making) -> Parts:
    train = breaths(making.r, 1, 35 * making.scale)
    yield csv_file("train.csv", f"{COLUMNS},pressure", train)
    yield csv_file("test.csv", COLUMNS, (row[:-1] for row in breaths(making.r, 1000, 2)))
    yield csv_file("sample_submission.csv", "id,pressure", ((i, 0) for i in range(1, 161)))
