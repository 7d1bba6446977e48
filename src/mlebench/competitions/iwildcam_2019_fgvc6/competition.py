"""iWildCam 2019: the animal on a picture of a camera trap at a place never seen before."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import truncated_numbers
from mlebench.metrics import macro_f1
from mlebench.recipes import ZippedFiles
from mlebench.tables import read_table, split_groups, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    parts = split_groups(read_table(raw / "train.csv"), "location", test_size=0.1, seed=8)
    train, test = parts
    write_table(train, public / "train.csv")
    write_table(test, private / "test.csv")
    write_table(test.drop(columns="category_id"), public / "test.csv")
    answers = test[["id", "category_id"]].set_axis(["Id", "Category"], axis=1)
    write_table(answers, private / "answers.csv")
    sample = answers.assign(Category=0)
    # The published sample was written with its index: row numbers under an empty name.
    sample.insert(0, "", sample.index)
    write_table(sample, public / "sample_submission.csv")
    ZippedFiles("train_images.zip", "{}.jpg", "id")(raw, parts, public)


competition = CompetitionDefinition(
    id="iwildcam-2019-fgvc6",
    title="iWildCam 2019 - FGVC6",
    category="Image Classification",
    complexity="high",
    prepare=prepare,
    submission=RowPerId(id="Id", target="Category", values=truncated_numbers),
    metric=macro_f1,
    answers="private/answers.csv",
    official_sample_score=0.02315,
    faults=(
        Fault("the sample submission has an unnamed column of row numbers"),
        Fault("the column is called Category, where the task text says Predicted"),
        Fault("a class number with a fraction is truncated instead of being refused"),
    ),
)
