"""Google AI4Code: the original order of the cells of a notebook."""

from mlebench.competitions.AI4Code.families import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import printed_texts
from mlebench.metrics import kendall_tau

competition = CompetitionDefinition(
    id="AI4Code",
    title="Google AI4Code - Understand Code in Python Notebooks",
    category="Text (Other)",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=150_000,
    prepare=prepare,
    submission=TextPerId(id="id", target="cell_order", values=printed_texts),
    metric=kendall_tau,
    rounding="python",
    answers="private/test_orders.csv",
    official_sample_score=0.39187,
    faults=(
        Fault("the test set has 20,000 notebooks whatever the size of the raw data"),
        Fault("train_ancestors.csv is shuffled while train_orders.csv is sorted by id"),
    ),
)
