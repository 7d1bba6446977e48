"""Rehearsal data. Lung function of patients over the weeks, with a CT scan each; split by patient."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, rng, write_bytes, write_csv

COLUMNS = ["Patient", "Weeks", "FVC", "Percent", "Age", "Sex", "SmokingStatus"]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    import numpy as np

    r = rng(seed, "patients")
    n = 44 * scale
    patients = sorted(
        f"ID{k:05d}{r.randrange(10**17, 10**18)}" for k in r.sample(range(7, 430 * scale), n)
    )
    # the real train file measures a few (patient, week) pairs twice, but no such patient may fall into the test part
    in_test = {patients[k] for k in np.random.RandomState(0).permutation(n)[: -(-n // 10)].tolist()}
    groups = []
    for p in patients:
        rows = []
        age, sex, smoking = (
            r.randrange(49, 88),
            r.choice(["Male", "Male", "Female"]),
            r.choice(["Ex-smoker", "Ex-smoker", "Never smoked", "Currently smokes"]),
        )
        week, fvc, typical = r.randrange(-5, 40), r.randrange(1500, 4500), r.uniform(2500, 4500)
        for k in range(r.randrange(6, 10)):
            rows.append([p, week, fvc, 100 * fvc / typical, age, sex, smoking])
            if p not in in_test and r.random() < 0.05:
                rows.append([p, week, fvc + 40, 100 * (fvc + 40) / typical, age, sex, smoking])
            week, fvc = week + r.randrange(1, 12), max(900, fvc + r.randrange(-250, 120))
        groups.append(rows)
        for k in range(1, r.randrange(3, 5)):
            write_bytes(raw / "train" / p / f"{k}.dcm", blob(r, 40, b"\0" * 16 + b"DICM"))
    # Kaggle's patients and weeks are sorted and complete; these are not, so that sorting and skipped gaps show
    mix = rng(seed, "mix")
    tested = [rows for rows in groups if rows[0][0] in in_test]
    for k, rows in enumerate(tested[:-1] + groups[:3]):
        rows[0][(6, 3)[k % 2]] = ""  # a gap in the first week: SmokingStatus or Percent
    tested[0][1][6] = ""  # and in the second
    for rows in groups:
        mix.shuffle(rows)
    mix.shuffle(groups)
    rows = [row for rows in groups for row in rows]
    write_csv(raw / "train.csv", COLUMNS, rows)
    for p in patients[:2]:  # Kaggle's test patients are copies of training ones
        write_bytes(raw / "test" / p / "1.dcm", blob(r, 40, b"\0" * 16 + b"DICM"))
    firsts = [next(row for row in rows if row[0] == p) for p in patients[:2]]
    write_csv(raw / "test.csv", COLUMNS, firsts)
    write_csv(
        raw / "sample_submission.csv",
        ["Patient_Week", "FVC", "Confidence"],
        ((f"{p}_{w}", 2000, 100) for p in patients[:2] for w in range(-12, 20)),
    )
