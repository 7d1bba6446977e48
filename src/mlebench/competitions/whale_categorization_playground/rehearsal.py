"""Rehearsal data: whale flukes, very few photos per individual, and a catch-all new_whale."""

from mlebench.rehearsal import Files, Making, csv_file, hex_id, jpeg, raw_data

SAMPLE = "new_whale w_1287fbc w_98baff9 w_7554f44 w_1eafe46"


@raw_data("rows")
def make_raw(making: Making) -> Files:
    r = making.r
    whales = [f"w_{hex_id(r, 7)}" for _ in range(62 * making.scale)]
    counts = r.choices([1, 2, 3, 4, 7, 12], [45, 25, 12, 6, 2, 1], k=len(whales))
    labels = [whale for whale, count in zip(whales, counts, strict=True) for _ in range(count)]
    labels += ["new_whale"] * (14 * making.scale)
    names = sorted(f"{hex_id(r, 8)}.jpg" for _ in labels)
    r.shuffle(labels)
    for name in names:
        yield f"train/{name}", jpeg(r)
    yield csv_file("train.csv", "Image,Id", zip(names, labels, strict=True))
    test = [f"{hex_id(r, 8)}.jpg" for _ in range(6)]
    for name in test:
        yield f"test/{name}", jpeg(r)
    yield csv_file("sample_submission.csv", "Image,Id", ([name, SAMPLE] for name in test))
