"""LMSYS Chatbot Arena: which of two answers of language models a person preferred."""

from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import rounded_probability_rows
from mlebench.metrics import multi_class_log_loss
from mlebench.recipes import TableSplit

OUTCOMES = ("winner_model_a", "winner_model_b", "winner_tie")
rows = RowPerId(id="id", target=OUTCOMES, values=rounded_probability_rows(6))

competition = CompetitionDefinition(
    id="lmsys-chatbot-arena",
    title="LMSYS - Chatbot Arena Human Preference Predictions",
    category="Text Classification",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=100_000,
    prepare=TableSplit(
        rows, sample_value=1 / 3, answers="answers.csv", hidden=("model_a", "model_b")
    ),
    submission=rows,
    metric=multi_class_log_loss,
    rounding="python",
    answers="private/answers.csv",
    official_sample_score=1.09861,
)
