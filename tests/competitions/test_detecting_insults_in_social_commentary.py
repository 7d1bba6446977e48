"""Repeated comments are paired as the published grader pairs them: by sorting both sides."""

import numpy as np
import pandas as pd
import pytest

from mlebench.competitions.detecting_insults_in_social_commentary.competition import competition
from mlebench.errors import InvalidSubmissionError

form = competition.submission


def tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two hundred rows with five texts, and labels and predictions that differ for equal texts."""
    draw = np.random.default_rng(0)
    texts = draw.choice(['"a"', '"b"', '"c, d"', '"E"', '"f"'], 200)
    answers = pd.DataFrame({"Insult": np.arange(200) % 2, "Comment": texts})
    submission = answers.assign(Insult=np.linspace(0, 1, 200)).sample(frac=1, random_state=1)
    return submission.reset_index(drop=True), answers


def sorted_by_comment(table: pd.DataFrame) -> np.ndarray:
    objects = table.assign(Comment=table["Comment"].astype(object))
    return objects.sort_values("Comment")["Insult"].to_numpy()


def test_pairs_of_repeated_comments() -> None:
    submission, answers = tables()
    truth, predicted, _ = form.align(submission, answers)
    pairs = zip(sorted_by_comment(answers), sorted_by_comment(submission), strict=True)
    assert sorted(zip(truth, predicted, strict=True)) == sorted(pairs)


def test_another_text_is_refused() -> None:
    submission, answers = tables()
    submission.loc[0, "Comment"] = "a"
    with pytest.raises(InvalidSubmissionError, match="Comment"):
        form.check(submission, form.keys(answers))
