"""Checks that train and test are apart: no duplicates of items, no groups on both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from mlebench.audit.audited import Audited, PublicFile
from mlebench.audit.fields import IMAGES, LARGEST
from mlebench.audit.record import Observation, Status

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

MOST_EXACT, MOST_NEAR = 0.001, 0.01
MOST_FILES = 20_000
DISTINCT, SHORTEST_TEXT = 0.95, 40
BITS, SIMILAR, HASHES, BANDS = 4, 0.9, 64, 16
FEW_GROUPS, MOST_GROUPS = 5, 0.9
PRIME = (1 << 31) - 1
MEDIA = (*IMAGES, ".wav", ".aif", ".aiff", ".flac", ".mp3", ".npy", ".dcm", ".txt", ".tif")
GROUP = re.compile(
    r"(?i)^(\w+_)?(patient|speaker|subject|person|user|location|site|sentence|session|recording|"
    r"slide|question|author|player|utterance)_?(id|uid|name|key)?$"
)


def check_duplicates(audited: Audited) -> Iterator[Observation]:
    """Test items have no exact and no near duplicate among the training items."""
    if not audited.has_own_board:
        yield Observation("not applicable", "the content of rehearsal data is synthetic")
        return
    found = [*_duplicate_files(audited), *_duplicate_rows(audited)]
    yield from found
    if not found:
        yield Observation("not applicable", "no files or rows to compare")


def _judge(kind: str, shared: list[str], total: int, threshold: float) -> Observation:
    share = len(shared) / total
    example = f", for example {shared[0]}" if shared else ""
    text = f"{len(shared)} of {total} test {kind} in train{example}"
    status: Status = "fail" if share > threshold else "pass"
    return Observation(status, text, round(share, 5), threshold)


def _duplicate_files(audited: Audited) -> Iterator[Observation]:
    from mlebench.archives.digests import raw_sha256

    media = [f for f in audited.files if f.raw.suffix.lower() in MEDIA]
    train = [f for f in media if audited.part_of(f) == "train"][:MOST_FILES]
    test = [f for f in media if audited.part_of(f) == "test"][:MOST_FILES]
    if not train or not test:
        return
    known = {raw_sha256(file.raw) for file in train}
    same = [file.path for file in test if raw_sha256(file.raw) in known]
    yield _judge("files are exact duplicates of files", same, len(test), MOST_EXACT)
    hashes = _image_hashes(train)
    sought = _image_hashes(test)
    if len(hashes) and len(sought):
        values = np.array(list(hashes.values()), dtype=np.uint64)
        near = [path for path, value in sought.items() if _is_near(values, value)]
        yield _judge("images are near duplicates of images", near, len(sought), MOST_NEAR)


def _is_near(values: NDArray[np.uint64], value: int) -> bool:
    bits = np.unpackbits((values ^ np.uint64(value)).view(np.uint8).reshape(-1, 8), axis=1)
    return bool((bits.sum(axis=1) <= BITS).any())


def _image_hashes(files: list[PublicFile]) -> dict[str, int]:
    """64 bits of each image: whether a pixel of a 9 x 8 reduction is darker than the next one.

    Flat images, whose bits are nearly all equal, have no hash.
    """
    from PIL import Image

    found = {}
    for file in files:
        if file.raw.suffix.lower() not in IMAGES or file.raw.size() > LARGEST:
            continue
        try:
            with file.raw.open() as stream, Image.open(stream) as image:
                small = np.asarray(image.convert("L").resize((9, 8)), dtype=np.int16)
        except (OSError, ValueError, SyntaxError):
            continue
        bits = (small[:, 1:] > small[:, :-1]).ravel()
        if 8 <= bits.sum() <= 56:
            found[file.path] = int.from_bytes(np.packbits(bits).tobytes(), "little")
    return found


def _duplicate_rows(audited: Audited) -> Iterator[Observation]:
    for path, test in audited.test_tables.items():
        for train in audited.train_tables.values():
            ignored = {audited.id_name, *audited.targets}
            columns = [c for c in test.columns if c in train.columns and c not in ignored]
            if not columns:
                continue
            known, sought = _row_texts(train, columns), _row_texts(test, columns)
            is_distinct = known.nunique() >= DISTINCT * len(known)
            if is_distinct or sought.str.len().median() >= SHORTEST_TEXT:
                same = [str(name) for name in sought.index[sought.isin(set(known))]]
                yield _judge(f"rows of {path} are equal to rows", same, len(sought), MOST_EXACT)
            for column in columns:
                yield from _similar_texts(column, train[column], test[column])


def _row_texts(table: pd.DataFrame, columns: list[str]) -> pd.Series:
    texts: pd.Series = table[columns].astype(str).agg("\x1f".join, axis=1)
    return texts


def _similar_texts(column: str, train: pd.Series, test: pd.Series) -> Iterator[Observation]:
    if test.dtype.kind in "iufb" or test.astype(str).str.len().median() < SHORTEST_TEXT:
        return
    known: dict[tuple[int, bytes], list[NDArray[np.int64]]] = {}
    for text in islice(train.dropna().astype(str), MOST_FILES):
        signature = min_hash(text)
        for band in _bands(signature):
            known.setdefault(band, []).append(signature)
    near = []
    for name, text in islice(test.dropna().astype(str).items(), MOST_FILES):
        signature = min_hash(text)
        others = (other for band in _bands(signature) for other in known.get(band, ()))
        if any(float(np.mean(signature == other)) >= SIMILAR for other in others):
            near.append(str(name))
    yield _judge(f"texts of {column!r} are near duplicates of texts", near, len(test), MOST_NEAR)


def min_hash(text: str) -> NDArray[np.int64]:
    """Equal places of two signatures estimate the share of common sequences of five characters."""
    from zlib import crc32

    folded = " ".join(text.lower().split())
    pieces = {folded[k : k + 5].encode() for k in range(max(1, len(folded) - 4))}
    codes = np.array([crc32(piece) % PRIME for piece in pieces], dtype=np.int64)
    random = np.random.default_rng(0)
    factors = random.integers(1, PRIME, (2, HASHES))
    hashed = (codes[:, None] * factors[0] + factors[1]) % PRIME
    signature: NDArray[np.int64] = hashed.min(axis=0)
    return signature


def _bands(signature: NDArray[np.int64]) -> Iterator[tuple[int, bytes]]:
    return ((k, part.tobytes()) for k, part in enumerate(np.split(signature, BANDS)))


KEPT_APART = {
    "siim-isic-melanoma-classification": ("patient_id",),
    "ranzcr-clip-catheter-line-classification": ("PatientID",),
    "hms-harmful-brain-activity-classification": ("patient_id",),
    "movie-review-sentiment-analysis-kernels-only": ("SentenceId",),
    "rsna-breast-cancer-detection": ("patient_id",),
}
"""Columns whose values Kaggle's own test did not share with train."""


