"""Herbarium 2020: the species of pressed plants of the New York Botanical Garden."""

from functools import partial
from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import truncated_numbers
from mlebench.metrics import macro_f1
from mlebench.recipes.coco import decode_mixed, split_sheets, write_numbered_answers


def prepare(raw: Raw, public: Path, private: Path, *, is_revised: bool = False) -> None:
    # The metadata is not valid UTF-8, and the published preparation reads it as Latin-1.
    categories = split_sheets(
        raw / "nybg2020",
        public / "nybg2020",
        decode=decode_mixed if is_revised else partial(str, encoding="latin-1"),
        numbered_by_hash=is_revised,
    )
    write_numbered_answers(categories, public, private, sample_value=0)


competition = CompetitionDefinition(
    id="herbarium-2020-fgvc7",
    title="Herbarium 2020 - FGVC7",
    category="Image Classification",
    complexity="medium",
    prepare=prepare,
    submission=RowPerId(id="Id", target="Predicted", values=truncated_numbers),
    metric=macro_f1,
    answers="private/answers.csv",
    official_sample_score=0.0,
    faults=(
        Fault("UTF-8 names are read as Latin-1, so each accented letter becomes two"),
        Fault("species with a single image never reach the test set"),
        Fault("test images are not capped at ten per species as in the original contest"),
        Fault("a class number with a fraction is truncated instead of being refused"),
    ),
)
