"""Standard preparations that several competitions share: splits of a table, and steps after it."""

from mlebench.recipes.splits import ClassSplit, LabelSplit, TableSplit, write_classes, write_sample
from mlebench.recipes.steps import (
    ClassFolders,
    Copies,
    Files,
    Folders,
    Recipe,
    TrainRows,
    ZippedFiles,
    with_public_sample,
)

__all__ = [
    "ClassFolders",
    "ClassSplit",
    "Copies",
    "Files",
    "Folders",
    "LabelSplit",
    "Recipe",
    "TableSplit",
    "TrainRows",
    "ZippedFiles",
    "with_public_sample",
    "write_classes",
    "write_sample",
]
