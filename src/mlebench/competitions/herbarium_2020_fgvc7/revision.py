"""Revision v1.1: the numbers of the test images do not follow from the split."""

from functools import partial

from mlebench.competitions.herbarium_2020_fgvc7.competition import prepare
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import signed_whole_numbers
from mlebench.recipes.coco import NUMBERED_BY_HASH
from mlebench.revision import WHOLE_CLASSES, Changes, Fix

changes = Changes(
    fixes=(
        NUMBERED_BY_HASH,
        WHOLE_CLASSES,
        Fix(
            "UTF-8 names are read as Latin-1, so that each accented letter becomes two characters",
            "names are read as UTF-8, and bytes that are not valid UTF-8 as Latin-1",
        ),
    ),
    comparability="near",
    prepare=partial(prepare, is_revised=True),
    submission=RowPerId(id="Id", target="Predicted", values=signed_whole_numbers),
    scoring="reported",
    reason="bronze is the median of the board, so that any working model wins a medal",
    flags=(
        "easy bronze: it is the median of the board (0.05334)",
        "crowded board: 12 % of the teams have the score of one public baseline, which is bronze",
    ),
    passages={
        "A fraction is cut off: 7.9 counts as 7.": ("A number with a fraction is refused."),
        "Fractions are cut off towards zero.": ("Numbers with a fraction are refused."),
        "Letters with accents in the training metadata are garbled … if you need it.": "",
        "Accented letters in names came out as two characters each; … to mend it.": "",
    },
)
