"""IceCube: the direction from which a neutrino came, from light pulses in the ice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.competitions.icecube_neutrinos_in_deep_ice.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.errors import InvalidSubmissionError
from mlebench.formats import RowPerId
from mlebench.formats.values import finite_numbers
from mlebench.metrics import mean_angular_error

if TYPE_CHECKING:
    import pandas as pd


def angles(frame: pd.DataFrame) -> Any:
    """Finite numbers; the published grader does not accept True and False."""
    for name in frame.columns:
        if frame[name].dtype == bool:
            raise InvalidSubmissionError(f"column {name!r} holds True or False, expected angles")
    return finite_numbers(frame)


competition = CompetitionDefinition(
    id="icecube-neutrinos-in-deep-ice",
    title="IceCube - Neutrinos in Deep Ice",
    category="Signal Processing",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=50_000,
    prepare=prepare,
    submission=RowPerId(
        id="event_id", target=("azimuth", "zenith"), values=angles, exact_columns=True
    ),
    metric=mean_angular_error,
    official_sample_score=1.55139,
    faults=(
        Fault(
            "the published checksums of the parquet files depend on the writing library",
            issue="#58",
        ),
    ),
)
