"""A stream of 58 GB of BSON documents, read twice: once for the labels, once to split it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from mlebench.archives.copying import copy_file
from mlebench.archives.raw import Raw
from mlebench.archives.writing import open_output
from mlebench.tables import split_rows, write_table

if TYPE_CHECKING:
    import pandas as pd

EXAMPLES = 100
TEST_SHARE = 0.1
SplitProducts: TypeAlias = "Callable[[pd.DataFrame], tuple[pd.DataFrame, pd.DataFrame]]"
"""Train and test rows of a table of ids and categories."""


def split_by_seed(labels: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    return split_rows(labels, test_size=TEST_SHARE)


def prepare(raw: Raw, public: Path, private: Path, *, split: SplitProducts = split_by_seed) -> None:
    source = raw / "train.bson"
    _, test = split(read_labels(source))
    answers = test.sort_values("_id")
    write_table(answers, private / "answers.csv")
    write_table(answers.assign(category_id=1000010653), public / "sample_submission.csv")
    copy_file(raw / "category_names.csv", public / "category_names.csv")
    share_out(source, set(answers["_id"]), public)


def read_products(source: Raw) -> Iterator[dict[str, Any]]:
    """The documents of a BSON file, one at a time."""
    import bson

    with source.open() as stream:
        yield from bson.decode_file_iter(stream)


def read_labels(source: Raw) -> pd.DataFrame:
    """Id and category of every product, in the order of the file."""
    import numpy as np
    import pandas as pd

    pairs = ((product["_id"], product["category_id"]) for product in read_products(source))
    table = np.fromiter(pairs, dtype=np.dtype((np.int64, 2)))
    return pd.DataFrame(table, columns=["_id", "category_id"])


def share_out(source: Raw, test_ids: set[int], public: Path) -> None:
    """Write each product into its part; those of the test part lose their category."""
    import bson

    with ExitStack() as stack:
        train, test, example = (
            stack.enter_context(open_output(public / f"{name}.bson"))
            for name in ("train", "test", "train_example")
        )
        examples_left = EXAMPLES
        for product in read_products(source):
            if product["_id"] in test_ids:
                del product["category_id"]
                test.write(bson.encode(product))
                continue
            document = bson.encode(product)
            train.write(document)
            if examples_left:
                example.write(document)
                examples_left -= 1
