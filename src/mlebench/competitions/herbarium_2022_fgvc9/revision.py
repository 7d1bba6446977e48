"""Revision v1.1: the numbers of the test images do not follow from the split."""

from functools import partial

from mlebench.competitions.herbarium_2022_fgvc9.prepare import prepare
from mlebench.recipes.coco import NUMBERED_BY_HASH
from mlebench.revision import Changes

changes = Changes(
    fixes=(NUMBERED_BY_HASH,),
    comparability="near",
    prepare=partial(prepare, numbered_by_hash=True),
)
