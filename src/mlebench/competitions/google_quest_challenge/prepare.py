"""One table split by row; a row is exchanged where a target would be constant in the test part."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.raw import Raw
from mlebench.tables import read_table, split_positions, write_table

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

RAREST = "question_type_spelling"
NAMES = """
question_asker_intent_understanding question_body_critical question_conversational
question_expect_short_answer question_fact_seeking question_has_commonly_accepted_answer
question_interestingness_others question_interestingness_self question_multi_intent
question_not_really_a_question question_opinion_seeking question_type_choice
question_type_compare question_type_consequence question_type_definition question_type_entity
question_type_instructions question_type_procedure question_type_reason_explanation
question_type_spelling question_well_written answer_helpful answer_level_of_information
answer_plausible answer_relevance answer_satisfaction answer_type_instructions
answer_type_procedure answer_type_reason_explanation answer_well_written
"""
TARGETS = tuple(NAMES.split())


def prepare(raw: Raw, public: Path, private: Path) -> None:
    frame = read_table(raw / "train.csv")
    train, test = (frame.iloc[rows] for rows in draw(frame))
    write(train, test, public, private)


def write(train: pd.DataFrame, test: pd.DataFrame, public: Path, private: Path) -> None:
    """Write the tables of both parts and a sample submission."""
    import numpy as np

    targets = list(TARGETS)
    write_table(train, public / "train.csv")
    write_table(test.drop(columns=targets), public / "test.csv")
    write_table(test[["qa_id", *targets]], private / "test.csv")
    # Not a constant, whose correlation with anything is undefined.
    ramp = dict.fromkeys(targets, np.linspace(0, 1, len(test)))
    write_table(test[["qa_id"]].assign(**ramp), public / "sample_submission.csv")


def draw(frame: pd.DataFrame) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row numbers of train and test; the test part has at least two values of the rarest target."""
    train, test = split_positions(len(frame), test_size=0.1)
    rarest = frame[RAREST].to_numpy()
    if len(set(rarest[test])) == 1:
        first = next(place for place, row in enumerate(train) if rarest[row] != 0)
        train[first], test[0] = test[0], train[first]
    return train, test
