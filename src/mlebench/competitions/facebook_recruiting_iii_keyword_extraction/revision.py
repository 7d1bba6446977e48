"""Revision v1.1: unknown tags count as false alarms."""

from mlebench.metrics import word_set_micro_f1
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "predicted tags that no test item has are dropped and cost nothing",
            "every predicted word counts",
        ),
    ),
    comparability="new",
    metric=word_set_micro_f1,
)
