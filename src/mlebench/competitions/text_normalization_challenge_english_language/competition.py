"""Text Normalization Challenge - English Language: how a written token is spoken."""

from mlebench.competitions.text_normalization_challenge_english_language.prepare import (
    prepare_language,
)
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.clusters import Clusters, before_first
from mlebench.formats.values import printed_texts
from mlebench.metrics import text_accuracy

competition = CompetitionDefinition(
    id="text-normalization-challenge-english-language",
    title="Text Normalization Challenge - English Language",
    category="Seq->Seq",
    complexity="low",
    dataset_gb=0.01,
    awards_medals=True,
    prize_usd=25_000,
    prepare=prepare_language("en"),
    submission=TextPerId(id="id", target="after", values=printed_texts),
    metric=text_accuracy,
    clusters=Clusters("sentence", "id", before_first("_")),
    rounding="python",
    answers="private/answers.csv",
    sample_submission="private/sample_submission.csv",
    official_sample_score=0.93326,
    faults=(
        Fault("tokens such as `NA` and `null` are blank in all files, and right when blank"),
        Fault("the public folder has no loose sample submission, only a zipped one"),
        Fault("a column of nothing but numbers is compared as pandas prints it"),
    ),
    accepts=frozenset({"nan", "renumbered"}),
)
