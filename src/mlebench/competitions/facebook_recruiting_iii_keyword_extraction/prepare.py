"""Six million questions, shuffled and split without holding all of them in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.reordering import reordered
from mlebench.recipes.hashes import hash_of
from mlebench.tables import TableWriter, read_pieces, split_positions

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.int64]

TEST_SHARE = 0.1
COMMON_TAGS = "javascript c# python php java"


def draw_with_seed(count: int) -> tuple[Rows, Rows]:
    return split_positions(count, test_size=TEST_SHARE)


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    drops_repeats: bool = False,
    draw: Callable[[int], tuple[Rows, Rows]] = draw_with_seed,
) -> None:
    """Write train and test questions in the order in which they are drawn.

    Args:
        drops_repeats: whether test questions that occur elsewhere are left out.
        draw: returns the row numbers of train and test, given the count of all rows.
    """
    import numpy as np

    with unpacked(raw / "Train.zip") as content, opened_tables(public, private) as write:
        source = content / "Train.csv"
        count = sum(len(piece) for piece in read_pieces(source, usecols=["Id"]))
        train, test = draw(count)
        digests = bytearray()
        read = read_pieces(source, dtype=str)
        pieces = noting_questions(read, digests) if drops_repeats else read
        shuffled = reordered(pieces, [*train, *test], raw.scratch)
        first = next(shuffled)
        # All pieces have been read by now, so that all digests are known.
        is_repeat = find_repeats(digests, test) if drops_repeats else np.zeros(count, bool)
        left = len(train)
        for piece in chain([first], shuffled):
            for_train, for_test = piece.iloc[:left], piece.iloc[left:]
            left -= len(for_train)
            rows, test = test[: len(for_test)], test[len(for_test) :]
            write(for_train, for_test[~is_repeat[rows]])


def noting_questions(pieces: Iterable[pd.DataFrame], digests: bytearray) -> Iterator[pd.DataFrame]:
    """The same pieces; appends eight bytes of the hash of each title and text to `digests`."""
    for piece in pieces:
        texts = (piece[name].fillna("").tolist() for name in ("Title", "Body"))
        for title, body in zip(*texts, strict=True):
            digests += hash_of(title, body)[:8]
        yield piece


def find_repeats(digests: bytearray, test: Rows) -> NDArray[np.bool_]:
    """Which rows are test rows with the question of a train row or of an earlier test row.

    Earlier in the source: nothing public depends on the order in which the test is drawn.
    """
    import numpy as np
    import pandas as pd

    prints = np.frombuffer(bytes(digests), ">u8").astype(np.uint64)
    is_test = np.zeros(len(prints), bool)
    is_test[test] = True
    tested = prints[is_test]
    is_repeat = np.zeros(len(prints), bool)
    is_repeat[is_test] = np.isin(tested, prints[~is_test]) | pd.Series(tested).duplicated()
    return is_repeat


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
