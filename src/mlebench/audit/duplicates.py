"""Check that test items have no duplicates in train: files, images, sound, rows, texts."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
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
from mlebench.records.audit import Status

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

MOST_EXACT, MOST_NEAR = 0.001, 0.01
MOST_FILES = 20_000
DISTINCT, SHORTEST_TEXT = 0.95, 40
BITS, SIMILAR, HASHES, BANDS = 4, 0.9, 64, 16
PRIME = (1 << 31) - 1
SOUNDS = (".wav", ".aif", ".aiff", ".flac", ".ogg", ".mp3")
MEDIA = (*IMAGES, *SOUNDS, ".npy", ".dcm", ".txt")


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
    known = {raw_sha256(file.raw): file for file in train}
    found = {file: known.get(raw_sha256(file.raw)) for file in test}
    same = {file: copy for file, copy in found.items() if copy}
    yield _judge("files are exact duplicates of files", _paths(same), len(test), MOST_EXACT)
    yield from _look_up(audited, {_id(file): _id(copy) for file, copy in same.items()})
    sounds = {digest: file.path for file in train if (digest := sound_hash(file))}
    heard = [file.path for file in test if file not in same and sound_hash(file) in sounds]
    if sounds:
        yield _judge("sounds are those of files", heard, len(test), MOST_EXACT)
    hashes = _image_hashes(train)
    sought = _image_hashes(test)
    if len(hashes) and len(sought):
        values = np.array(list(hashes.values()), dtype=np.uint64)
        near = [path for path, value in sought.items() if _is_near(values, value)]
        yield _judge("images are near duplicates of images", near, len(sought), MOST_NEAR)


def _paths(found: Iterable[PublicFile]) -> list[str]:
    return [file.path for file in found]


def _id(file: PublicFile) -> str:
    return PurePosixPath(file.path).stem


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
    """A hash of the decoded samples, which no container and header changes; None for no sound."""
    if file.raw.suffix.lower() not in SOUNDS or file.raw.size() > LARGEST:
        return None
    try:
        import soundfile

        samples, rate = soundfile.read(io.BytesIO(file.raw.read_bytes()), dtype="int16")
    except DAMAGE:
        return None
    return sha256(f"{rate} {samples.shape}".encode() + samples.tobytes()).digest()


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
    texts: pd.Series = table[columns].astype(object).fillna("").astype(str).agg("\x1f".join, axis=1)
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
