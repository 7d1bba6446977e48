"""Facebook Recruiting III: the tags of a question, from its title and text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    import pandas as pd

COMMON_TAGS = "javascript c# python php java"


def prepare(raw: Raw, public: Path, private: Path) -> None:
    """Six million questions, shuffled and split without holding all of them in memory."""
    with unpacked(raw / "Train.zip") as content, opened_tables(public, private) as write:
        source = content / "Train.csv"
        count = sum(len(piece) for piece in read_pieces(source, usecols=["Id"]))
        train_rows, test_rows = split_positions(count, test_size=0.1)
        left = len(train_rows)
        pieces = read_pieces(source, dtype=str)
        for piece in reordered(pieces, [*train_rows, *test_rows], raw.scratch):
            for_train, for_test = piece.iloc[:left], piece.iloc[left:]
            left -= len(for_train)
            write(for_train, for_test)


@contextmanager
def opened_tables(
    public: Path, private: Path
) -> Iterator[Callable[[pd.DataFrame, pd.DataFrame], None]]:
    """A function that appends train and test questions to all tables."""
    with (
        TableWriter(public / "train.csv") as train,
        TableWriter(public / "test.csv") as test,
        TableWriter(public / "sample_submission.csv") as sample,
        TableWriter(private / "test.csv") as answers,
    ):

        def write(for_train: pd.DataFrame, for_test: pd.DataFrame) -> None:
            train.write(for_train)
            answers.write(for_test)
            test.write(for_test.drop(columns="Tags"))
            sample.write(for_test.assign(Tags=COMMON_TAGS))

        yield write


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
        Fault("repeated questions are in both parts of the split"),
    ),
    accepts=frozenset({"nan"}),
)
