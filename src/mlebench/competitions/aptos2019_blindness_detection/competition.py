"""APTOS 2019 Blindness Detection: the grade of diabetic retinopathy on a retina photograph."""

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import signed_whole_numbers
from mlebench.metrics import quadratic_kappa
from mlebench.recipes import Files, Recipe, TableSplit

rows = RowPerId(id="id_code", target="diagnosis", values=signed_whole_numbers)

competition = CompetitionDefinition(
    id="aptos2019-blindness-detection",
    title="APTOS 2019 Blindness Detection",
    category="Image Classification",
    complexity="low",
    competition_type="code",
    awards_medals=True,
    prize_usd=50_000,
    dataset_gb=10.22,
    prepare=Recipe(TableSplit(rows), Files("train_images/{}.png", rows.id)),
    submission=rows,
    metric=quadratic_kappa,
    official_sample_score=0.0,
    faults=(
        Fault("kappa weighs grades by their place among those found, not by their value"),
        Fault("grades outside 0 to 4 are accepted as further labels"),
    ),
)
