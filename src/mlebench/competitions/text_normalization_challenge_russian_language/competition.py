"""Text Normalization Challenge - Russian Language: how a written token is spoken."""

from mlebench.competitions.text_normalization_challenge_english_language.competition import (
    FAULTS,
    rows,
)
from mlebench.competitions.text_normalization_challenge_english_language.prepare import (
    prepare_language,
)
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.clusters import Clusters, before_first
from mlebench.metrics import text_accuracy

competition = CompetitionDefinition(
    id="text-normalization-challenge-russian-language",
    title="Text Normalization Challenge - Russian Language",
    category="Seq->Seq",
    complexity="low",
    dataset_gb=0.01,
    awards_medals=True,
    prize_usd=25_000,
    prepare=prepare_language("ru"),
    submission=rows,
    metric=text_accuracy,
    clusters=Clusters("sentence", "id", before_first("_")),
    rounding="python",
    answers="private/answers.csv",
    sample_submission="private/sample_submission.csv",
    official_sample_score=0.87501,
    faults=(
        *FAULTS,
        Fault("sentences that occur twice in the corpus may be in both parts"),
    ),
    accepts=frozenset({"nan", "renumbered"}),
)
