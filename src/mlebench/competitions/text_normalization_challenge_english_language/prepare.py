"""Tokens and how they are spoken, split by sentence; each language has the same files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import zip_member
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.tables import Splitting, TableWriter, read_pieces, split_rows

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

TYPES = {"class": str, "before": str, "after": str}


def prepare_language(
    language: str,
    *,
    drops_repeats: bool = False,
    has_gaps: bool = True,
    split: Splitting = split_rows,
) -> Callable[[Raw, Path, Path], None]:
    """The preparation for the files of one language, `en` or `ru`.

    Args:
        drops_repeats: whether test sentences that occur elsewhere are left out.
        has_gaps: whether tokens such as `NA` are missing values, which are written as blanks.
    """

    def prepare(raw: Raw, public: Path, private: Path) -> None:
        import numpy as np

        with unpacked(raw / f"{language}_train.csv.zip") as content, ExitStack() as stack:
            source = content / f"{language}_train.csv"
            pieces = partial(read_pieces, source, dtype=TYPES, na_filter=has_gaps)
            known = ["sentence_id", *(["token_id", "before"] if drops_repeats else [])]
            sentences, prints = fingerprint_sentences(pieces(usecols=known))
            number, is_test = number_sentences(sentences, split)
            repeated = np.zeros_like(is_test)
            if drops_repeats:
                repeated = find_repeats(sentences, prints, is_test)
            train, test, sample = (
                stack.enter_context(_zipped_table(stack, public / f"{language}_{name}.csv.zip"))
                for name in ("train", "test_2", "sample_submission_2")
            )
            answers, private_sample = (
                stack.enter_context(TableWriter(private / name, quote_texts=True))
                for name in ("answers.csv", "sample_submission.csv")
            )
            for piece in pieces():
                piece = piece[~repeated[piece["sentence_id"]]]
                in_test = is_test[piece["sentence_id"]]
                piece["sentence_id"] = number[piece["sentence_id"]]
                train.write(piece[~in_test])
                piece = piece[in_test]
                test.write(piece[["sentence_id", "token_id", "before"]])
                ids = piece["sentence_id"].astype(str) + "_" + piece["token_id"].astype(str)
                answers.write(piece.assign(id=ids)[["id", "after"]])
                unchanged = piece.assign(id=ids, after=piece["before"])[["id", "after"]]
                sample.write(unchanged)
                private_sample.write(unchanged)

    return prepare


def _zipped_table(stack: ExitStack, target: Path) -> TableWriter:
    member = zip_member(target, target.name.removesuffix(".zip"), deflated=False)
    return TableWriter(stack.enter_context(member), quote_texts=True)


def number_sentences(
    sentences: NDArray[np.int64], split: Splitting
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """For each sentence its new number, from 0 in its part, and whether that is the test part."""
    import numpy as np

    _, test = split(sentences, test_size=0.1)
    is_test = np.zeros(sentences.max() + 1, dtype=bool)
    is_test[test] = True
    number = np.zeros(len(is_test), dtype=np.int64)
    for part in (sentences[~is_test[sentences]], sentences[is_test[sentences]]):
        number[part] = np.arange(len(part))
    return number, is_test


def fingerprint_sentences(
    pieces: Iterable[pd.DataFrame],
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """The ids of all sentences as they occur, and a fingerprint of the tokens of each."""
    import numpy as np
    import pandas as pd

    found = []
    for piece in pieces:
        prints = np.zeros(len(piece), np.uint64)
        if "before" in piece:
            tokens = pd.util.hash_array(piece["before"].fillna("").to_numpy(dtype=object))
            place = piece["token_id"].to_numpy().astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
            mixed = (tokens ^ place) * np.uint64(0xBF58476D1CE4E5B9)
            prints = mixed ^ (mixed >> np.uint64(31))
        found.append(pd.Series(prints).groupby(piece["sentence_id"].to_numpy(), sort=False).sum())
    # Sums, since the rows of a sentence can be in two pieces; the hash of a token covers its place.
    sums = pd.concat(found).groupby(level=0, sort=False).sum()
    return sums.index.to_numpy(), sums.to_numpy()


def find_repeats(
    sentences: NDArray[np.int64], prints: NDArray[np.uint64], is_test: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which sentences are test sentences with the tokens of a train or an earlier test sentence."""
    import numpy as np
    import pandas as pd

    in_test = is_test[sentences]
    test = prints[in_test]
    is_known = np.isin(test, prints[~in_test]) | pd.Series(test).duplicated().to_numpy()
    repeated = np.zeros_like(is_test)
    repeated[sentences[in_test][is_known]] = True
    return repeated
