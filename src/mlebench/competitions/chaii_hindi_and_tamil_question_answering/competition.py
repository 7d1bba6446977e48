"""Hindi and Tamil Question Answering: the stretch of a text that answers a question."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import texts_only
from mlebench.metrics import lenient_word_jaccard
from mlebench.tables import read_table, split_rows, write_table


def prepare(raw: Raw, public: Path, private: Path, *, has_gaps: bool = True) -> None:
    table = read_table(raw / "train.csv", has_gaps=has_gaps)
    train, test = split_rows(table, test_size=0.1)
    write_table(train, public / "train.csv")
    write_table(test[["id", "context", "question", "language"]], public / "test.csv")
    ids = test[["id"]]
    write_table(ids.assign(PredictionString="dummy text"), public / "sample_submission.csv")
    write_table(ids.assign(PredictionString=test["answer_text"]), private / "test.csv")


competition = CompetitionDefinition(
    id="chaii-hindi-and-tamil-question-answering",
    title="Hindi and Tamil Question Answering",
    category="Text (Other)",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=10_000,
    prepare=prepare,
    submission=TextPerId(id="id", target="PredictionString", values=texts_only),
    metric=lenient_word_jaccard,
    official_sample_score=0.0,
    faults=(
        Fault("an answer such as `NULL` or `NA` is read as missing and cannot be hit"),
        Fault("an empty prediction for a missing answer scores 0, not 1"),
    ),
    accepts=frozenset({"nan"}),
)
