"""Google QUEST: thirty subjective ratings of questions and answers."""

from mlebench.competitions.google_quest_challenge.format import places_in_alphabet
from mlebench.competitions.google_quest_challenge.prepare import TARGETS, prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerSortedKey
from mlebench.formats.values import numbers_without_gaps
from mlebench.metrics import mean_column_spearman

competition = CompetitionDefinition(
    id="google-quest-challenge",
    title="Google QUEST Q&A Labeling",
    category="Training LLMs",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=25_000,
    prepare=prepare,
    submission=RowPerSortedKey(
        id="qa_id",
        target=TARGETS,
        values=numbers_without_gaps,
        odd_values=places_in_alphabet,
        exact_columns=True,
    ),
    metric=mean_column_spearman,
    official_sample_score=-0.01016,
    faults=(
        Fault("ids are never compared: a foreign id shifts rows instead of being refused"),
        Fault("one question may stand with different answers in train and test"),
    ),
    accepts=frozenset({"foreign_id", "double_id"}),
)
