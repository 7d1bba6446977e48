"""The hold-out for training: studies of each kind in the order of their hashes."""

from functools import partial

from mlebench.competitions.rsna_2022_cervical_spine_fracture_detection.revision import prepare
from mlebench.recipes.holdouts import HoldOut, in_hold_out

hold_out = HoldOut(prepare=partial(prepare, key=in_hold_out))
