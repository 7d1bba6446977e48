"""Rehearsal data: whale flukes, very few photos per individual, and a catch-all new_whale."""

from mlebench.rehearsal import FilePerId, Making, Parts, Table, hex_id, jpeg, raw_data

SAMPLE = "new_whale w_1287fbc w_98baff9 w_7554f44 w_1eafe46"


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r = making.r
    whales = [f"w_{hex_id(r, 7)}" for _ in range(62 * making.scale)]
    counts = r.choices([1, 2, 3, 4, 7, 12], [45, 25, 12, 6, 2, 1], k=len(whales))
    labels = [whale for whale, count in zip(whales, counts, strict=True) for _ in range(count)]
    labels += ["new_whale"] * (14 * making.scale)
    names = sorted(f"{hex_id(r, 8)}.jpg" for _ in labels)
    r.shuffle(labels)
    yield FilePerId("train/{}", names, jpeg)
    yield Table("train.csv", {"Image": names, "Id": labels})
    test = [f"{hex_id(r, 8)}.jpg" for _ in range(6)]
    yield FilePerId("test/{}", test, jpeg)
    yield Table("sample_submission.csv", {"Image": test, "Id": SAMPLE})
