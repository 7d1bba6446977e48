"""What a submission must look like: checks its table and aligns it with the answers."""

from mlebench.formats.formats import (
    Aligned,
    Format,
    LeadingColumns,
    RepeatableRows,
    RowInOrder,
    RowPerId,
    RowPerSortedKey,
    ScoredRows,
    TextPerId,
    in_order,
    match_ids,
    require_columns,
    require_rows,
    strangers,
    with_group,
)

__all__ = [
    "Aligned",
    "Format",
    "LeadingColumns",
    "RepeatableRows",
    "RowInOrder",
    "RowPerId",
    "RowPerSortedKey",
    "ScoredRows",
    "TextPerId",
    "in_order",
    "match_ids",
    "require_columns",
    "require_rows",
    "strangers",
    "with_group",
]
