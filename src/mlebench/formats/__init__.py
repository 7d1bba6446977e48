"""What a submission must look like: checks its table and aligns it with the answers."""

from mlebench.formats.base import Aligned, Format, SomeAligned, require_columns, require_rows
from mlebench.formats.matching import in_order, match_ids, unknown_ids
from mlebench.formats.rows import (
    LeadingColumns,
    RepeatableRows,
    RowPerId,
    RowPerSortedKey,
    TextPerId,
    with_group,
)

__all__ = [
    "Aligned",
    "Format",
    "LeadingColumns",
    "RepeatableRows",
    "RowPerId",
    "RowPerSortedKey",
    "SomeAligned",
    "TextPerId",
    "in_order",
    "match_ids",
    "require_columns",
    "require_rows",
    "unknown_ids",
    "with_group",
]
