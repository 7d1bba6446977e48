"""Arrays of two gigabytes, their rows shuffled into two parts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.archives.raw import Raw
from mlebench.tables import split_positions, write_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK_ROWS = 1 << 14


def prepare(raw: Raw, public: Path, private: Path) -> None:
    import numpy as np
    import pandas as pd

    source, goal = raw / "timit_11" / "timit_11", public / "timit_11" / "timit_11"
    frames, labels = load_array(source / "train_11.npy"), load_array(source / "train_label_11.npy")
    unlabelled = count_rows(source / "test_11.npy")
    share = unlabelled / (len(frames) + unlabelled)
    train, test = split_positions(len(frames), test_size=share)
    save_rows(frames, train, goal / "train_11.npy")
    save_rows(labels, train, goal / "train_label_11.npy")
    save_rows(frames, test, goal / "test_11.npy")
    answers = pd.DataFrame({"Id": np.arange(len(test)), "ClassId": labels[test]})
    write_table(answers, private / "answers.csv")
    write_table(answers.assign(ClassId=0), public / "sampleSubmission.csv")


def load_array(file: Raw) -> NDArray[Any]:
    """The array in an `.npy` file; arrays of Python objects are refused."""
    import numpy as np

    with file.open() as stream:
        return np.lib.format.read_array(stream, allow_pickle=False)


def count_rows(file: Raw) -> int:
    """The length of the array in an `.npy` file, from its header alone."""
    from numpy.lib import format as npy

    with file.open() as stream:
        is_first_version = npy.read_magic(stream) == (1, 0)
        read = npy.read_array_header_1_0 if is_first_version else npy.read_array_header_2_0
        return int(read(stream)[0][0])


def save_rows(array: NDArray[Any], rows: NDArray[np.int64], path: Path) -> None:
    """Write the rows, in this order, as numpy's `save` does, but without a copy of them all."""
    from numpy.lib.format import open_memmap

    path.parent.mkdir(parents=True, exist_ok=True)
    shape = (len(rows), *array.shape[1:])
    goal = open_memmap(path, mode="w+", dtype=array.dtype, shape=shape)
    for start in range(0, len(rows), BLOCK_ROWS):
        goal[start : start + BLOCK_ROWS] = array[rows[start : start + BLOCK_ROWS]]
    goal.flush()
