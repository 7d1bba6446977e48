"""Starter: which cultivar is a wine made of; a demonstration, scikit-learn ships the answers."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import probability_rows
from mlebench.metrics import multi_class_log_loss
from mlebench.recipes.bundled import bundled_table
from mlebench.tables import one_hot, read_table, split_rows, write_table

CULTIVARS = ("cultivar_1", "cultivar_2", "cultivar_3")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    train, test = split_rows(read_table(raw / "train.csv"), test_size=0.4)
    answers = test[["id"]].assign(**one_hot(test["cultivar"], CULTIVARS))
    write_table(train, public / "train.csv")
    write_table(test.drop(columns="cultivar"), public / "test.csv")
    write_table(answers.assign(**dict.fromkeys(CULTIVARS, 1 / 3)), public / "sample_submission.csv")
    write_table(answers, private / "test.csv")


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
    prepare=prepare,
    submission=RowPerId(id="id", target=CULTIVARS, values=probability_rows),
    metric=multi_class_log_loss,
)
