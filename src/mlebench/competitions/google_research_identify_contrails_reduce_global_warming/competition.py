"""Identify Contrails to Reduce Global Warming: the pixels of contrails in satellite scenes."""

from mlebench.competitions.google_research_identify_contrails_reduce_global_warming.prepare import (
    prepare,
)
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.run_lengths import MaskPerId
from mlebench.metrics.masks import global_dice

rows = MaskPerId(id="record_id", target="encoded_pixels", size=("height", "width"), empty="-")

competition = CompetitionDefinition(
    id="google-research-identify-contrails-reduce-global-warming",
    title="Google Research - Identify Contrails to Reduce Global Warming",
    category="Image Segmentation",
    complexity="high",
    competition_type="code",
    awards_medals=True,
    prize_usd=50_000,
    prepare=prepare,
    submission=rows,
    metric=global_dice,
    answers="private/answers.csv",
    official_sample_score=0.00006,
    faults=(
        Fault("three numbers `a n b` are two runs of the length n; a single number marks nothing"),
        Fault("the test records have no metadata, unlike those of train and validation"),
    ),
)
