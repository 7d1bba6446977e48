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
    passages={
        "about 600,000 questions: `Id`, `Title`, `Body` |": (
            "fewer than 600,000 questions: `Id`, `Title`, `Body`; those whose title and text"
            " occur in train, or earlier in the test, are left out |"
        ),
        "about 600,000 rows with `Id`, `Title`, `Body` |": (
            "fewer than 600,000 rows with `Id`, `Title`, `Body`; those whose title and text"
            " occur in train, or earlier in the test, are left out |"
        ),
        "Further columns are ignored, an empty cell means no tag.": (
            "`Title` and `Body` may be given and are ignored; further columns are refused. An"
            " empty cell means no tag."
        ),
        "rows and tags in any order, other columns ignored:": (
            "rows and tags in any order. `Title` and `Body` may be given and are ignored;"
            " other columns are refused."
        ),
        "Only tags that occur in the answers of the test set exist for the metric: a"
        " predicted word that is no tag of any test question is dropped and costs nothing.": (
            "Every predicted word counts: one that is no tag of any test question is a false"
            " positive."
        ),
        "Predicted words that are not a tag of any question in the test set are ignored"
        " altogether.": (
            "Every predicted word counts, also one that is no tag of any question in the test set."
        ),
    },
)
