"""Rehearsal data: MRI slices in folders of case and day, three organs a slice as run lengths."""

from mlebench.rehearsal import Making, Parts, Png, Random, csv_file, raw_data, run_lengths
from mlebench.tables import split_positions

CLASSES = ["large_bowel", "small_bowel", "stomach"]
SIZES = [(16, 12, "1.50_1.50"), (14, 14, "1.63_1.63"), (12, 15, "1.50_1.50")]


def mask(r: Random, width: int, height: int) -> str:
    left, top = r.randrange(width - 3), r.randrange(height - 3)
    right, bottom = left + r.randrange(2, 6), top + r.randrange(2, 6)
    columns, rows = range(left, min(width, right)), range(top, min(height, bottom))
    return run_lengths(x * height + y + 1 for x in columns for y in rows if r.random() < 0.9)


@raw_data("cases")
def make_raw(making: Making) -> Parts:
    r, pictures, rows, count = making.r, making.stream("pictures"), [], 11 * making.scale
    # Two cases that the split, which is by position, leaves in train have more than four days.
    train = sorted(split_positions(count, test_size=0.1, seed=42)[0].tolist())
    many = {train[1]: 6, train[4]: 5}
    for position, number in enumerate(r.sample(range(2, max(157, 2 + count)), count)):
        few = r.choice([1, 2])
        days = r.sample(range(0, 40), many.get(position, few))
        r.shuffle(days)
        for day in days:
            name = f"case{number}_day{day}"
            width, height, spacing = r.choice(SIZES)
            for k in range(1, 5):
                file = f"slice_{k:04d}_{width}_{height}_{spacing}.png"
                scan = Png(width, height, "I;16", lambda x, y: pictures.randrange(4000))
                yield f"train/case{number}/{name}/scans/{file}", scan(pictures)
                for organ in CLASSES:
                    has_mask = k > 1 and r.random() < 0.5
                    found = mask(r, width, height) if has_mask else ""
                    rows.append((f"{name}_slice_{k:04d}", organ, found))
    yield csv_file("train.csv", "id,class,segmentation", rows)
    yield csv_file("sample_submission.csv", "id,class,predicted", [])
