"""RSNA 2022 Cervical Spine Fracture Detection: which vertebrae of the neck are broken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.competitions.rsna_2022_cervical_spine_fracture_detection.prepare import (
    STUDY,
    prepare,
)
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import mean_weighted_log_loss

if TYPE_CHECKING:
    import pandas as pd

OVERALL_WEIGHT = 7


def weighted_truth(answers: pd.DataFrame) -> Any:
    """Label, weight and number of the study; the overall answer weighs more, fractures double."""
    import pandas as pd

    label = answers["fractured"].to_numpy()
    question = np.where(answers["prediction_type"] == "patient_overall", OVERALL_WEIGHT, 1)
    study, _ = pd.factorize(answers[STUDY])
    return np.column_stack([label, question * (1 + label), study])


competition = CompetitionDefinition(
    id="rsna-2022-cervical-spine-fracture-detection",
    title="RSNA 2022 Cervical Spine Fracture Detection",
    category="Image Classification",
    complexity="high",
    competition_type="code",
    awards_medals=True,
    prize_usd=30_000,
    prepare=prepare,
    submission=RowPerId(
        id="row_id", target="fractured", values=probabilities, truth=weighted_truth
    ),
    metric=mean_weighted_log_loss,
    answers="private/answers.csv",
    official_sample_score=0.69315,
    faults=(
        Fault("one tenth of the studies is train and nine tenths are test, not vice versa"),
        Fault("studies that are drawn last for train lose their boxes and segmentations"),
    ),
)
