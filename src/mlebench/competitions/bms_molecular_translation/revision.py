"""Revision v1.1: an empty prediction is refused."""

from mlebench.formats import TextPerId
from mlebench.formats.values import texts_without_gaps
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "an empty prediction is scored as the text `nan`",
            "a row without a text is refused with a reason",
        ),
    ),
    refuses_gaps=True,
    submission=TextPerId(id="image_id", target="InChI", values=texts_without_gaps),
    passages={
        "An empty cell is not refused but scored as if it held the three letters `nan`.": (
            "An empty cell is refused."
        ),
        "A blank answer is allowed and compared as `nan`.": "A blank answer is refused.",
    },
)
