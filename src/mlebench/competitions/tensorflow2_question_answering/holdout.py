"""The hold-out for training: examples are drawn by hash, in each thousand of them."""

from functools import partial
from operator import itemgetter

from mlebench.competitions.tensorflow2_question_answering.prepare import prepare
from mlebench.recipes.holdouts import HoldOut, split_hold_out

hold_out = HoldOut(
    tables={},
    prepare=partial(
        prepare, is_sorted=True, split=partial(split_hold_out, key=itemgetter("example_id"))
    ),
)
