"""Multi-modal Gesture Recognition: the series of hand signs in a Kinect recording."""

from mlebench.competitions.multi_modal_gesture_recognition.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import integer_lists
from mlebench.metrics import list_error_rate

competition = CompetitionDefinition(
    id="multi-modal-gesture-recognition",
    title="Multi-modal Gesture Recognition",
    category="Video Classification",
    complexity="medium",
    prize_usd=6_000,
    prepare=prepare,
    submission=TextPerId(id="Id", target="Sequence", values=integer_lists),
    metric=list_error_rate,
    sample_submission="public/randomPredictions.csv",
    official_sample_score=0.91966,
    faults=(
        Fault("the .mat files of the public test recordings contain the labels", issue="#77"),
        Fault("the board lacks the 35 last entries: random guesses would win bronze"),
        Fault("an empty cell is refused, so an empty series cannot be predicted"),
    ),
)
