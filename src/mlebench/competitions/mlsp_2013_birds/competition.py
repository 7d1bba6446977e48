"""MLSP 2013 birds: which of 19 species are heard in a ten-second forest recording."""

from mlebench.competitions.mlsp_2013_birds.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.clusters import Clusters
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc

competition = CompetitionDefinition(
    id="mlsp-2013-birds",
    title="MLSP 2013 Bird Classification Challenge",
    category="Audio Classification",
    complexity="low",
    awards_medals=True,
    prize_usd=1_800,
    dataset_gb=0.5851,
    prepare=prepare,
    submission=RowPerId(id="Id", target="Probability", values=probabilities),
    metric=roc_auc,
    clusters=Clusters("recording", "Id", lambda ids: ids // 100),
    answers="private/answers.csv",
    official_sample_score=0.5,
    faults=(
        Fault("the files of segment features and rectangles have the header line of the histogram"),
        Fault("the histogram's codebook was made on all recordings, test ones included"),
    ),
)
