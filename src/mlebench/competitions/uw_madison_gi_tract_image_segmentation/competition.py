"""UW-Madison GI Tract Image Segmentation: stomach and bowels on slices of MRI scans."""

from mlebench.competitions.uw_madison_gi_tract_image_segmentation.format import RowsByPosition
from mlebench.competitions.uw_madison_gi_tract_image_segmentation.metric import dice_and_distance
from mlebench.competitions.uw_madison_gi_tract_image_segmentation.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault

competition = CompetitionDefinition(
    id="uw-madison-gi-tract-image-segmentation",
    title="UW-Madison GI Tract Image Segmentation",
    category="Image Segmentation",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=14_200,
    prepare=prepare,
    submission=RowsByPosition(),
    metric=dice_and_distance,
    official_sample_score=0.24608,
    faults=(
        Fault("rows are paired by position: neither ids, classes nor counts are compared"),
        Fault("the distance is taken over all organs together, not for each organ"),
        Fault("three numbers `a n b` are two runs of the length n; a single number marks nothing"),
        Fault("the prize money is mistyped: the first prize was 12,000, not 1,200"),
    ),
    accepts=frozenset({"missing_row", "foreign_id", "double_id", "nan"}),
)
