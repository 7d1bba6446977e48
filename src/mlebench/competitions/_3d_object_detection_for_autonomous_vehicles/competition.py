"""Lyft 3D Object Detection for Autonomous Vehicles: boxes around all road users near the car."""

from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.metric import (
    mean_average_precision_3d,
)
from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.box_lists import BoxesPerId

THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
WORDS = ("confidence", "x", "y", "z", "width", "length", "height", "yaw", "label")

competition = CompetitionDefinition(
    id="3d-object-detection-for-autonomous-vehicles",
    title="Lyft 3D Object Detection for Autonomous Vehicles",
    category="Object Detection",
    complexity="high",
    awards_medals=True,
    prize_usd=14_200,
    prepare=prepare,
    submission=BoxesPerId(
        id="Id", target="PredictionString", words=WORDS, any_confidence=True, empty=True
    ),
    metric=mean_average_precision_3d(THRESHOLDS),
    official_sample_score=0.0,
    faults=(
        Fault("train_data/map.json names the logs of the test, not those of train"),
        Fault("the task states TP / (TP + FP + FN), but the area under the curve is graded"),
        Fault("boxes of a class that a sample does not have cost nothing"),
        Fault("the prize money is mistyped: the first prize was 12,000, not 1,200"),
    ),
    accepts=frozenset({"nan"}),
)
