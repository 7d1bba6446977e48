"""Revision v1.1: cells of another kind are refused."""

from functools import partial

from mlebench.competitions.iwildcam_2020_fgvc7.prepare import prepare
from mlebench.revision import DRAWN_SAMPLE, EASIER_TEST, TEXT_CELLS, Changes

changes = Changes(
    fixes=(TEXT_CELLS, DRAWN_SAMPLE),
    flags=(EASIER_TEST,),
    has_drawn_sample=True,
    prepare=partial(prepare, is_sorted=True),
)
