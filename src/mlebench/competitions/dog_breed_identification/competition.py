"""Dog Breed Identification: which of 120 breeds a photograph shows."""

from mlebench.competitions.dog_breed_identification.prepare import prepare, rows
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.metrics import multi_class_log_loss

competition = CompetitionDefinition(
    id="dog-breed-identification",
    title="Dog Breed Identification",
    category="Image Classification",
    complexity="low",
    dataset_gb=0.75,
    prepare=prepare,
    submission=rows,
    metric=multi_class_log_loss,
    rounding="python",
    official_sample_score=4.78749,
    faults=(Fault("the sum of a row may differ from 1 by 1.1e-5, ten times the stated tolerance"),),
)
