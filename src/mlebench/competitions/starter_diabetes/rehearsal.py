"""Rehearsal data: ten measured columns and a number that two of them tell about."""

from mlebench.rehearsal import Numbered, Random, RawData, Table

COLUMNS = (
    "age,sex,bmi,blood_pressure,total_cholesterol,ldl,hdl,cholesterol_ratio,log_triglycerides,"
    "blood_sugar,progression"
)


def measured(r: Random) -> list[float]:
    bmi, fats = round(r.uniform(18, 42), 1), round(r.uniform(3.2, 6.1), 4)
    cells = [float(r.randrange(19, 80)), float(r.randrange(1, 3)), bmi]
    cells += [float(r.randrange(60, 250)) for _ in range(5)]
    cells += [fats, float(r.randrange(58, 125))]
    return [*cells, float(round(4 * bmi + 40 * fats - 130 + r.gauss(0, 40)))]


make_raw = RawData("rows", Table("train.csv", {"id": Numbered(150), COLUMNS: measured}))
