"""Revision v1.1: each text about segments has its own header line."""

from functools import partial

from mlebench.competitions.mlsp_2013_birds.prepare import prepare
from mlebench.revision import Changes, Fix, Noisy, shown_in_train

changes = Changes(
    fixes=(
        Fix(
            "segment_features.txt and segment_rectangles.txt have the header line of the"
            " histograms",
            "all three keep the header lines of the source",
        ),
    ),
    prepare=partial(prepare, with_own_headers=True),
    noisy=Noisy(64, "test recordings", shown_in_train("labels")),
    passages={
        "The first line of all three `.txt` files says … those given above.": (
            "Each of the three `.txt` files starts with a header line of its own."
        ),
        "All three text files start with the line … use the columns above.": (
            "Each of the three text files starts with a header line of its own."
        ),
    },
)
