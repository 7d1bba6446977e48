"""Hotel-ID to Combat Human Trafficking 2021: which hotel a photographed room belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import Aligned, TextPerId
from mlebench.formats.matching import sorting_order
from mlebench.formats.values import printed_texts
from mlebench.metrics import mean_average_precision_at
from mlebench.recipes import ClassFolders, LabelSplit
from mlebench.tables import read_table, split_rows

if TYPE_CHECKING:
    import pandas as pd


class GuessesByPicture(TextPerId):
    """Like TextPerId, but both sides are sorted by id.

    Many scores are halfway between two values of five digits, and the order of the terms of a sum
    decides to which side the last bit falls.
    """

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        truth, prediction, warnings = super().align(submission, answers)
        order = sorting_order(answers[self.id])
        return Aligned(truth[order], prediction[order], warnings)


LISTED_TWICE = "ce27d36c9147cc19.jpg"
rows = GuessesByPicture(id="image", target="hotel_id", values=printed_texts)
tables = LabelSplit(rows, sample_value="36363 53586 18807 64314 60181")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    table = read_table(raw / "train.csv")
    parts = split_rows(table[table["image"] != LISTED_TWICE], test_size=0.1)
    tables.write(parts, public, private)
    # The folder is the chain, which is not published for test images.
    ClassFolders("train_images", "chain", "image")(raw, parts, public)


competition = CompetitionDefinition(
    id="hotel-id-2021-fgvc8",
    title="Hotel-ID to Combat Human Trafficking 2021 - FGVC8",
    category="Image Classification",
    complexity="medium",
    competition_type="code",
    prepare=prepare,
    submission=rows,
    metric=mean_average_precision_at(5),
    official_sample_score=0.00232,
    faults=(
        Fault("ids are compared as text: a column read as floats (`36363.0`) never matches"),
        Fault("a second blank between two guesses makes an empty guess that takes a rank"),
    ),
    accepts=frozenset({"nan"}),
)
