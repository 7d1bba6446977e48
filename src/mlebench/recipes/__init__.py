"""Standard preparations that several competitions share."""

from mlebench.recipes.splits import LabelledFiles, TableSplit

__all__ = ["LabelledFiles", "TableSplit"]
