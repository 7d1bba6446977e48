"""Revision v1.1: all answers to a question are in one part."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.google_quest_challenge.prepare import TARGETS, write
from mlebench.formats import RowPerId
from mlebench.recipes.hashes import draw, hash_of
from mlebench.revision import Changes, Fix
from mlebench.tables import read_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    import numpy as np

    frame = read_table(raw / "train.csv").sort_values("qa_id")
    texts = (frame[name].tolist() for name in ("question_title", "question_body"))
    questions = [f"{title}\n{body}" for title, body in zip(*texts, strict=True)]
    drawn = draw(questions, 0.1)
    is_test = np.array([question in drawn for question in questions])
    for target in TARGETS:
        # The correlation with a constant is undefined: add a question with another value.
        values = frame[target].to_numpy()
        first = values[is_test][0]
        if (values[is_test] == first).all():
            others = (questions[row] for row in np.flatnonzero(values != first))
            drawn.add(min(others, key=lambda text: hash_of("test", text)))
            is_test = np.array([question in drawn for question in questions])
    write(frame[~is_test], frame[is_test], public, private)


changes = Changes(
    fixes=(
        Fix(
            "a question can be in train and test, with different answers",
            "whole questions are drawn by the hash of their text",
        ),
        Fix(
            "ids are never compared, and a constant column makes a score that is not a number",
            "rows are matched by id, values are finite, and a score must be a number",
        ),
    ),
    comparability="new",
    prepare=prepare,
    submission=RowPerId(id="qa_id", target=TARGETS, exact_columns=True),
    passages={
        "5,471 pairs": "about 5,470 pairs",
        "608 pairs": "about 610 pairs",
        **dict.fromkeys(
            (
                "Rows are split at random. The same question may stand with several answers,"
                " in both parts.",
                "Pairs were divided at random; a question with several answers can therefore"
                " be on both sides.",
            ),
            "Whole questions were drawn for the test: all answers to a question are in one part.",
        ),
        "or a value is empty or text. **Ids are not compared**: … Take them from `test.csv`.": (
            "a value is empty, text or infinite, or the ids are not those of `test.csv`, each"
            " once. Rows may be in any order."
        ),
        "or if a value is empty or text. Beware: ids are only used for sorting. … nobody"
        " tells you.": (
            "if a value is empty, text or infinite, or if the ids are not those of"
            " `test.csv`, each once. Rows may be in any order."
        ),
    },
)
