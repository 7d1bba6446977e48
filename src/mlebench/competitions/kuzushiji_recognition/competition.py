"""Kuzushiji Recognition: every character on a page of old cursive Japanese, and where it is."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.kuzushiji_recognition.format import predicted_points, true_boxes
from mlebench.competitions.kuzushiji_recognition.metric import character_f1
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.recipes import Copies, LabelSplit, Recipe, ZippedFiles
from mlebench.tables import write_table

rows = RowPerId(id="image_id", target="labels", values=predicted_points, truth=true_boxes)
recipe = Recipe(
    LabelSplit(rows, sample_value="U+003F 1 1 U+FF2F 2 2"),
    ZippedFiles("train_images.zip", "{}.jpg", rows.id),
    Copies("unicode_translation.csv"),
)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    _, test = recipe(raw, public, private)
    gold = test.assign(labels=test["labels"].fillna("").map(points_in_boxes))
    write_table(gold, private / "gold_submission.csv")


def points_in_boxes(labels: str) -> str:
    """A point inside of each true box: one pixel from its corner."""
    words = labels.split()
    characters = zip(words[::5], words[1::5], words[2::5], strict=True)
    return " ".join(f"{code} {int(x) + 1} {int(y) + 1}" for code, x, y in characters)


competition = CompetitionDefinition(
    id="kuzushiji-recognition",
    title="Kuzushiji Recognition",
    category="Object Detection",
    complexity="medium",
    prize_usd=15_000,
    prepare=prepare,
    submission=rows,
    metric=character_f1,
    rounding="python",
    gold_submission="private/gold_submission.csv",
    official_sample_score=0.0,
    faults=(
        Fault("the task allows at most 1,200 predictions per page, but any number counts"),
        Fault("a double, leading or trailing blank makes the whole file invalid"),
        Fault("the published preparation stops at a test page without labels"),
    ),
    accepts=frozenset({"nan"}),
)
