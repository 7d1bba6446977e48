"""Revision v1.1: a plain sample submission, and class numbers without fractions."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.iwildcam_2019_fgvc6.competition import prepare as prepare_v1
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import signed_whole_numbers
from mlebench.revision import EASIER_TEST, WHOLE_CLASSES, Changes, Fix
from mlebench.tables import read_table, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    prepare_v1(raw, public, private)
    sample = public / "sample_submission.csv"
    write_table(read_table(sample)[["Id", "Category"]], sample)


changes = Changes(
    fixes=(
        Fix(
            "the sample submission has a column of row numbers without a name",
            "the sample submission has the columns Id and Category",
        ),
        Fix(
            "Kaggle's text calls the predicted column Predicted, which the grader refuses",
            "the description names the column Category, as the sample submission does",
        ),
        WHOLE_CLASSES,
    ),
    flags=(EASIER_TEST,),
    prepare=prepare,
    submission=RowPerId(id="Id", target="Category", values=signed_whole_numbers),
    passages={
        "Further columns are ignored, such as the unnamed column of row numbers in the sample.": (
            "Further columns are refused."
        ),
        "or a label is empty or a word. A fraction is cut off: 3.9 counts as 3.": (
            "or a label is empty, a word or has a fraction."
        ),
        "Other columns are ignored; the sample has an unnamed one with row numbers.": (
            "Other columns are refused."
        ),
        "or if a label is empty or textual. Fractions are cut off, so 3.9 is read as 3.": (
            "or if a label is empty, textual or fractional."
        ),
    },
)
