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


def prepare_language(language: str) -> Callable[[Raw, Path, Path], None]:
    """The preparation for the files of one language, `en` or `ru`."""

    def prepare(raw: Raw, public: Path, private: Path) -> None:
        with unpacked(raw / f"{language}_train.csv.zip") as content, ExitStack() as stack:
            source = content / f"{language}_train.csv"
            number, is_test = number_sentences(source)
            train, test, sample = (
                stack.enter_context(_zipped_table(stack, public / f"{language}_{name}.csv.zip"))
                for name in ("train", "test_2", "sample_submission_2")
            )
            answers, private_sample = (
                stack.enter_context(TableWriter(private / name, quote_texts=True))
                for name in ("answers.csv", "sample_submission.csv")
            )
            for piece in read_pieces(source, dtype=TYPES):
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
