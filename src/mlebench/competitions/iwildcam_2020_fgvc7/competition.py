"""iWildCam 2020: the species on a picture of a camera trap at a place never seen before."""

from mlebench.competitions.iwildcam_2020_fgvc7.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import never_equal, whole_numbers
from mlebench.metrics import accuracy

competition = CompetitionDefinition(
    id="iwildcam-2020-fgvc7",
    title="iWildCam 2020 - FGVC7",
    category="Image Classification",
    complexity="medium",
    prepare=prepare,
    submission=RowPerId(id="Id", target="Category", values=whole_numbers, odd_values=never_equal),
    metric=accuracy,
    rounding="python",
    answers="private/answers.csv",
    official_sample_score=0.00117,
    faults=(
        Fault("the column is called Category, where the task text says Predicted"),
        Fault("the share of test images is counted against all images plus themselves"),
        Fault("records pass through a table: missing values become NaN, their columns floats"),
    ),
)
