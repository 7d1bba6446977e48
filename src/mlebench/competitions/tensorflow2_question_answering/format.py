"""Two rows per example, one for the long and one for the short answer, against JSON lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.competitions.tensorflow2_question_answering.prepare import span
from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned, match_ids, require_columns, require_rows
from mlebench.formats.values import texts

if TYPE_CHECKING:
    import pandas as pd

PLAIN = r"|YES|NO|(?:0|-?[1-9][0-9]*):(?:0|-?[1-9][0-9]*)"
"""Cells that are compared as they are."""


@dataclass(frozen=True)
class AnswerRows:
    """Predictions are empty, `YES`, `NO` or `start:end`; the truth is all right ones, as words."""

    id: str = "example_id"
    target: str = "PredictionString"

    @property
    def targets(self) -> list[str]:
        return [self.target]

    def keys(self, answers: Iterable[dict[str, Any]]) -> Any:
        return self._column(name for example in answers for name in names(example))

    def check(self, submission: pd.DataFrame, keys: Any) -> None:
        self._predictions(submission, keys)

    def align(self, submission: pd.DataFrame, answers: Iterable[dict[str, Any]]) -> Aligned:
        ids, truth = [], []
        # Examples come with whole documents, so only one is held at a time.
        for example in answers:
            ids += names(example)
            truth += [right(example) for right in KINDS.values()]
        predictions, order = self._predictions(submission, self._column(ids))
        return Aligned(truth, predictions[order])

    def _column(self, ids: Iterable[str]) -> Any:
        import pandas as pd

        return pd.Series(list(ids), name=self.id)

    def _predictions(self, submission: pd.DataFrame, keys: Any) -> tuple[Any, Any]:
        require_columns(submission, [self.id, self.target])
        require_rows(submission, len(keys), f"{self.id}: a long and a short one per example")
        order = match_ids(submission[self.id], keys)
        return predicted_answers(submission[[self.target]]), order


def names(example: dict[str, Any]) -> list[str]:
    """The ids of an example's rows."""
    return [f"{example['example_id']}_{kind}" for kind in KINDS]


def predicted_answers(frame: pd.DataFrame) -> Any:
    """Each cell without needless blanks, zeros and signs."""
    import pandas as pd

    cells = pd.Series(texts(frame)).str.strip().astype(object)
    other = ~cells.str.fullmatch(PLAIN).astype(bool)
    cells[other] = [_as_span(cell) for cell in cells[other]]
    return cells.to_numpy()


def _as_span(cell: str) -> str:
    try:
        start, end = (int(part) for part in cell.split(":"))
        return f"{start}:{end}"
    except ValueError:
        raise InvalidSubmissionError(
            f"{cell[:60]!r} is no answer; expected nothing, YES, NO or two tokens as in 12:15"
        ) from None


def right_long_answers(example: dict[str, Any]) -> str:
    answer = example["annotations"][0]["long_answer"]
    return span(answer) if answer["start_token"] != -1 else ""


def right_short_answers(example: dict[str, Any]) -> str:
    found = example["annotations"][0]
    spans = [span(answer) for answer in found["short_answers"]]
    return " ".join(spans if found["yes_no_answer"] == "NONE" else [*spans, found["yes_no_answer"]])


KINDS = {"long": right_long_answers, "short": right_short_answers}
