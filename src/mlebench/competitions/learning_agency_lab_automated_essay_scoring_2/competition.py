"""Automated Essay Scoring 2.0: the grade, 1 to 6, that readers gave a student's essay."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import signed_whole_numbers
from mlebench.metrics import quadratic_kappa
from mlebench.tables import read_table, split_rows, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    import numpy as np

    train, test = split_rows(read_table(raw / "train.csv"), test_size=0.1)
    write_table(train, public / "train.csv")
    write_table(test.drop(columns="score"), public / "test.csv")
    write_table(test, private / "answers.csv")
    guesses = np.random.RandomState(42).randint(1, 7, size=len(test))
    write_table(test[["essay_id"]].assign(score=guesses), public / "sample_submission.csv")


competition = CompetitionDefinition(
    id="learning-agency-lab-automated-essay-scoring-2",
    title="Learning Agency Lab - Automated Essay Scoring 2.0",
    category="Text Classification",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=50_000,
    prepare=prepare,
    submission=RowPerId(id="essay_id", target="score", values=signed_whole_numbers),
    metric=quadratic_kappa,
    answers="private/answers.csv",
    official_sample_score=0.01323,
    faults=(
        Fault("kappa weighs labels by their place among those found, not by their value"),
        Fault("scores outside 1 to 6 are accepted as further labels"),
    ),
)
