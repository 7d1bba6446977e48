"""OpenVaccine: how fast each base of an RNA molecule degrades."""

from mlebench.competitions.stanford_covid_vaccine.format import KeptRows
from mlebench.competitions.stanford_covid_vaccine.prepare import TARGETS, prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.clusters import Clusters, before_last
from mlebench.metrics import mean_column_root_mean_squared_error

competition = CompetitionDefinition(
    id="stanford-covid-vaccine",
    title="OpenVaccine: COVID-19 mRNA Vaccine Degradation Prediction",
    category="Tabular",
    complexity="high",
    awards_medals=True,
    prize_usd=25_000,
    prepare=prepare,
    submission=KeptRows(
        id="id_seqpos",
        targets=TARGETS,
        scored=("reactivity", "deg_Mg_pH10", "deg_Mg_50C"),
        keep="keep",
    ),
    metric=mean_column_root_mean_squared_error,
    clusters=Clusters("molecule", "id_seqpos", before_last("_")),
    official_sample_score=0.63824,
    faults=(
        Fault("rows in another order than the sample's are compared with wrong answers"),
        Fault("the base-pair probabilities (bpps) that most teams used are left out"),
        Fault("all test molecules pass the quality filter, train keeps the noisy ones"),
        Fault("numbers are read inexactly and rounded to ten decimals"),
    ),
    accepts=frozenset({"nan", "ordered"}),
)
