"""Bristol-Myers Squibb - Molecular Translation: the InChI text of a drawn molecule."""

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import printed_texts
from mlebench.metrics import mean_levenshtein_distance
from mlebench.recipes import Copies, Files, LabelSplit, Recipe

WATER = "InChI=1S/H2O/h1H2"
rows = TextPerId(id="image_id", target="InChI", values=printed_texts)

competition = CompetitionDefinition(
    id="bms-molecular-translation",
    title="Bristol-Myers Squibb - Molecular Translation",
    category="Multimodal",
    complexity="high",
    awards_medals=True,
    prize_usd=50_000,
    prepare=Recipe(
        LabelSplit(rows, test_size=0.2, sample_value=WATER, table="train_labels.csv"),
        Files("train/{0[0]}/{0[1]}/{0[2]}/{0}.png", rows.id),
        Copies("extra_approved_InChIs.csv"),
    ),
    submission=rows,
    metric=mean_levenshtein_distance,
    official_sample_score=109.59778,
    faults=(Fault("an empty prediction is not refused but scored as the text `nan`"),),
    accepts=frozenset({"nan"}),
)
