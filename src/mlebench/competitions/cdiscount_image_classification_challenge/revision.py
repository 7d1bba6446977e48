"""Revision v1.1: cells of another kind are refused."""

from mlebench.revision import TEXT_CELLS, Changes

WITHDRAWN = "the sponsor has withdrawn the data, so that Kaggle refuses new downloads"
changes = Changes(
    fixes=(TEXT_CELLS,),
    scoring="withdrawn",
    reason=WITHDRAWN,
    refused=WITHDRAWN,
)
