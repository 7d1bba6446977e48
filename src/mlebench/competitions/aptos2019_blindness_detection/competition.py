"""APTOS 2019 Blindness Detection: the grade of diabetic retinopathy on a retina photograph."""

from pathlib import Path

from mlebench.archives.copying import copy_split
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import signed_whole_numbers
from mlebench.metrics import quadratic_kappa
from mlebench.tables import read_table, split_rows, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    train, test = split_rows(read_table(raw / "train.csv"), test_size=0.1)
    write_table(train, public / "train.csv")
    write_table(test, private / "test.csv")
    write_table(test[["id_code"]], public / "test.csv")
    write_table(test[["id_code"]].assign(diagnosis=0), public / "sample_submission.csv")
    images = "train_images/{}.png"
    copy_split(raw, images, public, train=train["id_code"], test=test["id_code"])


competition = CompetitionDefinition(
    id="aptos2019-blindness-detection",
    title="APTOS 2019 Blindness Detection",
    category="Image Classification",
    complexity="low",
    competition_type="code",
    awards_medals=True,
    prize_usd=50_000,
    dataset_gb=10.22,
    prepare=prepare,
    submission=RowPerId(id="id_code", target="diagnosis", values=signed_whole_numbers),
    metric=quadratic_kappa,
    official_sample_score=0.0,
    faults=(
        Fault("kappa weighs grades by their place among those found, not by their value"),
        Fault("grades outside 0 to 4 are accepted as further labels"),
    ),
)
