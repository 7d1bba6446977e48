"""Rehearsal data: MRI slices in folders of case and day, three organs a slice as run lengths."""

import math

from mlebench.rehearsal import Files, Making, Random, csv_file, png, raw_data, run_lengths

CLASSES = ["large_bowel", "small_bowel", "stomach"]
SIZES = [(16, 12, "1.50_1.50"), (14, 14, "1.63_1.63"), (12, 15, "1.50_1.50")]


def mask(r: Random, width: int, height: int) -> str:
    left, top = r.randrange(width - 3), r.randrange(height - 3)
    right, bottom = left + r.randrange(2, 6), top + r.randrange(2, 6)
    columns, rows = range(left, min(width, right)), range(top, min(height, bottom))
    return run_lengths(x * height + y + 1 for x in columns for y in rows if r.random() < 0.9)


def many_days(count: int) -> dict[int, int]:
    """Two cases with more than four days that the split, which is by position, leaves in train."""
    import numpy as np

    test = set(np.random.RandomState(42).permutation(count)[: math.ceil(0.1 * count)].tolist())
    kept = [number for number in range(count) if number not in test]
    return {kept[1]: 6, kept[4]: 5}


@raw_data("cases")
def make_raw(making: Making) -> Files:
    r, pictures, rows = making.r, making.stream("pictures"), []
    count = 11 * making.scale
    many = many_days(count)
    for position, number in enumerate(r.sample(range(2, 157), count)):
        few = r.choice([1, 2])
        days = r.sample(range(0, 40), many.get(position, few))
        r.shuffle(days)
        for day in days:
            name = f"case{number}_day{day}"
            width, height, spacing = r.choice(SIZES)
            for k in range(1, 5):
                file = f"slice_{k:04d}_{width}_{height}_{spacing}.png"
                scan = png(width, height, pictures, "I;16", lambda x, y: pictures.randrange(4000))
                yield f"train/case{number}/{name}/scans/{file}", scan
                for organ in CLASSES:
                    has_mask = k > 1 and r.random() < 0.5
                    found = mask(r, width, height) if has_mask else ""
                    rows.append((f"{name}_slice_{k:04d}", organ, found))
    yield csv_file("train.csv", "id,class,segmentation", rows)
    yield csv_file("sample_submission.csv", "id,class,predicted", [])
