"""The hold-out for training: a fifth of the sentences, drawn by hash as in the revision."""

from functools import partial

from mlebench.competitions.movie_review_sentiment_analysis_kernels_only.revision import prepare
from mlebench.recipes.holdouts import MAX_SHARE, HoldOut

hold_out = HoldOut(tables={}, prepare=partial(prepare, test_size=MAX_SHARE))
