"""Revision v1.1: a contact is 0 or 1."""

from mlebench.formats import RowPerId
from mlebench.formats.class_labels import class_numbers
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(Fix("labels other than 0 and 1 are further classes", "a contact is 0 or 1"),),
    flags=("24 % of the board's teams have the score of one public baseline",),
    submission=RowPerId(id="contact_id", target="contact", values=class_numbers(0, 1)),
    passages={
        "or `contact` is empty, a word or has a fraction.": "or a `contact` is not 0 or 1.",
        "Labels other than 0 and 1 are not refused but scored by the form … Σ t_k²)).": "",
        "or if a value is empty, textual or fractional.": "or if a value is not 0 or 1.",
        "Should other labels than 0 and 1 occur, the generalised form is used: … Σ t_k²)).": "",
    },
)
