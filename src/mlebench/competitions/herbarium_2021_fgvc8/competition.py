"""Herbarium 2021: the species of pressed plants of the Americas and Oceania."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import truncated_numbers
from mlebench.metrics import macro_f1
from mlebench.recipes.coco import split_sheets, write_numbered_answers


def prepare(raw: Raw, public: Path, private: Path, *, numbered_by_hash: bool = False) -> None:
    categories = split_sheets(raw, public, numbered_by_hash=numbered_by_hash)
    write_numbered_answers(categories, public, private, sample_value=0)


competition = CompetitionDefinition(
    id="herbarium-2021-fgvc8",
    title="Herbarium 2021 - FGVC8",
    category="Image Classification",
    complexity="medium",
    prepare=prepare,
    submission=RowPerId(id="Id", target="Predicted", values=truncated_numbers),
    metric=macro_f1,
    answers="private/answers.csv",
    official_sample_score=0.0,
    faults=(
        Fault("test ids are texts in the metadata and numbers in the tables"),
        Fault("species with a single image never reach the test set"),
        Fault("a class number with a fraction is truncated instead of being refused"),
    ),
)
