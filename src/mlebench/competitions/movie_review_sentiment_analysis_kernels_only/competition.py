"""Movie Review Sentiment Analysis: how a phrase from a film review feels, in five grades."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import zip_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import never_equal, whole_numbers
from mlebench.formats.clusters import Clusters
from mlebench.metrics import accuracy
from mlebench.tables import format_table, read_zipped_table, split_rows, write_table

if TYPE_CHECKING:
    import pandas as pd


def prepare(raw: Raw, public: Path, private: Path) -> None:
    phrases = read_zipped_table(raw / "train.tsv.zip", sep="\t")
    train, test = split_rows(phrases, test_size=0.3)
    write(train, test, public, private)


def write(train: pd.DataFrame, test: pd.DataFrame, public: Path, private: Path) -> None:
    """Write the tables of both parts and a sample submission."""
    for name, part in (("train.tsv", train), ("test.tsv", test.drop(columns="Sentiment"))):
        zip_files({name: format_table(part, sep="\t").encode()}, public / f"{name}.zip")
    write_table(test, private / "answers.csv")
    write_table(test[["PhraseId"]].assign(Sentiment=2), public / "sampleSubmission.csv")


competition = CompetitionDefinition(
    id="movie-review-sentiment-analysis-kernels-only",
    title="Movie Review Sentiment Analysis (Kernels Only)",
    category="Text Classification",
    complexity="dev",
    competition_type="code",
    prepare=prepare,
    submission=RowPerId(
        id="PhraseId", target="Sentiment", values=whole_numbers, odd_values=never_equal
    ),
    metric=accuracy,
    clusters=Clusters("sentence", "SentenceId"),
    rounding="python",
    answers="private/answers.csv",
    sample_submission="public/sampleSubmission.csv",
    official_sample_score=0.51314,
    faults=(
        Fault("phrases of one sentence are in both parts, so labels leak to the test"),
        Fault("phrases such as `None` and `null` are read as missing values and written empty"),
    ),
)
