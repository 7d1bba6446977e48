"""What the code of runs is compared with: kernels, our own example code, other runs."""

from __future__ import annotations

import hashlib
import logging
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import DataError, UsageError
from mlebench.integrity.evidence import files_below
from mlebench.integrity.plagiarism.code import MAX_RUN_BYTES, PYTHON, read_code
from mlebench.integrity.plagiarism.fingerprints import Fingerprints, fingerprint
from mlebench.integrity.plagiarism.index import (
    FingerprintIndex,
    Reference,
    make_index,
    read_index,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mlebench.integrity.plagiarism.worker import Fingerprinter

log = logging.getLogger(__name__)

INDEX_NAME = "fingerprints.npz"
"""The index of a folder of kernels, kept beside them."""

PACKAGE = Path(__file__).parents[2]
EXAMPLES = ("agents", "skeleton")


def open_kernels(path: Path, fingerprinter: Fingerprinter) -> FingerprintIndex:
    """The index of `DIR/<competition>/*.py|ipynb`, or of a file that is such an index.

    Only new and changed files of a folder are parsed. The index is stored in the folder, if it can
    be written.
    """
    if path.is_file():
        return read_index(path)
    files = [f for f in files_below(path) if f.suffix.lower() in PYTHON and f.parent != path]
    if not files:
        raise UsageError(
            f"{path} contains no kernels; expected {path}/<competition>/*.py or *.ipynb",
            hint="download them: mlebench integrity fetch-kernels -c ID --kernels DIR",
        )
    store = path / INDEX_NAME
    known: dict[str, Fingerprints] = {}
    with suppress(DataError, UsageError):
        stored = read_index(store)
        known = {r.digest: stored.of(number) for number, r in enumerate(stored.references)}
    references = [_reference(file, path) for file in files]
    new = [f for f, r in zip(files, references, strict=True) if r.digest not in known]
    for file, program in zip(new, fingerprinter.of_files(new), strict=True):
        if program is None:
            log.warning("%s cannot be parsed and is left out", file)
        else:
            known[program.digest] = program.fingerprints
    index = make_index((r, known[r.digest]) for r in references if r.digest in known)
    if new:
        with suppress(OSError):
            index.write(store)
    return index


def _reference(file: Path, folder: Path) -> Reference:
    inner = file.relative_to(folder)
    digest = hashlib.blake2b(file.read_bytes()[:MAX_RUN_BYTES], digest_size=16).hexdigest()
    return Reference(inner.as_posix(), inner.parts[0], digest)


@lru_cache(maxsize=1)
def example_code() -> NDArray[np.uint64]:
    """The sorted hashes of our agents and skeletons, which everybody may start from."""
    files = [
        file
        for name in EXAMPLES
        for file in files_below(PACKAGE / name)
        if file.name.removesuffix(".in").endswith(PYTHON)
    ]
    parts = [fingerprint(read_code(f.name, f.read_bytes())).hashes for f in files]
    return np.unique(np.concatenate([np.empty(0, np.uint64), *parts]))
