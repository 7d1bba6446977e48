"""Plant Seedlings Classification: the species of a seedling on a photograph."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import some_class_names
from mlebench.metrics import micro_f1
from mlebench.tables import split_rows, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    train, test = split_rows(list_images(raw), test_size=0.14)
    write(train, test, public, private)


def list_images(raw: Raw) -> list[Raw]:
    """All labelled images, species by species."""
    folders = (raw / "train").folders()
    return [image for folder in folders for image in folder.files("*.png")]


def write(train: list[Raw], test: list[Raw], public: Path, private: Path) -> None:
    """Write the images and tables of both parts."""
    import pandas as pd

    copy_files({f"{i.parent_name}/{i.name}": i for i in train}, public / "train")
    copy_files({i.name: i for i in test}, public / "test")
    names, species = [i.name for i in test], [i.parent_name for i in test]
    answers = pd.DataFrame({"file": names, "species": species})
    write_table(answers, private / "answers.csv")
    write_table(answers.assign(species="Sugar beet"), public / "sample_submission.csv")


competition = CompetitionDefinition(
    id="plant-seedlings-classification",
    title="Plant Seedlings Classification",
    category="Image Classification",
    complexity="dev",
    prepare=prepare,
    submission=TextPerId(id="file", target="species", values=some_class_names),
    metric=micro_f1,
    answers="private/answers.csv",
    official_sample_score=0.07057,
    faults=(Fault("an empty species among names is accepted and counts as wrong"),),
    accepts=frozenset({"nan"}),
)
