"""VinBigData Chest X-ray Abnormalities Detection: fourteen findings as boxes, or none."""

from mlebench.competitions.vinbigdata_chest_xray_abnormalities_detection.format import (
    PooledBoxes,
)
from mlebench.competitions.vinbigdata_chest_xray_abnormalities_detection.metric import (
    coco_mean_average_precision,
)
from mlebench.competitions.vinbigdata_chest_xray_abnormalities_detection.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault

competition = CompetitionDefinition(
    id="vinbigdata-chest-xray-abnormalities-detection",
    title="VinBigData Chest X-ray Abnormalities Detection",
    category="Object Detection",
    complexity="high",
    awards_medals=True,
    prize_usd=50_000,
    prepare=prepare,
    submission=PooledBoxes(),
    metric=coco_mean_average_precision(iou_from=0.4),
    answers="private/answers.csv",
    gold_submission="private/gold_submission.csv",
    official_sample_score=0.0475,
    faults=(
        Fault("corners are read as x, y, width and height, which makes overlaps too large"),
        Fault("a hit on the first true box of the answers counts as a false alarm"),
        Fault("the first prediction of the file does not use up the box it hits"),
        Fault("of each class and picture only one box of one reader is an answer"),
        Fault("an image id may occur in several rows, whose boxes are pooled"),
    ),
)
