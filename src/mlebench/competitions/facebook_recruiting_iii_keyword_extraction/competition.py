"""Facebook Recruiting III: the tags of a question, from its title and text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.reordering import reordered
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import texts_only
from mlebench.metrics import label_set_micro_f1
from mlebench.tables import TableWriter, read_pieces, split_positions

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

QUESTION = ["Title", "Body"]
COMMON_TAGS = "javascript c# python php java"


def prepare(raw: Raw, public: Path, private: Path, *, drops_repeats: bool = False) -> None:
    """Six million questions, shuffled and split without ever holding more than a part of them."""
    import numpy as np

    with (
        unpacked(raw / "Train.zip") as content,
        TableWriter(public / "train.csv") as train,
        TableWriter(public / "test.csv") as test,
        TableWriter(public / "sample_submission.csv") as sample,
        TableWriter(private / "test.csv") as answers,
    ):
        source = content / "Train.csv"
        prints = fingerprint_questions(source, QUESTION if drops_repeats else ["Id"])
        first = ~prints.duplicated().to_numpy() if drops_repeats else np.ones(len(prints), bool)
        train_rows, test_rows = split_positions(int(first.sum()), test_size=0.1)
        left = len(train_rows)
        pieces = some_rows_of(read_pieces(source, dtype=str), first)
        for piece in reordered(pieces, [*train_rows, *test_rows], raw.scratch):
            for_train, for_test = piece.iloc[:left], piece.iloc[left:]
            left -= len(for_train)
            train.write(for_train)
            answers.write(for_test)
            test.write(for_test.drop(columns="Tags"))
            sample.write(for_test.assign(Tags=COMMON_TAGS))


def fingerprint_questions(source: Raw, columns: list[str]) -> pd.Series[int]:
    """A number for each row, the same where all these columns are the same."""
    import pandas as pd

    pieces = read_pieces(source, usecols=columns, dtype=str)
    return pd.concat(
        [pd.util.hash_pandas_object(piece.fillna(""), index=False) for piece in pieces]
    )


def some_rows_of(
    pieces: Iterable[pd.DataFrame], wanted: NDArray[np.bool_]
) -> Iterator[pd.DataFrame]:
    start = 0
    for piece in pieces:
        yield piece[wanted[start : start + len(piece)]]
        start += len(piece)


competition = CompetitionDefinition(
    id="facebook-recruiting-iii-keyword-extraction",
    title="Facebook Recruiting III - Keyword Extraction",
    category="Text Classification",
    complexity="medium",
    awards_medals=True,
    prepare=prepare,
    submission=TextPerId(id="Id", target="Tags", values=texts_only),
    metric=label_set_micro_f1,
    official_sample_score=0.07645,
    faults=(
        Fault("predicted tags that no test question has are dropped and cost nothing"),
        Fault("the sample submission repeats all titles and texts"),
        Fault("lone tags such as `nan` and `null` are read as missing, on both sides"),
        Fault("repeated questions fall on both sides of the split"),
    ),
    accepts=frozenset({"nan"}),
)
