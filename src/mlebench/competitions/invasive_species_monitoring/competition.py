"""Invasive Species Monitoring: whether a forest photograph shows hydrangea."""

from pathlib import Path

from mlebench.archives.copying import seven_zip_files, zip_files
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.tables import Splitting, format_table, read_zipped_table, split_rows, write_table

LABELS = "train_labels.csv"
SAMPLE = "sample_submission.csv"


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    is_sorted: bool = False,
    split: Splitting = split_rows,
) -> None:
    train, test = split(read_zipped_table(raw / f"{LABELS}.zip"), test_size=0.2)
    if is_sorted:
        test = test.sort_values("name")
    sample = test.assign(invasive=0.5)
    write_table(test, private / "answers.csv")
    write_table(sample, private / SAMPLE)
    for table, name in ((train, LABELS), (sample, SAMPLE)):
        zip_files({name: format_table(table).encode()}, public / f"{name}.zip")
    with unpacked(raw / "train.7z") as content:
        for rows, folder in ((train, "train"), (test, "test")):
            images = {
                f"{folder}/{number}.jpg": content / "train" / f"{number}.jpg"
                for number in rows["name"]
            }
            # The published preparation packs empty folders by mistake, which leaves no task.
            seven_zip_files(images, public / f"{folder}.7z")


competition = CompetitionDefinition(
    id="invasive-species-monitoring",
    title="Invasive Species Monitoring",
    category="Image Classification",
    complexity="dev",
    prepare=prepare,
    submission=RowPerId(id="name", target="invasive", values=probabilities),
    metric=roc_auc,
    answers="private/answers.csv",
    sample_submission=f"private/{SAMPLE}",
    official_sample_score=0.5,
    faults=(
        Fault("the published image archives are empty; ours hold the images, also in v1"),
        Fault("public has no loose sample submission, only one inside an archive"),
    ),
)
