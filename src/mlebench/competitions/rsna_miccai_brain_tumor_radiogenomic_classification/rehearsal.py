"""Rehearsal data: brain MRI cases with four scan types; ids are numbers with leading zeros."""

from mlebench.rehearsal import Making, Parts, Random, Table, dicom, raw_data

SCANS = ["FLAIR", "T1w", "T1wCE", "T2w"]


def scan(r: Random, folder: str, kinds: list[str]) -> Parts:
    for kind in kinds:
        first = r.randrange(1, 20)
        count = 2 if kind == "FLAIR" and r.random() < 0.2 else 1
        for number in range(first, first + count):
            yield f"{folder}/{kind}/Image-{number}.dcm", dicom(r)


@raw_data("cases")
def make_raw(making: Making) -> Parts:
    r, scale = making.r, making.scale
    cases = [f"{k:05d}" for k in sorted(r.sample(range(1010 * scale), 110 * scale))]
    for number, case in enumerate(cases):
        # Only every tenth case has all four scans, to keep the number of files small.
        yield from scan(r, f"train/{case}", SCANS if number % 10 == 0 else [r.choice(SCANS)])
    labels = [(1 - k % 2) if r.random() < 0.7 else r.randrange(2) for k in range(len(cases))]
    yield Table("train_labels.csv", {"BraTS21ID": cases, "MGMT_value": labels})
    test = [f"{2000 * scale + number:05d}" for number in (0, 1)]
    for case in test:
        yield from scan(r, f"test/{case}", SCANS)
    yield Table("sample_submission.csv", {"BraTS21ID": test, "MGMT_value": 0.5})
