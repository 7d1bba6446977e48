"""What coverage-guided fuzzing calls: any bytes are parsed, or refused with the defined error.

`python -m tests.fuzz.targets NAME CORPUS [libFuzzer options]` runs one with atheris; the tests
replay the corpus without it.
"""

from __future__ import annotations

import inspect
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.ndimage import distance_transform_edt

from mlebench.archives.unpacking import extract_archive
from mlebench.competitions.uw_madison_gi_tract_image_segmentation import metric
from mlebench.errors import DataError
from mlebench.http.messages import RequestRefused
from mlebench.http.parsing import MAX_HEAD_BYTES, find_head_end, parse_head
from mlebench.records.trajectory import decode_exchange, decode_head, decode_response
from mlebench.validation.multipart import FormError, find_file
from mlebench.viewer.text import clean_all, cut_text, one_line, show_line

CORPUS = Path(__file__).parent / "corpus"
SLICES, COLUMNS, ROWS = 3, 4, 40
SUFFIXES = (".zip", ".tar", ".gz", ".tgz")
INSTRUMENTED = (
    "mlebench.archives",
    "mlebench.http",
    "mlebench.validation",
    "mlebench.viewer",
    "mlebench.records.trajectory",
    "zipfile",
    "tarfile",
)


def head(data: bytes) -> None:
    """The head of an HTTP request."""
    try:
        if end := find_head_end(data, 0):
            found = parse_head(data[:end])
            assert found.body_bytes >= 0
            assert len(found.path) <= MAX_HEAD_BYTES
    except RequestRefused as refused:
        assert 400 <= refused.status < 500


def form(data: bytes) -> None:
    """A multipart form: its content type up to the first newline, then its body."""
    kind, _, body = data.partition(b"\n")
    for content_type in (kind, b"multipart/form-data; boundary=" + kind):
        try:
            place = find_file(content_type, body)
        except FormError:
            continue
        assert 0 <= place.start <= place.stop <= len(body)


def archive(data: bytes) -> None:
    """An archive: nothing is written outside the folder, and nothing that is no plain file."""
    if not data:
        return
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        file = place / f"a{SUFFIXES[data[0] % len(SUFFIXES)]}"
        file.write_bytes(data[1:])
        try:
            extract_archive(file, place / "goal", recursive=True)
        except DataError as error:
            assert str(error)
        assert {entry.name for entry in place.iterdir()} <= {file.name, "goal"}
        for found in (place / "goal").rglob("*"):
            assert not found.is_symlink()
            assert found.is_file() or found.is_dir()


def preview(data: bytes) -> None:
    """What the viewer makes of lines, files and recorded exchanges."""
    for shown in (show_line(data[:64], data[-64:], len(data)), cut_text(data, 100)):
        assert not {"\x07", "\x9b", "\u202e"} & set(shown.text)
    assert "\n" not in one_line(data.decode("utf-8", "replace"), 80)
    for decode in (decode_head, decode_exchange, decode_response):
        try:
            decode(data)
        except DataError as error:
            assert str(error)
    try:
        clean_all(json.loads(data))
    except (ValueError, RecursionError):
        return


def kernel(data: bytes) -> None:
    """The distance of two volumes, searched, transformed, and by scipy's transform."""
    pieces = np.frombuffer(data[: len(data) // 4 * 4], np.uint8).reshape(-1, 4).astype(np.int64)
    if len(pieces) < 2:
        return
    column = pieces[:, 0] % (SLICES * COLUMNS)
    begin = pieces[:, 1] % ROWS
    end = np.minimum(begin + 1 + pieces[:, 2] % 8, ROWS)
    spans = np.stack([column, begin, end], axis=1)
    is_first = np.arange(len(spans)) % 2 == 0
    one, other = (_volume(spans[side]) for side in (is_first, ~is_first))
    shape = np.array([SLICES, COLUMNS, ROWS])
    found = [
        metric._hausdorff_distance(shape, 1 / shape, *one, *other, looks) for looks in (10**9, 0)
    ]
    drawn = [_draw(volume.spans) for volume in (one, other)]
    expected = max(
        float(distance_transform_edt(~to, sampling=1 / shape)[of].max())
        for of, to in (drawn, drawn[::-1])
    )
    assert np.abs(np.array(found) - expected).max() < 1e-9


def _draw(spans: np.ndarray) -> np.ndarray:
    marked = np.zeros((SLICES * COLUMNS, ROWS), dtype=bool)
    for column, begin, end in spans:
        marked[column, begin:end] = True
    return marked.reshape(SLICES, COLUMNS, ROWS)


def _volume(spans: np.ndarray) -> metric.Volume:
    ordered = np.ascontiguousarray(spans[np.lexsort((spans[:, 1], spans[:, 0]))])
    first = np.searchsorted(ordered[:, 0], np.arange(SLICES * COLUMNS + 1))
    return metric.Volume(np.ascontiguousarray(first), ordered)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "head": head,
    "form": form,
    "archive": archive,
    "preview": preview,
    "kernel": kernel,
}


def main() -> None:
    import atheris  # type: ignore[import-not-found]

    function = TARGETS[sys.argv.pop(1)]
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith(INSTRUMENTED):
            for value in vars(module).values():
                if inspect.isfunction(value) and value.__module__ == module.__name__:
                    value.__code__ = atheris.instrument_func(value).__code__
    atheris.Setup(sys.argv, function)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
