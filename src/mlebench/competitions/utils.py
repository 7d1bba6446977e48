"""What importers of the published package expect in `mlebench.competitions.utils`.

Our own graders use `mlebench.formats` and `mlebench.metrics` instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import InvalidSubmissionError

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

__all__ = [
    "df_to_one_hot",
    "get_ids_from_tf_records",
    "is_one_hot_encoded",
    "one_hot_dfs_to_log_loss_inputs",
    "prepare_for_accuracy_metric",
    "prepare_for_auroc_metric",
    "rle_decode",
    "rle_encode",
    "rles_to_masks",
]


def prepare_for_accuracy_metric(
    submission: pd.DataFrame, answers: pd.DataFrame, target_column: str, id_column: str
) -> dict[str, NDArray[Any]]:
    """`y_true` and `y_pred`, both in the order of the ids."""
    columns = [id_column, target_column]
    predicted, true = _in_order_of_ids(submission, answers, id_column, columns)
    return {"y_true": true[target_column].to_numpy(), "y_pred": predicted[target_column].to_numpy()}


def prepare_for_auroc_metric(
    submission: pd.DataFrame, answers: pd.DataFrame, id_col: str, target_col: str
) -> dict[str, NDArray[Any]]:
    """`y_true` and `y_score`, both in the order of the ids; scores must be numbers from 0 to 1."""
    from pandas.api.types import is_numeric_dtype

    predicted, true = _in_order_of_ids(submission, answers, id_col, [id_col, target_col])
    scores = predicted[target_col]
    if not is_numeric_dtype(scores):
        raise InvalidSubmissionError(f"column {target_col!r} has {scores.dtype}, expected numbers")
    if not scores.between(0, 1).all():
        raise InvalidSubmissionError(f"column {target_col!r} has values outside 0 to 1, or gaps")
    return {"y_true": true[target_col].to_numpy(), "y_score": scores.to_numpy()}


def df_to_one_hot(
    df: pd.DataFrame, id_column: str, target_column: str, classes: Sequence[Any]
) -> pd.DataFrame:
    """A table of the ids and one column per class: 1 where the target is that class, else 0."""
    _require_columns(df, [id_column, target_column], "the table")
    foreign = sorted(set(map(str, df[target_column])) - set(map(str, classes)))
    if foreign:
        raise InvalidSubmissionError(f"column {target_column!r} has unknown classes: {foreign[:5]}")
    one_hot = df[[id_column]].copy()
    for name in classes:
        one_hot[name] = (df[target_column].astype(str) == str(name)).astype(int)
    return one_hot


def one_hot_dfs_to_log_loss_inputs(
    submission_one_hot: pd.DataFrame,
    answers_one_hot: pd.DataFrame,
    id_column: str = "id",
    apply_softmax: bool = True,
) -> dict[str, NDArray[Any]]:
    """`y_true` and `y_pred` as matrices: rows in the order of the ids, classes as in the answers.

    Args:
        apply_softmax: over each row, unless the predictions are one-hot.
    """
    columns = list(answers_one_hot.columns)
    predicted, true = _in_order_of_ids(submission_one_hot, answers_one_hot, id_column, columns)
    if len(submission_one_hot.columns) != len(columns):
        foreign = [name for name in submission_one_hot.columns if name not in columns]
        raise InvalidSubmissionError(f"the submission has unexpected columns: {foreign[:5]}")
    classes = [name for name in columns if name != id_column]
    y_pred = predicted[classes].to_numpy()
    if apply_softmax and not is_one_hot_encoded(y_pred):
        from scipy.special import softmax

        y_pred = softmax(y_pred, axis=-1)
    return {"y_true": true[classes].to_numpy(), "y_pred": y_pred}


def is_one_hot_encoded(y: NDArray[Any]) -> bool:
    """Whether each row of a matrix has a single 1 and otherwise zeros."""
    import numpy as np

    values = np.asarray(y)
    return bool(np.isin(values, (0, 1)).all() and (values.sum(axis=-1) == 1).all())


def rle_decode(rle: str | Iterable[int] | None, height: int, width: int) -> NDArray[Any]:
    """The mask that run lengths describe: `start length` pairs, column by column, counted from 1.

    Starts must ascend, numbers be positive and runs not overlap; else InvalidSubmissionError. No
    text, or a gap, is an empty mask. What exceeds the picture is cut off.
    """
    import numpy as np

    numbers = _run_lengths(rle)
    starts, lengths = numbers[::2], numbers[1::2]
    if any(number <= 0 for number in numbers):
        raise InvalidSubmissionError("run lengths contain a number below 1")
    ends = [start + length for start, length in zip(starts, lengths, strict=True)]
    if any(later <= earlier for earlier, later in pairwise(starts)):
        raise InvalidSubmissionError("run lengths have starts that do not ascend")
    if any(start < end for end, start in zip(ends, starts[1:], strict=False)):
        raise InvalidSubmissionError("run lengths overlap")
    mask = np.zeros(height * width, dtype=np.uint8)
    for start, end in zip(starts, ends, strict=True):
        mask[start - 1 : end - 1] = 1
    return mask.reshape((height, width), order="F")


def _run_lengths(rle: str | Iterable[int] | None) -> list[int]:
    if rle is None or isinstance(rle, float):
        return []
    try:
        numbers = [int(word) for word in (rle.split() if isinstance(rle, str) else rle)]
    except ValueError as error:
        raise InvalidSubmissionError(f"run lengths are not whole numbers: {error}") from None
    if len(numbers) % 2:
        raise InvalidSubmissionError(f"run lengths need pairs; found {len(numbers)} numbers")
    return numbers


def rle_encode(mask: NDArray[Any], fg_val: int = 1) -> list[int]:
    """The run lengths of the pixels that equal `fg_val`: start, length, start, length …"""
    import numpy as np

    pixels = np.concatenate([[False], np.asarray(mask).flatten(order="F") == fg_val, [False]])
    edges = np.flatnonzero(pixels[1:] != pixels[:-1])
    starts, ends = edges[::2], edges[1::2]
    return [int(number) for pair in zip(starts + 1, ends - starts, strict=True) for number in pair]


def rles_to_masks(rles: Iterable[str], height: int, width: int) -> list[NDArray[Any]]:
    """The mask of each text, all of one size."""
    return [rle_decode(rle, height, width) for rle in rles]


def get_ids_from_tf_records(
    tf_record_path: Path | str, id_feature: str = "image_name"
) -> list[str]:
    """A text feature of every example of a TFRecord file, read without TensorFlow."""
    from mlebench.archives.raw import RawFolder
    from mlebench.recipes.tfrecord import read_feature, read_records

    path = Path(tf_record_path)
    records = read_records(RawFolder(path.parent) / path.name)
    return [read_feature(record, id_feature).decode() for record in records]


def _in_order_of_ids(
    submission: pd.DataFrame, answers: pd.DataFrame, id_column: str, columns: Sequence[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both tables sorted by id; the ids must be the same."""
    _require_columns(submission, columns, "the submission")
    _require_columns(answers, columns, "the answers")
    if len(submission) != len(answers):
        raise InvalidSubmissionError(
            f"the submission has {len(submission)} rows, expected {len(answers)}"
        )
    try:
        predicted = submission.sort_values(id_column, ignore_index=True)
    except TypeError:
        raise InvalidSubmissionError(f"column {id_column!r} mixes texts and numbers") from None
    true = answers.sort_values(id_column, ignore_index=True)
    if predicted[id_column].tolist() != true[id_column].tolist():
        raise InvalidSubmissionError(f"the ids in {id_column!r} are not those of the answers")
    return predicted, true


def _require_columns(table: pd.DataFrame, columns: Sequence[str], what: str) -> None:
    missing = [name for name in columns if name not in table.columns]
    if missing:
        raise InvalidSubmissionError(f"{what} has no column {missing}; found {list(table.columns)}")
