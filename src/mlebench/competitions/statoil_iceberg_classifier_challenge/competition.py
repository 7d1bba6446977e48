"""Statoil/C-CORE: whether a bright spot in a radar picture is a ship or an iceberg."""

from mlebench.competitions.statoil_iceberg_classifier_challenge.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import binary_log_loss

competition = CompetitionDefinition(
    id="statoil-iceberg-classifier-challenge",
    title="Statoil/C-CORE Iceberg Classifier Challenge",
    category="Image Classification",
    complexity="medium",
    awards_medals=True,
    prize_usd=50_000,
    prepare=prepare,
    submission=RowPerId(id="id", target="is_iceberg", values=probabilities),
    metric=binary_log_loss,
    rounding="python",
    sample_submission="private/sample_submission.csv",
    official_sample_score=0.69315,
    faults=(Fault("public has no loose sample submission, only one inside an archive"),),
)
