"""Arrays written in blocks are the bytes that numpy writes at once."""

import numpy as np

from mlebench.archives.raw import RawFolder
from mlebench.competitions.ml2021spring_hw2 import prepare as module


def test_rows_in_blocks_are_the_bytes_of_save(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BLOCK_ROWS", 7)
    array = np.random.default_rng(0).random((30, 4)).astype("float32")
    rows = [29, 3, 3, *range(20)]
    module.save_rows(array, rows, tmp_path / "blocks.npy")
    np.save(tmp_path / "whole.npy", array[rows])
    blocks, whole = tmp_path / "blocks.npy", tmp_path / "whole.npy"
    assert blocks.read_bytes() == whole.read_bytes()
    assert module.count_rows(RawFolder(tmp_path) / "whole.npy") == len(rows)
    assert (module.load_array(RawFolder(tmp_path) / "whole.npy") == array[rows]).all()
