"""Plant Pathology 2021: all diseases that show on an apple leaf."""

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import texts_only
from mlebench.metrics import label_set_micro_f1
from mlebench.recipes import Files, LabelSplit, Recipe

rows = TextPerId(id="image", target="labels", values=texts_only)

competition = CompetitionDefinition(
    id="plant-pathology-2021-fgvc8",
    title="Plant Pathology 2021 - FGVC8",
    category="Image Classification",
    complexity="medium",
    competition_type="code",
    prepare=Recipe(
        LabelSplit(rows, test_size=0.2, sample_value="healthy", answers="answers.csv"),
        Files("train_images/{}", rows.id),
    ),
    submission=rows,
    metric=label_set_micro_f1,
    answers="private/answers.csv",
    official_sample_score=0.24507,
    faults=(
        Fault("micro F1 over all labels, where the original task has a mean F1 by image"),
        Fault("predicted words that are not labels of a test image cost nothing"),
    ),
    accepts=frozenset({"nan"}),
)
