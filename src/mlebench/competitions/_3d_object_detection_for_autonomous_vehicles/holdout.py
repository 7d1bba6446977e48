"""The hold-out for training: drives are drawn by the hash of their tokens."""

from functools import partial

from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.prepare import prepare
from mlebench.recipes.holdouts import HoldOut, split_hold_out

hold_out = HoldOut(tables={}, prepare=partial(prepare, with_own_logs=True, split=split_hold_out))
