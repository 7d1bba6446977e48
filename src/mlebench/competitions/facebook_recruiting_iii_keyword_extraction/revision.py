"""Revision v1.1: unknown tags count as false alarms, and no question occurs twice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.competition import (
    opened_tables,
)
from mlebench.metrics import word_set_micro_f1
from mlebench.recipes.hashes import hash_of
from mlebench.revision import Changes, Fix
from mlebench.tables import read_pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TEST_SHARE = 0.1


def prepare(raw: Raw, public: Path, private: Path) -> None:
    """Of equal questions the first; a tenth, those with the lowest hashes, are held out."""
    import numpy as np
    import pandas as pd

    with unpacked(raw / "Train.zip") as content, opened_tables(public, private) as write:
        source = content / "Train.csv"
        prints = hash_questions(source)
        is_first = ~pd.Series(prints).duplicated().to_numpy()
        lowest = np.sort(prints[is_first])[: int(np.ceil(TEST_SHARE * is_first.sum()))]
        is_test = is_first & (prints <= lowest[-1])
        start = 0
        for piece in read_pieces(source, dtype=str):
            rows = slice(start, start + len(piece))
            start += len(piece)
            write(piece[is_first[rows] & ~is_test[rows]], piece[is_test[rows]])


def hash_questions(source: Raw) -> NDArray[np.uint64]:
    """The first eight bytes of the hash of each title and text, as a number."""
    import numpy as np

    digests = bytearray()
    columns = ["Title", "Body"]
    for piece in read_pieces(source, usecols=columns, dtype=str, na_filter=False):
        for title, body in zip(*(piece[name].tolist() for name in columns), strict=True):
            digests += hash_of("test", title, body)[:8]
    return np.frombuffer(bytes(digests), ">u8").astype(np.uint64)


changes = Changes(
    fixes=(
        Fix(
            "predicted tags that no test item has are dropped and cost nothing",
            "every predicted word counts",
        ),
        Fix(
            "repeated questions are in train and test, so tags can be looked up",
            "of questions with the same title and text the first is kept, and the test is drawn by"
            " their hashes",
        ),
    ),
    comparability="new",
    prepare=prepare,
    metric=word_set_micro_f1,
)
