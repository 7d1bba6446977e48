"""Ventilator Pressure Prediction: the airway pressure at each step of a breath."""

from mlebench.competitions.ventilator_pressure_prediction.format import StepPerId
from mlebench.competitions.ventilator_pressure_prediction.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.values import converted_numbers
from mlebench.metrics import mean_absolute_error

competition = CompetitionDefinition(
    id="ventilator-pressure-prediction",
    title="Google Brain - Ventilator Pressure Prediction",
    category="Forecasting",
    complexity="medium",
    awards_medals=True,
    prize_usd=7_500,
    prepare=prepare,
    submission=StepPerId(
        id="id", target="pressure", unscored="u_out", odd_values=converted_numbers
    ),
    metric=mean_absolute_error,
    official_sample_score=17.65486,
    faults=(
        Fault("numbers are rounded to ten significant digits, the answers too"),
        Fault("rows of expiration are required but may be empty"),
        Fault("train and test ids both count from 1"),
    ),
    accepts=frozenset({"nan", "ordered", "renumbered"}),
)
