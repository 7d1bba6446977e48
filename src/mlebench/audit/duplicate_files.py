"""Files of test items that are also in train: equal bytes, equal sound, similar pictures."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mlebench.audit.audited import Audited
from mlebench.audit.containers import DAMAGE, LARGEST
from mlebench.audit.fields import IMAGES
from mlebench.audit.files import PublicFile
from mlebench.audit.record import Observation

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")
MOST_EXACT, MOST_NEAR = 0.001, 0.01
MOST_TRAIN, MOST_TEST = 100_000, 10_000
"""Files and texts that are compared for similarity, which takes a millisecond each."""

MOST_COMPARED, BITS, CORRELATED = 500, 4, 0.99
SOUNDS = (".wav", ".aif", ".aiff", ".flac", ".ogg", ".mp3")
MEDIA = (*IMAGES, *SOUNDS, ".npy", ".dcm", ".txt")


def judge(
    kind: str, shared: list[str], total: int, threshold: float, compared: str = ""
) -> Observation:
    """Whether the share of duplicates is above the threshold."""
    share = len(shared) / total
    example = f", for example {shared[0]}" if shared else ""
    text = f"{len(shared)} of {total} test {kind} in train{example}{compared}"
    return Observation("fail" if share > threshold else "pass", text, round(share, 5), threshold)


def compare_files(audited: Audited) -> Iterator[Observation]:
    train, test = media_of(audited)
    if not train or not test:
        return
    same = _equal_files(train, test)
    paths = [file.path for file in same]
    yield judge("files are exact duplicates of files", paths, len(test), MOST_EXACT)
    yield from _look_up(audited, {file.stem: copy.stem for file, copy in same.items()})
    yield from _same_sounds(train, [file for file in test if file not in same])
    yield from _similar_pictures(train, test)


def media_of(audited: Audited) -> tuple[list[PublicFile], list[PublicFile]]:
    """The files of training and of test items: by the names of their folders, else by their ids."""
    media = [file for file in audited.files if file.suffix in MEDIA]
    ids = [
        name
        for table in audited.train_tables.values()
        if audited.id_name in table.columns
        for name in table[audited.id_name].astype(str)
    ]
    named = {f for files in audited.item_files.values() for f in files}
    test = [f for f in media if audited.part_of(f) == "test" or f in named]
    taken = set(test)
    known = {f for files in audited.find_files(ids, "train").values() for f in files}
    train = [f for f in media if (audited.part_of(f) == "train" or f in known) and f not in taken]
    return train, test


def _equal_files(train: list[PublicFile], test: list[PublicFile]) -> dict[PublicFile, PublicFile]:
    """Test files with the bytes of a training file; files of another size are not read."""
    from mlebench.archives.digests import raw_sha256

    sizes = {file.raw.size() for file in train} & {file.raw.size() for file in test}
    known = {raw_sha256(file.raw): file for file in train if file.raw.size() in sizes}
    found = {f: known.get(raw_sha256(f.raw)) for f in test if f.raw.size() in sizes}
    return {file: copy for file, copy in found.items() if copy}


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


def _same_sounds(train: list[PublicFile], test: list[PublicFile]) -> Iterator[Observation]:
    train, test, compared = limited(_of_kind(train, SOUNDS), _of_kind(test, SOUNDS))
    known = {digest for file in train if (digest := sound_hash(file))}
    if known and test:
        heard = [file.path for file in test if sound_hash(file) in known]
        yield judge("sounds are those of files", heard, len(test), MOST_EXACT, compared)


def _similar_pictures(train: list[PublicFile], test: list[PublicFile]) -> Iterator[Observation]:
    train, test, compared = limited(_of_kind(train, IMAGES), _of_kind(test, IMAGES))
    pictures, sought = _pictures(train), _pictures(test)
    if pictures and sought:
        near = _near_duplicates(pictures, sought)
        kind = "images are near duplicates of images"
        yield judge(kind, near, len(sought), MOST_NEAR, compared)


def _of_kind(files: list[PublicFile], kinds: tuple[str, ...]) -> list[PublicFile]:
    return [file for file in files if file.suffix in kinds]


def limited(train: list[T], test: list[T]) -> tuple[list[T], list[T], str]:
    """Items of both parts that are compared, and what to say if there are more."""
    few, fewer = _spread(train, MOST_TRAIN), _spread(test, MOST_TEST)
    if len(few) == len(train) and len(fewer) == len(test):
        return train, test, ""
    counts = f"{len(few):,} of {len(train):,} in train, {len(fewer):,} of {len(test):,} in test"
    return few, fewer, f" (compared: {counts})"


def _spread(items: list[T], most: int) -> list[T]:
    """At most so many, from all of the list."""
    return items[:: -(-len(items) // most)] if items else items


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
