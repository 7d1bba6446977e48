"""TensorFlow 2.0 Question Answering: the passage and the phrase that answer a search question."""

from mlebench.competitions.tensorflow2_question_answering.format import AnswerRows
from mlebench.competitions.tensorflow2_question_answering.metric import share_of_right_answers
from mlebench.competitions.tensorflow2_question_answering.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault

competition = CompetitionDefinition(
    id="tensorflow2-question-answering",
    title="TensorFlow 2.0 Question Answering",
    category="Text (Other)",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=50_000,
    prepare=prepare,
    submission=AnswerRows(),
    metric=share_of_right_answers,
    answers="private/test.jsonl",
    gold_submission="private/gold_submission.csv",
    official_sample_score=0.57117,
    faults=(
        Fault("micro F1 over answered and unanswered rows, which is plain accuracy"),
        Fault("a file without any answer scores 0.57, more than many honest attempts"),
    ),
    accepts=frozenset({"nan"}),
)
