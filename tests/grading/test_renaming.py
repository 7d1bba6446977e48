"""The way back from neutral names."""

from __future__ import annotations

from mlebench.grading.renaming import Renaming


def test_cells_may_be_longer_than_the_csv_module_reads_by_default() -> None:
    renaming = Renaming("L3", {}, {"id": "column_01", "mask": "column_02"}, "id", {"7": "rabc"})
    mask = b"1 1 " * 50_000
    assert renaming.restore(b"column_01,column_02\nrabc,%b\n" % mask) == b"id,mask\n7,%b\n" % mask
