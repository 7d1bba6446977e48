"""Humpback Whale Identification Challenge: which whale a photographed tail fluke belongs to."""

from mlebench.competitions.whale_categorization_playground.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import printed_texts
from mlebench.metrics import mean_average_precision_at

competition = CompetitionDefinition(
    id="whale-categorization-playground",
    title="Humpback Whale Identification Challenge",
    category="Image Classification",
    complexity="medium",
    prepare=prepare,
    submission=TextPerId(id="Image", target="Id", values=printed_texts, exact_columns=True),
    metric=mean_average_precision_at(5),
    official_sample_score=0.11549,
    faults=(
        Fault("the test set is far larger than a tenth: each repeated whale contributes an image"),
        Fault("a second blank between two guesses makes an empty guess that takes a rank"),
    ),
    accepts=frozenset({"nan"}),
)
