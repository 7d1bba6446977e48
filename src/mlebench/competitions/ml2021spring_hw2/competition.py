"""ML2021Spring, homework 2: the phoneme of each frame of recorded speech."""

from mlebench.competitions.ml2021spring_hw2.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import never_equal, whole_numbers
from mlebench.metrics import accuracy

competition = CompetitionDefinition(
    id="ml2021spring-hw2",
    title="ML2021Spring-hw2",
    category="Audio Classification",
    complexity="dev",
    prepare=prepare,
    submission=RowPerId(id="Id", target="ClassId", values=whole_numbers, odd_values=never_equal),
    metric=accuracy,
    rounding="python",
    answers="private/answers.csv",
    sample_submission="public/sampleSubmission.csv",
    official_sample_score=0.05167,
    faults=(
        Fault("the split is by frame: a test frame has near copies, labelled, in train"),
        Fault("the label column is called ClassId, where the course says Class"),
    ),
)
