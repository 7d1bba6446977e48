"""The hold-out for training: a fifth of the images, drawn by hash as in the revision."""

from functools import partial

from mlebench.competitions.paddy_disease_classification.revision import prepare
from mlebench.recipes.holdouts import MAX_SHARE, HoldOut

hold_out = HoldOut(tables={}, prepare=partial(prepare, test_size=MAX_SHARE))
