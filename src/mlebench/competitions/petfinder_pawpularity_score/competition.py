"""PetFinder Pawpularity: how popular a pet's adoption profile is, judged by its photo."""

from pathlib import Path

from mlebench.archives.copying import copy_split
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import numbers_between
from mlebench.metrics import root_mean_squared_error
from mlebench.tables import read_table, split_rows, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    import numpy as np

    train, test = split_rows(read_table(raw / "train.csv"), test_size=0.1)
    write_table(train, public / "train.csv")
    write_table(test.drop(columns="Pawpularity"), public / "test.csv")
    write_table(test, private / "test.csv")
    guesses = np.random.default_rng(0).uniform(1, 100, len(test)).round(2)
    write_table(test[["Id"]].assign(Pawpularity=guesses), public / "sample_submission.csv")
    copy_split(raw, "train/{}.jpg", public, train=train["Id"], test=test["Id"])


competition = CompetitionDefinition(
    id="petfinder-pawpularity-score",
    title="PetFinder.my - Pawpularity Contest",
    category="Image Regression",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=25_000,
    prepare=prepare,
    submission=RowPerId(id="Id", target="Pawpularity", values=numbers_between(1, 100)),
    metric=root_mean_squared_error,
    official_sample_score=37.37587,
    faults=(Fault("predictions outside 1 to 100 are refused, which Kaggle allowed"),),
)
