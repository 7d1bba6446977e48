"""Revision v1.1: the test part is drawn by the names of the images."""

from collections import Counter
from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.plant_seedlings_classification.competition import list_images, write
from mlebench.formats import TextPerId
from mlebench.formats.values import texts_without_gaps
from mlebench.recipes.hashes import draw
from mlebench.revision import EXTERNAL_COPY, NEAR_DUPLICATES, Changes, Fix


def prepare(raw: Raw, public: Path, private: Path) -> None:
    images = list_images(raw)
    count = Counter(image.name for image in images)
    # A name that two species share cannot name a test image.
    drawn = draw([name for name, number in count.items() if number == 1], 0.14)
    train = [image for image in images if image.name not in drawn]
    test = [image for image in images if image.name in drawn]
    write(train, sorted(test, key=lambda image: image.name), public, private)


changes = Changes(
    fixes=(
        Fix(
            "a public seed shuffles a list that is sorted by species, so membership and order of"
            " the test images tell the species",
            "test images are drawn by the hashes of their names and listed by name",
        ),
        Fix(
            "two test images can have one name, and one of them is lost",
            "images whose name occurs twice are always in train",
        ),
        Fix("an empty species is accepted and counts as wrong", "every image has a species"),
    ),
    comparability="new",
    prepare=prepare,
    refuses_gaps=True,
    submission=TextPerId(id="file", target="species", values=texts_without_gaps),
    flags=(EXTERNAL_COPY, NEAR_DUPLICATES),
    passages={
        "or `species` holds only numbers or nothing at all.": (
            "or a `species` is empty or a number."
        ),
        "An unknown name, or a single empty cell among names, is accepted and counts as wrong.": (
            "An unknown name counts as wrong."
        ),
        "or when `species` contains numbers only or is empty throughout.": (
            "or when a cell of `species` is empty or a number."
        ),
        "A name that is no class, or one empty cell among filled ones, is simply a wrong answer.": (
            "A name that is no class is simply a wrong answer."
        ),
        "4,084": "about 4,080",
        "| `test/<file>` | 666 pictures": "| `test/<file>` | about 660 pictures",
        "| 666 rows:": "| about 660 rows:",
        "The 666 test pictures are": "The test pictures are",
    },
)
