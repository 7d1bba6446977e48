"""Plant Pathology 2020: healthy, rust, scab or several diseases on a photographed apple leaf."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import converted_numbers
from mlebench.metrics import mean_column_roc_auc
from mlebench.recipes import TableSplit
from mlebench.recipes.hashes import rows_in_hash_order
from mlebench.tables import read_table, split_rows

CLASSES = ("healthy", "multiple_diseases", "rust", "scab")
rows = RowPerId(id="image_id", target=CLASSES, odd_values=converted_numbers, exact_columns=True)
tables = TableSplit(rows, sample_value=0.25)


def prepare(raw: Raw, public: Path, private: Path, *, numbered_by_hash: bool = False) -> None:
    def image(name: str) -> Raw:
        return raw / "images" / f"{name}.jpg"

    train, test = split_rows(read_table(raw / "train.csv"), test_size=0.1)
    if numbered_by_hash:
        test = rows_in_hash_order(test, "image_id", image)
    images: dict[str, Raw] = {}
    parts = []
    for part, prefix in ((train, "Train"), (test, "Test")):
        new_ids = [f"{prefix}_{k}" for k in range(len(part))]
        images |= {f"{k}.jpg": image(old) for k, old in zip(new_ids, part["image_id"], strict=True)}
        parts.append(part.assign(image_id=new_ids))
    tables.write((parts[0], parts[1]), public, private)
    copy_files(images, public / "images")


competition = CompetitionDefinition(
    id="plant-pathology-2020-fgvc7",
    title="Plant Pathology 2020 - FGVC7",
    category="Image Classification",
    complexity="low",
    dataset_gb=0.8,
    prepare=prepare,
    submission=rows,
    metric=mean_column_roc_auc,
    official_sample_score=0.5,
)
