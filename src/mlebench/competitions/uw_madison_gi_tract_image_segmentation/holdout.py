"""The hold-out for training: cases are drawn by hash."""

from functools import partial

from mlebench.competitions.uw_madison_gi_tract_image_segmentation.prepare import prepare
from mlebench.recipes.holdouts import HoldOut, split_hold_out

hold_out = HoldOut(tables={}, prepare=partial(prepare, split=split_hold_out))
