"""Google Smartphone Decimeter Challenge 2022: where a phone is, from its satellite logs."""

from mlebench.competitions.smartphone_decimeter_2022.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId, with_group
from mlebench.metrics import mean_distance_percentiles

PLACE = ("LatitudeDegrees", "LongitudeDegrees")

competition = CompetitionDefinition(
    id="smartphone-decimeter-2022",
    title="Google Smartphone Decimeter Challenge 2022",
    category="Forecasting",
    complexity="high",
    awards_medals=True,
    prize_usd=10_000,
    prepare=prepare,
    # Rows of one trip are matched by their order; times are ignored.
    submission=RowPerId(
        id="tripId",
        target=PLACE,
        truth=with_group(PLACE, "tripId"),
        ignored=("UnixTimeMillis",),
    ),
    metric=mean_distance_percentiles,
    official_sample_score=3_122_773.6564,
    faults=(
        Fault("the public test folders keep span_log.nmea, which reveals the answers", issue="#93"),
        Fault("the reference tracks were read inexactly, off in the last digit at times"),
        Fault("rows of a trip are matched by position, and wrong times go unnoticed"),
    ),
)
