"""Google QUEST: thirty subjective ratings of questions and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.competitions.google_quest_challenge.prepare import TARGETS, prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerSortedKey
from mlebench.formats.values import numbers_without_gaps, refuse, text_cells
from mlebench.metrics import mean_column_spearman

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def places_in_alphabet(frame: pd.DataFrame, _: object = None) -> NDArray[np.float64]:
    """Numbers as they are; a column of texts becomes the places of its cells in the alphabet."""
    places = {}
    for name, column in frame.items():
        if text_cells(column) is not None:
            refuse(column.to_frame(), column.isna().to_numpy(), "a number")
            cells = column.astype(str).to_numpy(dtype=object)
            places[str(name)] = np.unique(cells, return_inverse=True)[1]
    return numbers_without_gaps(frame.assign(**places))


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
        Fault("one question may occur with different answers in train and test"),
    ),
    accepts=frozenset({"foreign_id", "double_id"}),
)
