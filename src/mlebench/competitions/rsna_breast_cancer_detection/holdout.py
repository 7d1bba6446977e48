"""The hold-out for training: patients stay together."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(tables={"train.csv": "patient_id"})
