"""Rehearsal data: lung function of patients over the weeks, with a CT scan each."""

from typing import Any

from mlebench.rehearsal import FilePerId, Making, Parts, Random, csv_file, dicom, raw_data
from mlebench.tables import split_rows

COLUMNS = "Patient,Weeks,FVC,Percent,Age,Sex,SmokingStatus"
SMOKING = ["Ex-smoker", "Ex-smoker", "Never smoked", "Currently smokes"]


def visits(r: Random, patient: str, *, is_test: bool) -> list[list[Any]]:
    """The rows of a patient; a few weeks are measured twice, but not of a test patient."""
    person = [r.randrange(49, 88), r.choice(["Male", "Male", "Female"]), r.choice(SMOKING)]
    week, fvc, typical = r.randrange(-5, 40), r.randrange(1500, 4500), r.uniform(2500, 4500)
    rows = []
    for _ in range(r.randrange(6, 10)):
        again = [fvc, fvc + 40] if not is_test and r.random() < 0.05 else [fvc]
        rows += [[patient, week, value, 100 * value / typical, *person] for value in again]
        week, fvc = week + r.randrange(1, 12), max(900, fvc + r.randrange(-250, 120))
    return rows


@raw_data("patients")
def make_raw(making: Making) -> Parts:
    r, count, groups = making.r, 44 * making.scale, []
    numbers = r.sample(range(7, 430 * making.scale), count)
    patients = sorted(f"ID{number:05d}{r.randrange(10**17, 10**18)}" for number in numbers)
    _, test = split_rows(patients, test_size=0.1)
    for patient in patients:
        groups.append(visits(r, patient, is_test=patient in test))
        yield FilePerId(f"train/{patient}/{{}}.dcm", range(1, r.randrange(3, 5)), dicom)
    # Kaggle's patients and weeks are sorted and complete. These are not, to test how preparation
    # sorts and skips gaps, which are in SmokingStatus or Percent of a first or second week.
    tested = [rows for rows in groups if rows[0][0] in test]
    for number, rows in enumerate(tested[:-1] + groups[:3]):
        rows[0][(6, 3)[number % 2]] = ""
    tested[0][1][6] = ""
    mix = making.stream("mix")
    for rows in groups:
        mix.shuffle(rows)
    mix.shuffle(groups)
    train = [row for rows in groups for row in rows]
    yield csv_file("train.csv", COLUMNS, train)
    # Kaggle's test patients are copies of training ones.
    copied = patients[:2]
    yield FilePerId("test/{}/1.dcm", copied, dicom)
    firsts = [next(row for row in train if row[0] == patient) for patient in copied]
    yield csv_file("test.csv", COLUMNS, firsts)
    sample = ((f"{i}_{week}", 2000, 100) for i in copied for week in range(-12, 20))
    yield csv_file("sample_submission.csv", "Patient_Week,FVC,Confidence", sample)
