"""LMSYS Chatbot Arena: which of two answers of language models a person preferred."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import rounded_probability_rows
from mlebench.metrics import multi_class_log_loss
from mlebench.tables import read_table, split_rows, write_table

OUTCOMES = ("winner_model_a", "winner_model_b", "winner_tie")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    train, test = split_rows(read_table(raw / "train.csv"), test_size=0.1)
    write_table(train, public / "train.csv")
    write_table(test[["id", "prompt", "response_a", "response_b"]], public / "test.csv")
    write_table(test, private / "answers.csv")
    write_table(
        test[["id"]].assign(**dict.fromkeys(OUTCOMES, 1 / 3)), public / "sample_submission.csv"
    )


competition = CompetitionDefinition(
    id="lmsys-chatbot-arena",
    title="LMSYS - Chatbot Arena Human Preference Predictions",
    category="Text Classification",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=100_000,
    prepare=prepare,
    submission=RowPerId(id="id", target=OUTCOMES, values=rounded_probability_rows(6)),
    metric=multi_class_log_loss,
    rounding="python",
    answers="private/answers.csv",
    official_sample_score=1.09861,
)
