"""Reading, splitting and writing tables, byte for byte."""

from mlebench.tables.reading import (
    JsonLines,
    read_at_once,
    read_json_rows,
    read_pieces,
    read_table,
)
from mlebench.tables.splitting import (
    one_hot,
    split_groups,
    split_positions,
    split_rows,
    split_sorted_groups,
)
from mlebench.tables.writing import TableWriter, format_table, write_json_rows, write_table

__all__ = [
    "JsonLines",
    "TableWriter",
    "format_table",
    "one_hot",
    "read_at_once",
    "read_json_rows",
    "read_pieces",
    "read_table",
    "split_groups",
    "split_positions",
    "split_rows",
    "split_sorted_groups",
    "write_json_rows",
    "write_table",
]
