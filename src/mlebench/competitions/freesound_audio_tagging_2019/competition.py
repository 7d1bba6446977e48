"""Freesound Audio Tagging 2019: which of 80 sounds are in a clip, learnt from noisy labels."""

from mlebench.competitions.freesound_audio_tagging_2019.prepare import CLASSES, LABELS, prepare
from mlebench.definition import CompetitionDefinition, Elsewhere, Fault
from mlebench.formats import LeadingColumns
from mlebench.metrics import label_weighted_ranking_average_precision

competition = CompetitionDefinition(
    id="freesound-audio-tagging-2019",
    title="Freesound Audio Tagging 2019",
    category="Audio Classification",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=5_000,
    prepare=prepare,
    elsewhere=(Elsewhere(f"{LABELS}.zip", "https://zenodo.org/records/3612637"),),
    submission=LeadingColumns(id="fname", target=CLASSES, leading=1 + len(CLASSES)),
    metric=label_weighted_ranking_average_precision,
    official_sample_score=0.02197,
    faults=(Fault("the test labels come from another site than the rest of the data"),),
)
