"""The submission format: a prediction per comment, in a column of either of two names."""

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned, RowPerId
from mlebench.tables.frames import Frame

OTHER_NAME = "toxicity"


class PredictionRows(RowPerId):
    """Like RowPerId, but the predictions may be called as in the answers."""

    def check(self, submission: Frame, keys: Frame) -> None:
        super().check(self._renamed(submission), keys)

    def align(self, submission: Frame, answers: Frame) -> Aligned:
        return super().align(self._renamed(submission), answers)

    def _renamed(self, submission: Frame) -> Frame:
        (target,) = self.targets
        if {target, OTHER_NAME}.issubset(submission.columns):
            raise InvalidSubmissionError(
                f"submission has both columns {target!r} and {OTHER_NAME!r}, expected one of them"
            )
        return submission.rename(columns={OTHER_NAME: target})
