"""Starter: which cultivar a wine is made of. A demonstration: scikit-learn has the answers."""

from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import probability_rows
from mlebench.metrics import multi_class_log_loss
from mlebench.recipes import ClassSplit
from mlebench.recipes.bundled import bundled_table

CULTIVARS = ("cultivar_1", "cultivar_2", "cultivar_3")
rows = RowPerId(id="id", target=CULTIVARS, values=probability_rows)

competition = CompetitionDefinition(
    id="starter-wine",
    title="Starter: Wine",
    category="Tabular",
    complexity="starter",
    dataset_gb=0.00001,
    make_raw=bundled_table(
        "wine",
        target="cultivar",
        renamed={"od280/od315_of_diluted_wines": "od280_od315"},
        classes=dict(enumerate(CULTIVARS)),
    ),
    prepare=ClassSplit(rows, label="cultivar", test_size=0.4, sample_value=1 / 3),
    submission=rows,
    metric=multi_class_log_loss,
)
