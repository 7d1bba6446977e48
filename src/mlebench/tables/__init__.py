"""Reading, splitting and writing tables, byte for byte."""

from mlebench.tables.reading import JsonLines, read_pieces, read_table, read_zipped_table
from mlebench.tables.splitting import (
    Splitting,
    one_hot,
    split_groups,
    split_positions,
    split_rows,
    split_sorted_groups,
)
from mlebench.tables.writing import TableWriter, format_table, write_table

__all__ = [
    "JsonLines",
    "Splitting",
    "TableWriter",
    "format_table",
    "one_hot",
    "read_pieces",
    "read_table",
    "read_zipped_table",
    "split_groups",
    "split_positions",
    "split_rows",
    "split_sorted_groups",
    "write_table",
]
