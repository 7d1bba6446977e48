"""The hold-out for training: records are drawn by hash."""

from functools import partial
from operator import itemgetter

from mlebench.competitions.google_research_identify_contrails_reduce_global_warming.prepare import (
    prepare,
)
from mlebench.recipes.holdouts import HoldOut, split_hold_out

hold_out = HoldOut(
    tables={},
    prepare=partial(
        prepare,
        with_test_metadata=True,
        split=partial(split_hold_out, key=itemgetter("record_id")),
    ),
)
