"""The hold-out for training: a tenth of the images instead of a number."""

from functools import partial

from mlebench.competitions.alaska2_image_steganalysis.competition import prepare_versions
from mlebench.competitions.alaska2_image_steganalysis.revision import choose_by_hash
from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(prepare=partial(prepare_versions, choose_by_hash, test_size=0.1), renumbers=True)
