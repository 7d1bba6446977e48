"""Tokens and how they are spoken, split by sentence; each language has the same files."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import zip_member
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.tables import TableWriter, read_pieces, split_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TYPES = {"class": str, "before": str, "after": str}


def prepare_language(
    language: str, *, drops_repeats: bool = False
) -> Callable[[Raw, Path, Path], None]:
    """The preparation for the files of one language, `en` or `ru`.

    Args:
        drops_repeats: whether test sentences that occur elsewhere are left out.
    """

    def prepare(raw: Raw, public: Path, private: Path) -> None:
        import numpy as np

        with unpacked(raw / f"{language}_train.csv.zip") as content, ExitStack() as stack:
            source = content / f"{language}_train.csv"
            number, is_test = number_sentences(source)
            repeated = find_repeats(source, is_test) if drops_repeats else np.zeros_like(is_test)
            train, test, sample = (
                stack.enter_context(_zipped_table(stack, public / f"{language}_{name}.csv.zip"))
                for name in ("train", "test_2", "sample_submission_2")
            )
            answers, private_sample = (
                stack.enter_context(TableWriter(private / name, quote_texts=True))
                for name in ("answers.csv", "sample_submission.csv")
            )
            for piece in read_pieces(source, dtype=TYPES):
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


def number_sentences(source: Raw) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """For each sentence its new number, from 0 in its part, and whether that is the test part."""
    import numpy as np
    import pandas as pd

    pieces = read_pieces(source, usecols=["sentence_id"])
    sentences = pd.unique(np.concatenate([piece["sentence_id"].unique() for piece in pieces]))
    _, test = split_rows(sentences, test_size=0.1)
    is_test = np.zeros(sentences.max() + 1, dtype=bool)
    is_test[test] = True
    number = np.zeros(len(is_test), dtype=np.int64)
    for part in (sentences[~is_test[sentences]], sentences[is_test[sentences]]):
        number[part] = np.arange(len(part))
    return number, is_test


def find_repeats(source: Raw, is_test: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which sentences are test sentences with the tokens of a train or an earlier test sentence."""
    import numpy as np
    import pandas as pd

    prints = np.zeros(len(is_test), dtype=np.uint64)
    for piece in read_pieces(source, dtype=TYPES):
        tokens = pd.util.hash_array(piece["before"].fillna("").to_numpy(dtype=object))
        place = piece["token_id"].to_numpy().astype(np.uint64)
        # A sum, since the rows of a sentence can be in two pieces; the place tells the order.
        mixed = (tokens ^ (place * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
        np.add.at(prints, piece["sentence_id"].to_numpy(), mixed ^ (mixed >> np.uint64(31)))
    in_train = np.isin(prints, prints[~is_test])
    repeated: NDArray[np.bool_] = is_test & (
        in_train | pd.Series(prints).where(is_test).duplicated().to_numpy()
    )
    return repeated
