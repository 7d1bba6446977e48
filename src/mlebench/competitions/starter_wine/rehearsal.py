"""Rehearsal data: thirteen measured columns and three classes that one of them tells about."""

from mlebench.rehearsal import Numbered, Random, RawData, Table

COLUMNS = (
    "alcohol,malic_acid,ash,alcalinity_of_ash,magnesium,total_phenols,flavanoids,"
    "nonflavanoid_phenols,proanthocyanins,color_intensity,hue,od280_od315,proline,cultivar"
)


def measured(r: Random) -> list[object]:
    cultivar = r.randrange(1, 4)
    cells = [round(r.uniform(0.5, 15), 2) for _ in range(12)]
    return [round(11 + cultivar + r.gauss(0, 0.5), 2), *cells, f"cultivar_{cultivar}"]


make_raw = RawData("rows", Table("train.csv", {"id": Numbered(100), COLUMNS: measured}))
