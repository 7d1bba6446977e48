"""Hotel-ID to Combat Human Trafficking 2021: which hotel a photographed room belongs to."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.hotel_id_2021_fgvc8.format import GuessesByPicture
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.values import printed_texts
from mlebench.metrics import mean_average_precision_at
from mlebench.recipes import ClassFolders, LabelSplit
from mlebench.tables import read_table, split_rows

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
