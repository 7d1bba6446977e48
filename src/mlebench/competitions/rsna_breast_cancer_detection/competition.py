"""RSNA Screening Mammography: how likely each breast has cancer."""

from pathlib import Path

from mlebench.archives.copying import copy_split
from mlebench.archives.raw import Raw
from mlebench.competitions.rsna_breast_cancer_detection.format import likelihoods, nothing_right
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.clusters import Clusters, before_first
from mlebench.metrics import probabilistic_f1
from mlebench.tables import read_table, split_groups, write_table

PUBLIC = "site_id patient_id image_id laterality view age implant machine_id prediction_id"


def prepare(raw: Raw, public: Path, private: Path) -> None:
    train, test = split_groups(read_table(raw / "train.csv"), "patient_id", test_size=0.1, seed=42)
    write_table(train, public / "train.csv")
    test = test.assign(prediction_id=test["patient_id"].astype(str) + "_" + test["laterality"])
    write_table(test[PUBLIC.split()], public / "test.csv")
    answers = test.groupby("prediction_id")["cancer"].first().reset_index()
    write_table(answers, private / "answers.csv")
    sample = answers.assign(cancer=train["cancer"].mean())
    write_table(sample, public / "sample_submission.csv")
    train_images, test_images = (
        part["patient_id"].astype(str) + "/" + part["image_id"].astype(str)
        for part in (train, test)
    )
    copy_split(raw, "train_images/{}.dcm", public, train=train_images, test=test_images)


competition = CompetitionDefinition(
    id="rsna-breast-cancer-detection",
    title="RSNA Screening Mammography Breast Cancer Detection",
    category="Image Classification",
    complexity="high",
    competition_type="code",
    awards_medals=True,
    prize_usd=50_000,
    prepare=prepare,
    submission=RowPerId(
        id="prediction_id", target="cancer", values=likelihoods, odd_values=nothing_right
    ),
    metric=probabilistic_f1,
    clusters=Clusters("patient", "prediction_id", before_first("_")),
    answers="private/answers.csv",
    official_sample_score=0.02212,
    faults=(
        Fault("a missing value makes the score 0 instead of being rejected"),
        Fault("values outside [0, 1] are cut, not refused"),
        Fault("the label of a breast is taken from its first picture, even if others differ"),
    ),
    accepts=frozenset({"nan"}),
)
