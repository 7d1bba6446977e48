"""Revision v1.1: the numbers of the test images do not follow from the split."""

from functools import partial

from mlebench.competitions.herbarium_2022_fgvc9.prepare import prepare
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import signed_whole_numbers
from mlebench.recipes.coco import NUMBERED_BY_HASH
from mlebench.revision import WHOLE_CLASSES, Changes

changes = Changes(
    fixes=(NUMBERED_BY_HASH, WHOLE_CLASSES),
    comparability="near",
    prepare=partial(prepare, numbered_by_hash=True),
    submission=RowPerId(id="Id", target="Predicted", values=signed_whole_numbers),
    passages={
        "A fraction is cut off: 7.9 counts as 7.": ("A number with a fraction is refused."),
        "Fractions are cut off towards zero.": ("Numbers with a fraction are refused."),
    },
)
