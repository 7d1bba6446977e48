"""What a competition declares about its hold-out, which training is scored against.

A hold-out is made by the preparation of revision v1.1, with the public train part as its raw data;
`mlebench.gym.holdout` does so. A competition whose public folder has another layout than the raw
data, or that would draw from it in another way, says so in its `holdout.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from mlebench.archives.copying import seven_zip_files, zip_files
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import ARCHIVES, unpacked
from mlebench.recipes.hashes import hash_of, split_drawn
from mlebench.recipes.splits import Split
from mlebench.recipes.steps import Recipe

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

MAX_SHARE = 0.2
"""The largest share of the train part that is held out, if the recipe states a share."""

Prepare: TypeAlias = "Callable[[Raw, Path, Path], object]"


@dataclass(frozen=True, kw_only=True)
class HoldOut:
    """How the hold-out of a competition is made."""

    reason: str = ""
    """Why there can be none; empty if there is one."""

    tables: Mapping[str, str | None] = field(
        default_factory=lambda: dict.fromkeys(("train.csv", "train_labels.csv", "labels.csv"))
    )
    """Tables of the public folder that the preparation draws from, each with the column of items
    that stay together (by default the first). Their rows are put into the order of the hashes of
    that column, so that the hashes decide what is held out, and not the order of the file."""

    links: Mapping[str, str] = field(default_factory=dict)
    """Paths of the raw data that have another name in the public folder."""

    archives: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Archives of the raw data: which public file, folder or archive a member contains."""

    make_raw: Callable[[Raw, Path], None] | None = None
    """Writes further files of the raw data, given the public folder; they replace public ones."""

    is_whole: bool = False
    """Whether `make_raw` writes all raw data, so that nothing else of the public folder is used."""

    prepare: Prepare | None = None
    """Instead of the preparation of the revision."""

    renumbers: bool = False
    """Whether items have numbers of their own in the hold-out, which may equal those of others."""


def preparation_for(hold_out: HoldOut, prepare: Prepare) -> Prepare:
    """The preparation that makes the hold-out; a share of a recipe is limited to a fifth."""
    if hold_out.prepare:
        return hold_out.prepare
    if isinstance(prepare, Split):
        return _limited(prepare)
    if isinstance(prepare, Recipe) and isinstance(prepare.split, Split):
        return Recipe(_limited(prepare.split), *prepare.steps)
    return prepare


def _limited(split: Split) -> Split:
    is_share = isinstance(split.test_size, float)
    return replace(split, test_size=min(split.test_size, MAX_SHARE)) if is_share else split


def in_hold_out(key: str | bytes) -> bytes:
    """The sort key of an item; it differs from that of the revision's own draws."""
    return hash_of("hold-out", key)


def is_held_out(key: str | bytes, share: float) -> bool:
    """Whether an item of a stream is held out: those in the lowest share of all hashes are."""
    return int.from_bytes(in_hold_out(key)[:8], "big") < share * 2**64


def held_out_rows(
    keys: Iterable[str | bytes], count: int, share: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row numbers of both parts of a table that is too large to be sorted, in its order."""
    import numpy as np

    is_test = np.fromiter((is_held_out(key, share) for key in keys), bool, count)
    return np.flatnonzero(~is_test), np.flatnonzero(is_test)


def lowest(keys: Any, size: float | int) -> set[str]:
    """The distinct keys that are held out, a share or a number: those with the lowest hashes."""
    ordered = sorted({str(key) for key in keys}, key=in_hold_out)
    count = math.ceil(size * len(ordered)) if isinstance(size, float) else size
    return set(ordered[:count])


def split_hold_out(
    rows: Any, *, test_size: float | int, seed: int = 0, key: Callable[[Any], object] = str
) -> tuple[list[Any], list[Any]]:
    """In place of `split_rows`: the items with the lowest hashes of keys are held out; all keep
    their order.

    Args:
        seed: has no effect.
    """
    held_out = lowest(map(key, rows), test_size)
    parts: tuple[list[Any], list[Any]] = [], []
    for row in rows:
        parts[str(key(row)) in held_out].append(row)
    return parts


def split_groups_of_hold_out(
    frame: pd.DataFrame, column: str, *, test_size: float | int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """In place of `split_sorted_groups`: groups stay together, and rows keep their order."""
    return split_drawn(frame, column, lowest(frame[column].unique(), test_size))


def pack(public: Raw, members: Mapping[str, str], target: Path) -> None:
    """Write an archive of the raw data from public files, folders and archives."""
    files: dict[str, Raw | bytes] = {}
    for member, name in members.items():
        source, prefix = public / name, f"{member}/" if member else ""
        if source.is_dir():
            files |= {f"{prefix}{source.relative(file)}": file for file in source.walk()}
        elif name.endswith(ARCHIVES) and not member.endswith(ARCHIVES):
            with unpacked(source) as content:
                inside = {file.path: file.read_bytes() for file in content.walk()}
            if (only := inside.get(Path(member).name)) is not None:
                files[member] = only
            else:
                files |= {f"{prefix}{path}": data for path, data in inside.items()}
        else:
            files[member] = source
    (seven_zip_files if target.suffix == ".7z" else zip_files)(files, target)
