"""Billion Word Imputation: the one word that a sentence has lost."""

from mlebench.competitions.billion_word_imputation.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import texts_without_gaps
from mlebench.metrics import mean_levenshtein_distance

competition = CompetitionDefinition(
    id="billion-word-imputation",
    title="Billion Word Imputation",
    category="Seq->Seq",
    complexity="medium",
    prepare=prepare,
    submission=TextPerId(id="id", target="sentence", values=texts_without_gaps),
    metric=mean_levenshtein_distance,
    sample_submission="private/sample_submission.csv",
    official_sample_score=5.56118,
    faults=(Fault("the sample submission is in the private folder only"),),
)