def check_groups(audited: Audited) -> Iterator[Observation]:
    """Patients, speakers and the like are either in train or in test."""
    compared = 0
    for path, test in audited.test_parts.items():
        for train_path, train in audited.train_tables.items():
            for column in test.columns:
                if column not in train.columns or column in (audited.id_name, *audited.targets):
                    continue
                apart = KEPT_APART.get(audited.competition.id, ())
                if column in apart or (GROUP.search(str(column)) and _is_grouping(train[column])):
                    compared += 1
                    name = f"{column!r} of {train_path} and {path}"
                    yield _compare(name, train[column], test[column], column in apart)
    if not compared:
        yield Observation("not applicable", "both parts have no column that names a group")


def _is_grouping(values: pd.Series) -> bool:
    return FEW_GROUPS <= values.nunique() <= len(values) * MOST_GROUPS


def _compare(name: str, train: pd.Series, test: pd.Series, is_fault: bool) -> Observation:
    groups = set(test.dropna().astype(str))
    shared = groups & set(train.dropna().astype(str))
    if not shared:
        return Observation("pass", f"{name}: no group is in both parts", 0, 0)
    text = f"{name}: {len(shared)} of {len(groups)} groups are in both parts"
    return Observation("fail" if is_fault else "warn", text, len(shared) / len(groups), 0)
