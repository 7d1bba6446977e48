"""Cdiscount's Image Classification Challenge: the category of a product from its pictures."""

from mlebench.competitions.cdiscount_image_classification_challenge.prepare import prepare
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import never_equal, whole_numbers
from mlebench.metrics import accuracy

competition = CompetitionDefinition(
    id="cdiscount-image-classification-challenge",
    title="Cdiscount’s Image Classification Challenge",
    category="Image Classification",
    complexity="medium",
    awards_medals=True,
    prize_usd=35_000,
    dataset_gb=72.7,
    prepare=prepare,
    submission=RowPerId(
        id="_id", target="category_id", values=whole_numbers, odd_values=never_equal
    ),
    metric=accuracy,
    rounding="python",
    answers="private/answers.csv",
    official_sample_score=0.00885,
)
