"""Rehearsal data: simulated machine states.

The split takes exactly 100,000 test rows, so there are a little more rows than that, each short.
"""

from mlebench.rehearsal import Making, Parts, Random, lines_file, raw_data

COLUMNS = ["id", *(f"f_{number:02d}" for number in range(31)), "target"]
COUNTS = {*range(7, 19), 29, 30}


def cell(r: Random, column: int) -> str:
    if column == 27:
        return "".join(r.choice("ABCDEFGHIJ") for _ in range(4))
    if column in COUNTS:
        return str(r.randrange(3 if column == 30 else 12))
    # Continuous columns in mixed styles: long, short, with exponent, whole.
    value = r.gauss(0, 1)
    long = f"{value:.12f}" if r.random() < 0.1 else f"{value:.3f}"
    return r.choice([f"{value:.2f}", f"{value:.1f}", long, f"{value:.1e}", "0.0"])


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r, count = making.r, 100_000 + 400 * making.scale + making.seed
    pool = [",".join(cell(r, column) for column in range(1, 31)) for _ in range(500)]
    lines = [",".join(COLUMNS)]
    for i in range(count):
        target = int(r.random() < 0.49)
        lines.append(f"{i},{r.random() * 4 - 2:.4f},{pool[r.randrange(500)]},{target}")
    yield lines_file("train.csv", lines)
    test = range(count, count + 50)
    rows = [f"{i},{r.random() * 4 - 2:.4f},{pool[r.randrange(500)]}" for i in test]
    yield lines_file("test.csv", [",".join(COLUMNS[:-1]), *rows])
    yield lines_file("sample_submission.csv", ["id,target", *(f"{i},0.5" for i in test)])
