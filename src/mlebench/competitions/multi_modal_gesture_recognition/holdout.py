"""The hold-out for training: the third of three archives of labelled recordings."""

from functools import partial

from mlebench.competitions.multi_modal_gesture_recognition.revision import prepare
from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(tables={}, prepare=partial(prepare, test_part=3))
