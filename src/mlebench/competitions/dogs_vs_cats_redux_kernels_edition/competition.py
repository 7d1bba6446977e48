"""Dogs vs. Cats Redux: whether a photograph shows a dog or a cat."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mlebench.archives.copying import copy_files, zip_files
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import binary_log_loss
from mlebench.tables import Splitting, split_rows, write_table

Ordering = Callable[[list[Raw]], list[Raw]]
"""The test images in the order of their public numbers."""


def prepare_in_order(
    order: Ordering,
    raw: Raw,
    public: Path,
    private: Path,
    *,
    with_zips: bool = True,
    split: Splitting = split_rows,
) -> None:
    import pandas as pd

    with unpacked(raw / "train.zip") as content:
        train, test = split((content / "train").files("*.jpg"), test_size=0.1)
        test = order(test)
        public_files = {
            "train": numbered_by_animal(train),
            "test": {f"{k}.jpg": image for k, image in enumerate(test, 1)},
        }
        for part, images in public_files.items():
            copy_files(images, public / part)
            if with_zips:
                zip_files(images, public / f"{part}.zip")
    labels = [int("dog" in image.name) for image in test]
    answers = pd.DataFrame({"id": range(1, len(test) + 1), "label": labels})
    write_table(answers, private / "answers.csv")
    write_table(answers.assign(label=0.5), public / "sample_submission.csv")


def numbered_by_animal(images: list[Raw]) -> dict[str, Raw]:
    """`cat.0.jpg`, `dog.0.jpg` and so on, each animal counted on its own."""
    counts: Counter[str] = Counter()
    named = {}
    for image in images:
        animal = "cat" if "cat" in image.name else "dog"
        named[f"{animal}.{counts[animal]}.jpg"] = image
        counts[animal] += 1
    return named


prepare = partial(prepare_in_order, list)

competition = CompetitionDefinition(
    id="dogs-vs-cats-redux-kernels-edition",
    title="Dogs vs. Cats Redux: Kernels Edition",
    category="Image Classification",
    complexity="low",
    competition_type="code",
    dataset_gb=0.85,
    prepare=prepare,
    submission=RowPerId(id="id", target="label", values=probabilities),
    metric=binary_log_loss,
    rounding="python",
    answers="private/answers.csv",
    official_sample_score=0.69315,
    faults=(Fault("every public image is delivered twice, in a folder and in a zip"),),
)
