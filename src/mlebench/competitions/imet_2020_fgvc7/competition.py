"""iMet Collection 2020: all attributes of a photographed museum object."""

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import texts_only
from mlebench.metrics import label_set_micro_f1
from mlebench.recipes import Copies, Files, LabelSplit, Recipe

rows = TextPerId(id="id", target="attribute_ids", values=texts_only)

competition = CompetitionDefinition(
    id="imet-2020-fgvc7",
    title="iMet Collection 2020 - FGVC7",
    category="Image Classification",
    complexity="medium",
    competition_type="code",
    prepare=Recipe(
        LabelSplit(rows, test_size=0.15, sample_value="0 1 2", answers="answers.csv"),
        Files("train/{}.png", rows.id),
        Copies("labels.csv"),
    ),
    submission=rows,
    metric=label_set_micro_f1,
    answers="private/answers.csv",
    official_sample_score=0.00006,
    faults=(
        Fault("predicted attributes that no test image has are dropped and cost nothing"),
        Fault("a file with a single number in every cell is refused"),
    ),
    accepts=frozenset({"nan"}),
)
