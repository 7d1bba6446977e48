"""OSIC Pulmonary Fibrosis Progression: how a patient's lung capacity will decline."""

from mlebench.competitions.osic_pulmonary_fibrosis_progression.format import WeeklyForecast
from mlebench.competitions.osic_pulmonary_fibrosis_progression.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.metrics import laplace_log_likelihood

competition = CompetitionDefinition(
    id="osic-pulmonary-fibrosis-progression",
    title="OSIC Pulmonary Fibrosis Progression",
    category="Multimodal",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=55_000,
    prepare=prepare,
    submission=WeeklyForecast(),
    metric=laplace_log_likelihood(max_error=1000, min_deviation=70),
    official_sample_score=-14.9683,
    faults=(
        Fault("rows that are missing are not scored, so that hard weeks can be left out"),
        Fault("a missing confidence counts as the smallest one"),
    ),
    accepts=frozenset({"missing_row", "double_id", "nan", "ordered"}),
)
