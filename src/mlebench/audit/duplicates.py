"""Check that test items have no duplicates in train: files, images, sound, rows, texts."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from mlebench.audit.audited import Audited
from mlebench.audit.containers import DAMAGE, LARGEST
from mlebench.audit.fields import IMAGES
from mlebench.audit.files import PublicFile
from mlebench.audit.record import Observation

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

MOST_EXACT, MOST_NEAR = 0.001, 0.01
MOST_FILES, MOST_COMPARED = 20_000, 500
DISTINCT, SHORTEST_TEXT = 0.95, 40
BITS, SIMILAR, HASHES, BANDS = 4, 0.9, 64, 16
CORRELATED, SHUFFLES, CHANCE_LEVEL = 0.99, 10, 0.001
PRIME = (1 << 31) - 1
SOUNDS = (".wav", ".aif", ".aiff", ".flac", ".ogg", ".mp3")
MEDIA = (*IMAGES, *SOUNDS, ".npy", ".dcm", ".txt")


def check_duplicates(audited: Audited) -> Iterator[Observation]:
    """Test items have no exact and no near duplicate among the training items."""
    if not audited.has_own_board:
        yield Observation("not applicable", "the content of rehearsal data is synthetic")
        return
    found = [*_duplicate_files(audited), *_duplicate_rows(audited)]
    for path in audited.unread:
        text = f"rows of {path} are not compared: the table is too large"
        found.append(Observation("warn", text))
    yield from found or [Observation("not applicable", "no files or rows to compare")]


def _judge(kind: str, shared: list[str], total: int, threshold: float) -> Observation:
    share = len(shared) / total
    example = f", for example {shared[0]}" if shared else ""
    text = f"{len(shared)} of {total} test {kind} in train{example}"
    return Observation("fail" if share > threshold else "pass", text, round(share, 5), threshold)


def _duplicate_files(audited: Audited) -> Iterator[Observation]:
    from mlebench.archives.digests import raw_sha256

    media = [f for f in audited.files if f.suffix in MEDIA]
    train = [f for f in media if audited.part_of(f) == "train"][:MOST_FILES]
    test = [f for f in media if audited.part_of(f) == "test"][:MOST_FILES]
    if not train or not test:
        return
    known = {raw_sha256(file.raw): file for file in train}
    found = {file: known.get(raw_sha256(file.raw)) for file in test}
    same = {file: copy for file, copy in found.items() if copy}
    paths = [file.path for file in same]
    yield _judge("files are exact duplicates of files", paths, len(test), MOST_EXACT)
    yield from _look_up(audited, {file.stem: copy.stem for file, copy in same.items()})
    sounds = {digest: file.path for file in train if (digest := sound_hash(file))}
    heard = [file.path for file in test if file not in same and sound_hash(file) in sounds]
    if sounds:
        yield _judge("sounds are those of files", heard, len(test), MOST_EXACT)
    pictures, sought = _pictures(train), _pictures(test)
    if pictures and sought:
        near = _near_duplicates(pictures, sought)
        yield _judge("images are near duplicates of images", near, len(sought), MOST_NEAR)


def _look_up(audited: Audited, originals: dict[str, str]) -> Iterator[Observation]:
    """The score of the sample submission with the training labels of the duplicates."""
    id_name, targets = audited.id_name, audited.targets
    for table in audited.train_tables.values() if originals else ():
        if not {id_name, *targets} <= set(table.columns):
            continue
        stems = table[id_name].astype(str).map(lambda name: PurePosixPath(name).stem)
        labels = table.set_index(stems)[targets]
        guess = audited.sample.astype(dict.fromkeys(targets, object))
        for row, name in enumerate(audited.sample_ids):
            original = originals.get(PurePosixPath(name).stem)
            if original in labels.index:
                guess.loc[guess.index[row], targets] = labels.loc[[original]].iloc[0].to_numpy()
        score = audited.verdict_on(guess).score
        if score is not None:
            medal = audited.board.thresholds.medal(score) if audited.board else None
            text = f"the training labels of duplicates alone score {score:g}"
            yield Observation("fail" if medal else "pass", text, score)
        return


def sound_hash(file: PublicFile) -> bytes | None:
    """A hash of the decoded samples, whatever container and header are; None for other files."""
    if file.suffix not in SOUNDS or file.raw.size() > LARGEST:
        return None
    try:
        import soundfile

        samples, rate = soundfile.read(io.BytesIO(file.raw.read_bytes()), dtype="int16")
    except DAMAGE:
        return None
    return sha256(f"{rate} {samples.shape}".encode() + samples.tobytes()).digest()


@dataclass(frozen=True)
class _Picture:
    """What remains of an image: 64 bits, and a reduction with a mean of 0 and a norm of 1."""

    hash: int
    small: NDArray[np.float32]


def _near_duplicates(train: dict[str, _Picture], test: dict[str, _Picture]) -> list[str]:
    """Test images with nearly the same bits as a training image.

    Different drawings on one background, such as digits, have nearly the same bits as well. If some
    images of one part have them, brightness must also agree.
    """
    seen, hashes = [*train.values()], _hashes(train)
    least = CORRELATED if _has_pairs(train) or _has_pairs(test) else -1.0
    return [
        path
        for path, one in test.items()
        if any(np.sum(seen[k].small * one.small) >= least for k in _similar_places(hashes, one))
    ]


def _has_pairs(pictures: dict[str, _Picture]) -> bool:
    own, some = _hashes(pictures), islice(pictures.values(), MOST_COMPARED)
    return any(len(_similar_places(own, one)) > 1 for one in some)


def _hashes(pictures: dict[str, _Picture]) -> NDArray[np.uint64]:
    return np.array([picture.hash for picture in pictures.values()], dtype=np.uint64)


def _similar_places(hashes: NDArray[np.uint64], one: _Picture) -> NDArray[np.int64]:
    differing = (hashes ^ np.uint64(one.hash)).view(np.uint8).reshape(-1, 8)
    return np.flatnonzero(np.unpackbits(differing, axis=1).sum(axis=1) <= BITS)


def _pictures(files: list[PublicFile]) -> dict[str, _Picture]:
    """The bits say whether a pixel of a 9 x 8 reduction is darker than the next one.

    Flat images, whose bits are nearly all equal, are left out.
    """
    from PIL import Image

    found = {}
    for file in files:
        if file.suffix not in IMAGES or file.raw.size() > LARGEST:
            continue
        try:
            with file.raw.open() as stream, Image.open(stream) as image:
                grey = image.convert("L")
                reduced = np.asarray(grey.resize((9, 8)), dtype=np.int16)
                small = np.asarray(grey.resize((16, 16)), dtype=np.float32)
        except (OSError, ValueError, SyntaxError):
            continue
        bits = (reduced[:, 1:] > reduced[:, :-1]).ravel()
        small = small - small.mean()
        if 8 <= bits.sum() <= 56 and (norm := np.linalg.norm(small)):
            number = int.from_bytes(np.packbits(bits).tobytes(), "little")
            found[file.path] = _Picture(number, small / norm)
    return found


def _duplicate_rows(audited: Audited) -> Iterator[Observation]:
    for path, test in audited.test_tables.items():
        for train in audited.train_tables.values():
            ignored = {audited.id_name, *audited.targets}
            columns = [c for c in test.columns if c in train.columns and c not in ignored]
            if not columns:
                continue
            texts = [c for c in columns if {train[c].dtype.kind, test[c].dtype.kind} - set("iufb")]
            known, sought = _row_hashes(train[columns], texts), _row_hashes(test[columns], texts)
            is_distinct = known.nunique() >= DISTINCT * len(known)
            if is_distinct or _length_of_rows(test[columns]) >= SHORTEST_TEXT:
                same = [str(name) for name in sought.index[sought.isin(known)]]
                if _is_chance(test[columns], texts, known, len(same)):
                    same = []
                yield _judge(f"rows of {path} are equal to rows", same, len(sought), MOST_EXACT)
            for column in columns:
                yield from _similar_texts(column, train[column], test[column])


def _is_chance(test: pd.DataFrame, texts: list[str], known: pd.Series, same: int) -> bool:
    """Whether as many rows are equal if the columns of the test are shuffled, each by itself.

    A few columns with few values, such as age and sex, are equal in many pairs of rows.
    """
    from scipy.stats import poisson

    random, found = np.random.default_rng(0), 0
    for _ in range(SHUFFLES):
        mixed = test.apply(lambda column: column.to_numpy()[random.permutation(len(column))])
        found += int(_row_hashes(mixed, texts).isin(known).sum())
    return found > 0 and float(poisson.sf(same - 1, found / SHUFFLES)) > CHANCE_LEVEL


def _row_hashes(table: pd.DataFrame, texts: list[str]) -> pd.Series:
    """A hash of each row; columns that are not in `texts` are compared as numbers."""
    import pandas as pd

    words = table[texts].astype(object).fillna("").astype(str)
    numbers = table.drop(columns=texts).astype(float) + 0.0  # -0.0 is equal to 0.0
    return pd.util.hash_pandas_object(pd.concat([numbers, words], axis=1), index=False)


def _length_of_rows(table: pd.DataFrame) -> float:
    """The median number of characters in the first rows."""
    rows = table.head(MOST_FILES).astype(object).fillna("").astype(str)
    return float(rows.agg("\x1f".join, axis=1).str.len().median())


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
    factors = np.random.default_rng(0).integers(1, PRIME, (2, HASHES))
    hashed = (codes[:, None] * factors[0] + factors[1]) % PRIME
    signature: NDArray[np.int64] = hashed.min(axis=0)
    return signature


def _bands(signature: NDArray[np.int64]) -> Iterator[tuple[int, bytes]]:
    return ((k, part.tobytes()) for k, part in enumerate(np.split(signature, BANDS)))
