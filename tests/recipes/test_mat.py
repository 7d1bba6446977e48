"""MATLAB files with listed fields only, read back by scipy."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from scipy.io import loadmat, savemat

from mlebench.errors import DataError
from mlebench.recipes.mat import is_mat, keep_fields

JOINT = {"Position": np.arange(6.0).reshape(2, 3), "Labels": "inner"}
VIDEO = {"NumFrames": 2.0, "Frames": [{"Skeleton": JOINT}, {"Skeleton": JOINT}], "Labels": "secret"}


def saved(*, compressed: bool) -> bytes:
    out = io.BytesIO()
    savemat(out, {"Video": VIDEO, "Other": np.ones(3)}, do_compression=compressed)
    return out.getvalue()


def loaded(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = loadmat(io.BytesIO(data), simplify_cells=True)
    return {name: value for name, value in found.items() if not name.startswith("__")}


@pytest.mark.parametrize("compressed", [False, True])
def test_keep_fields(compressed: bool) -> None:
    data = saved(compressed=compressed)
    assert is_mat(data)
    kept = keep_fields(data, ["NumFrames", "Frames"], never=["Labels"])
    assert b"secret" not in kept and b"s\0e\0c\0r\0e\0t" not in kept
    (video,) = loaded(kept).values()
    assert set(video) == {"NumFrames", "Frames"}
    assert video["NumFrames"] == 2
    assert [set(frame["Skeleton"]) for frame in video["Frames"]] == [{"Position"}] * 2
    assert np.array_equal(video["Frames"][1]["Skeleton"]["Position"], JOINT["Position"])


def test_same_bytes_with_and_without_compression() -> None:
    one, other = (keep_fields(saved(compressed=c), ["Frames"]) for c in (False, True))
    assert one == other


def test_not_a_mat_file() -> None:
    assert not is_mat(b"")
    assert not is_mat(b"\x89HDF\r\n\x1a\n" + bytes(600))


def test_truncated() -> None:
    data = saved(compressed=False)
    with pytest.raises(DataError, match="ends inside an element"):
        keep_fields(data[:300], ["Frames"])
    packed = saved(compressed=True)
    damaged = packed[:140] + b"\xff" * 40 + packed[180:]
    with pytest.raises(DataError, match="cannot be unpacked"):
        keep_fields(damaged, ["Frames"])
