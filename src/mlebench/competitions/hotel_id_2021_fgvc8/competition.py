"""Hotel-ID to Combat Human Trafficking 2021: which hotel a photographed room belongs to."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.competitions.hotel_id_2021_fgvc8.format import GuessesByPicture
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.values import printed_texts
from mlebench.metrics import mean_average_precision_at
from mlebench.tables import read_table, split_rows, write_table

LISTED_TWICE = "ce27d36c9147cc19.jpg"
GUESSES = "36363 53586 18807 64314 60181"


def prepare(raw: Raw, public: Path, private: Path) -> None:
    rows = read_table(raw / "train.csv")
    train, test = split_rows(rows[rows["image"] != LISTED_TWICE], test_size=0.1)
    write_table(train, public / "train.csv")
    write_table(test, private / "test.csv")
    write_table(test[["image"]].assign(hotel_id=GUESSES), public / "sample_submission.csv")
    photos = raw / "train_images"
    # The folder is the chain, which is not told for test images.
    kept = [f"{chain}/{image}" for chain, image in zip(train["chain"], train["image"], strict=True)]
    copy_files({place: photos / place for place in kept}, public / "train_images")
    asked = zip(test["chain"], test["image"], strict=True)
    copy_files(
        {image: photos / f"{chain}/{image}" for chain, image in asked}, public / "test_images"
    )


competition = CompetitionDefinition(
    id="hotel-id-2021-fgvc8",
    title="Hotel-ID to Combat Human Trafficking 2021 - FGVC8",
    category="Image Classification",
    complexity="medium",
    competition_type="code",
    prepare=prepare,
    submission=GuessesByPicture(id="image", target="hotel_id", values=printed_texts),
    metric=mean_average_precision_at(5),
    official_sample_score=0.00232,
    faults=(
        Fault("ids are compared as text: a column read as floats (`36363.0`) never matches"),
        Fault("a second blank between two guesses makes an empty guess that takes a rank"),
    ),
    accepts=frozenset({"nan"}),
)
