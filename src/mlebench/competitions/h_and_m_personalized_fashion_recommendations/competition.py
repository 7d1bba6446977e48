"""H&M Personalized Fashion Recommendations: the articles a customer buys in the coming week."""

from mlebench.competitions.h_and_m_personalized_fashion_recommendations.format import (
    CustomersCovered,
)
from mlebench.competitions.h_and_m_personalized_fashion_recommendations.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.metrics import mean_average_precision_at

competition = CompetitionDefinition(
    id="h-and-m-personalized-fashion-recommendations",
    title="H&M Personalized Fashion Recommendations",
    category="Tabular",
    complexity="medium",
    awards_medals=True,
    prize_usd=50_000,
    prepare=prepare,
    submission=CustomersCovered(id="customer_id", target="prediction"),
    metric=mean_average_precision_at(12),
    answers="private/answers.csv",
    official_sample_score=0.0,
    faults=(
        Fault("zero-padded article ids, as sample_submission.csv has them, never match"),
        Fault("the test window has eight days, but the task states seven"),
        Fault("the answers as a submission score below 1: their repeats waste ranks"),
        Fault("articles.csv has padded ids, but transactions_train.csv does not"),
        Fault("a customer listed twice shifts all later ones; here it is refused"),
    ),
    accepts=frozenset({"missing_row", "foreign_id", "nan"}),
)
