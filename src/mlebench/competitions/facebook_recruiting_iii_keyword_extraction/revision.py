"""Revision v1.1: unknown tags count as false alarms, and test questions occur once."""

from functools import partial

from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.prepare import prepare
from mlebench.metrics import word_set_micro_f1
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "predicted tags that no test item has are dropped and cost nothing",
            "every predicted word counts",
        ),
        Fix(
            "repeated questions are in train and test, so tags can be looked up",
            "test questions whose title and text occur in train or earlier in the test are left"
            " out",
        ),
    ),
    comparability="new",
    flags=(
        "lone tags such as `nan` and `null` are missing in train and answers, as in v1: both"
        " revisions share the train table",
    ),
    prepare=partial(prepare, drops_repeats=True),
    metric=word_set_micro_f1,
)
