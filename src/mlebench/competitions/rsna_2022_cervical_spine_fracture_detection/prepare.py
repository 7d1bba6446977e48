"""CT studies: a tenth of each kind (with boxes, with segmentations, others) goes to train."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.recipes import Folders
from mlebench.tables import read_table, write_table

STUDY = "StudyInstanceUID"
QUESTIONS = ("patient_overall", "C1", "C2", "C3", "C4", "C5", "C6", "C7")
SHARE = 0.1


@dataclass(frozen=True)
class Draw:
    """The studies that go to train, and those among them that keep their extra labels."""

    train: set[str]
    boxed: set[str]
    segmented: set[str]


def prepare(raw: Raw, public: Path, private: Path) -> None:
    write(raw, draw(*find_studies(raw)), public, private)


def find_studies(
    raw: Raw, key: Callable[[str], str | bytes] = str
) -> tuple[list[str], list[str], list[str]]:
    """All studies, then those with boxes and those with a segmentation, both in order of keys."""
    studies = read_table(raw / "train.csv")
    boxes = read_table(raw / "train_bounding_boxes.csv")
    segmentations = [file.stem for file in (raw / "segmentations").files("*.nii")]
    boxed = sorted(boxes[STUDY].unique(), key=key)
    return list(studies[STUDY]), boxed, sorted(segmentations, key=key)


def write(raw: Raw, drawn: Draw, public: Path, private: Path) -> None:
    """Write the tables and studies of both parts."""
    import pandas as pd

    studies = read_table(raw / "train.csv")
    boxes = read_table(raw / "train_bounding_boxes.csv")
    is_train = studies[STUDY].isin(drawn.train)
    train, test = studies[is_train], studies[~is_train]
    write_table(train, public / "train.csv")
    write_table(boxes[boxes[STUDY].isin(drawn.boxed)], public / "train_bounding_boxes.csv")
    answers = pd.concat(
        [
            test[[STUDY]].assign(prediction_type=question, fractured=test[question])
            for question in QUESTIONS
        ]
    )
    answers["row_id"] = answers[STUDY] + "_" + answers["prediction_type"]
    write_table(answers, private / "answers.csv")
    write_table(answers.drop(columns="fractured"), public / "test.csv")
    sample = answers[["row_id"]].assign(fractured=0.5)
    write_table(sample, public / "sample_submission.csv")

    names = [f"segmentations/{study}.nii" for study in drawn.segmented]
    copy_files({name: raw / name for name in names}, public)
    Folders("train_images", STUDY)(raw, (train, test), public)


def draw(studies: list[str], boxed: list[str], segmented: list[str]) -> Draw:
    """A tenth of each kind; one random generator serves all, so the order of the draws matters."""
    random = Random(0)

    def sample(population: list[str], excluded: set[str], count: int) -> list[str]:
        return random.sample([study for study in population if study not in excluded], count)

    both = set(boxed) & set(segmented)
    n_both = round(len(both) * SHARE)
    with_both = sample(boxed, set(boxed) - both, n_both)
    with_segmentation = sample(segmented, both, round(len(segmented) * SHARE) - n_both)
    with_boxes = sample(boxed, both, round(len(boxed) * SHARE) - n_both)
    chosen = {*with_both, *with_segmentation, *with_boxes}
    plain = sample(studies, chosen, round(len(studies) * SHARE) - len(chosen))
    return Draw(
        train={*chosen, *plain},
        boxed={*with_both, *with_boxes},
        segmented={*with_both, *with_segmentation},
    )
