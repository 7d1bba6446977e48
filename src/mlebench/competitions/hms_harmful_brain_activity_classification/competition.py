"""HMS Harmful Brain Activity Classification: how experts vote on ten seconds of an EEG."""

from mlebench.competitions.hms_harmful_brain_activity_classification.format import VotesPerWindow
from mlebench.competitions.hms_harmful_brain_activity_classification.prepare import (
    VOTES,
    prepare,
    vote_shares,
)
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.clusters import Clusters
from mlebench.formats.values import rounded_probability_rows
from mlebench.metrics import kullback_leibler_divergence

competition = CompetitionDefinition(
    id="hms-harmful-brain-activity-classification",
    title="HMS - Harmful Brain Activity Classification",
    category="Signal Processing",
    complexity="high",
    competition_type="code",
    awards_medals=True,
    prize_usd=50_000,
    prepare=prepare,
    submission=VotesPerWindow(
        id="eeg_id",
        target=VOTES,
        values=rounded_probability_rows(5),
        truth=vote_shares,
        exact_columns=True,
    ),
    metric=kullback_leibler_divergence,
    clusters=Clusters("patient", "patient_id"),
    gold_submission="private/gold_submission.csv",
    official_sample_score=1.40995,
    faults=(
        Fault("the public test table does not distinguish the rows of one recording"),
        Fault("patients are in train and test, since the split is by spectrogram"),
    ),
    # Recordings have several rows: with another id or a missing value they may still be paired.
    accepts=frozenset({"double_id", "nan"}),
)
