"""SIIM-FISABIO-RSNA COVID-19 Detection: signs of the disease on chest radiographs, with boxes."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.competitions.siim_covid19_detection.metric import mean_average_precision
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.box_lists import BoxesPerId
from mlebench.tables import read_table, split_rows, write_table

LABELS = {
    "Negative for Pneumonia": "negative",
    "Typical Appearance": "typical",
    "Indeterminate Appearance": "indeterminate",
    "Atypical Appearance": "atypical",
}


def prepare(raw: Raw, public: Path, private: Path) -> None:
    import pandas as pd

    images = read_table(raw / "train_image_level.csv").sort_values("id")
    studies = split_rows(read_table(raw / "train_study_level.csv"), test_size=0.1)
    train, test = (part.sort_values("id") for part in studies)
    is_test = (images["StudyInstanceUID"] + "_study").isin(test["id"])
    write_table(train, public / "train_study_level.csv")
    write_table(images[~is_test], public / "train_image_level.csv")

    appearance = test[list(LABELS)].idxmax(axis=1).map(LABELS)
    of_studies = test[["id"]].assign(PredictionString=appearance + " 1 0 0 1 1")
    of_images = images.loc[is_test, ["id"]].assign(PredictionString=images["label"])
    write_table(pd.concat([of_studies, of_images]), private / "test.csv")
    guesses = (
        of_studies.assign(PredictionString="negative 1 0 0 1 1"),
        of_images.assign(PredictionString="none 1 0 0 1 1"),
    )
    write_table(pd.concat(guesses), public / "sample_submission.csv")

    test_studies = set(test["id"].str.removesuffix("_study"))
    files = {}
    for file in (raw / "train").walk():
        place = (raw / "train").relative(file)
        files[f"{'test' if place.split('/')[0] in test_studies else 'train'}/{place}"] = file
    copy_files(files, public)


competition = CompetitionDefinition(
    id="siim-covid19-detection",
    title="SIIM-FISABIO-RSNA COVID-19 Detection",
    category="Object Detection",
    complexity="high",
    competition_type="code",
    awards_medals=True,
    prize_usd=100_000,
    prepare=prepare,
    submission=BoxesPerId(
        id="id",
        target="PredictionString",
        words=("label", "confidence", "xmin", "ymin", "xmax", "ymax"),
    ),
    metric=mean_average_precision(iou_above=0.5),
    official_sample_score=0.24492,
    faults=(
        Fault("a missed box enters with score 0 and still earns the last precision"),
        Fault("a class that a row neither has nor predicts is a false alarm of score 0"),
    ),
)
