"""Herbarium 2022: the taxon of pressed vascular plants of North America."""

from mlebench.competitions.herbarium_2022_fgvc9.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import truncated_numbers
from mlebench.metrics import macro_f1

competition = CompetitionDefinition(
    id="herbarium-2022-fgvc9",
    title="Herbarium 2022 - FGVC9",
    category="Image Classification",
    complexity="medium",
    prepare=prepare,
    submission=RowPerId(id="Id", target="Predicted", values=truncated_numbers),
    metric=macro_f1,
    answers="private/answers.csv",
    official_sample_score=0.0,
    faults=(Fault("a class number with a fraction is truncated instead of being refused"),),
)
