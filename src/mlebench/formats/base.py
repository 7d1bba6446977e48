"""What a submission format is, and the checks that all of them share.

A format never computes a score. What `check` refuses depends on the submission and on the public
part of the answers (`keys`: the ids), never on an answer value, so that its verdict reveals nothing
about the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from mlebench.errors import InvalidSubmissionError

if TYPE_CHECKING:
    import pandas as pd


class Aligned(NamedTuple):
    """Truth and prediction in one order, ready for the metric."""

    truth: Any
    prediction: Any
    warnings: tuple[str, ...] = ()
    """What is odd about the submission, although the published grader scores it."""


class SomeAligned(Aligned):
    """Pairs for some rows of the answers, or in another order than theirs."""

    rows: Any = None
    """The row of the answers that each pair belongs to."""

    @classmethod
    def of(cls, truth: Any, prediction: Any, *, rows: Any, warnings: tuple[str, ...] = ()) -> Self:
        found = cls(truth, prediction, warnings)
        found.rows = rows
        return found


class Format(Protocol):
    """The shape of a submission."""

    @property
    def id(self) -> str | None:
        """The column that names the rows; None where rows are matched by position alone."""

    @property
    def targets(self) -> Sequence[str]:
        """The columns with predictions."""

    def keys(self, answers: Any) -> Any:
        """The part of the answers that is not secret: what `check` may know."""

    def check(self, submission: pd.DataFrame, keys: Any) -> None:
        """Raise InvalidSubmissionError with a reason unless the submission has this shape."""

    def align(self, submission: pd.DataFrame, answers: Any) -> Aligned:
        """Truth and prediction, as the published grader pairs and reads them.

        Raises InvalidSubmissionError where that grader refuses the submission or stops; may accept
        what `check` refuses, with a warning.
        """


def as_list(names: str | tuple[str, ...]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def require_columns(submission: pd.DataFrame, names: list[str], *, exact: bool = False) -> None:
    """Check that every named column exists (and, if exact, no other)."""
    found = [str(name) for name in submission.columns]
    missing = [name for name in names if name not in found]
    if missing:
        raise InvalidSubmissionError(
            f"submission lacks column {shorten(missing)}; found {shorten(found)},"
            f" expected {shorten(names)}"
        )
    extra = [name for name in found if name not in names]
    if exact and extra:
        raise InvalidSubmissionError(
            f"submission has further columns {shorten(extra)}; expected exactly {shorten(names)}"
        )


def require_rows(submission: pd.DataFrame, expected: int, id_name: str) -> None:
    """Check that there are as many rows as answers."""
    if len(submission) != expected:
        raise InvalidSubmissionError(
            f"submission has {len(submission):,} rows, expected {expected:,}: one per {id_name}"
        )


def scored_all_the_same(refusal: InvalidSubmissionError) -> tuple[str, ...]:
    """The warning about a submission that `check` refuses and the published grader scores."""
    return (f"{refusal}; scored as the published grader does",)


def shorten(names: list[str], limit: int = 6) -> str:
    """Names for a message, cut when there are many."""
    shown = ", ".join(repr(name[:60]) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown} … ({len(names)} in all)"
