"""Files as vectors of fixed length: images, arrays, sounds and small tables."""

from __future__ import annotations

import wave
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from PIL import Image, UnidentifiedImageError

from .budget import Budget
from .files import IMAGES, Found
from .tables import read

SIDE = 16
"""Images are reduced to this many pixels in each direction."""

EDGE_SIDE = 32
DIRECTIONS = 8
MOST_LAYERS = 64
BATCH = 64
UNREADABLE = (OSError, ValueError, EOFError, wave.Error, SyntaxError, UnidentifiedImageError)


def reader_for(suffix: str) -> Callable[[Found], Any] | None:
    """The function that converts a file with this suffix to a vector."""
    if suffix in IMAGES:
        return picture
    return {".npy": array, ".wav": sound, ".csv": table}.get(suffix)


def picture(file: Found) -> Any:
    """Grey pixels, mean colours, and the strength of edges by direction and place."""
    with file.seekable() as stream, Image.open(stream) as image:
        image.draft("RGB", (EDGE_SIDE * 2, EDGE_SIDE * 2))
        colour = image.convert("RGB")
        grey = image.convert("F") if image.mode.startswith(("I", "F")) else colour.convert("F")
        pixels = np.asarray(grey.resize((SIDE, SIDE), Image.Resampling.BOX))
        colours = np.asarray(colour.resize((4, 4), Image.Resampling.BOX), dtype=float)
        edges = _edges(np.asarray(grey.resize((EDGE_SIDE, EDGE_SIDE), Image.Resampling.BILINEAR)))
    return np.concatenate([pixels.ravel(), colours.ravel(), edges])


def _edges(pixels: Any) -> Any:
    down, right = np.gradient(pixels)
    strength = np.hypot(down, right)
    direction = ((np.arctan2(down, right) % np.pi) / np.pi * DIRECTIONS).astype(int) % DIRECTIONS
    cells = 4
    width = EDGE_SIDE // cells
    place = np.arange(EDGE_SIDE) // width
    bins = (place[:, None] * cells + place[None, :]) * DIRECTIONS + direction
    sums = np.bincount(bins.ravel(), strength.ravel(), minlength=cells * cells * DIRECTIONS)
    return sums / (1e-6 + np.linalg.norm(sums)) * 255


def array(file: Found) -> Any:
    """Mean, spread and range of each layer of an array."""
    with file.seekable() as stream:
        values = np.load(stream, allow_pickle=False).astype(np.float32)
    layers = len(values) if values.ndim > 1 and len(values) <= MOST_LAYERS else 1
    return _summary(values.reshape(layers, -1).T)


def table(file: Found) -> Any:
    """Mean, spread and range of each numeric column of a table."""
    found = read(file)
    if found is None:
        raise ValueError(f"{file.path} is not a table")
    return _summary(found.select_dtypes("number").to_numpy(dtype=np.float32))


def _summary(columns: Any) -> Any:
    if not columns.size:
        raise ValueError("there are no values")
    filled = np.nan_to_num(columns)
    parts = (filled.mean(0), filled.std(0), filled.min(0), filled.max(0), np.abs(filled).mean(0))
    return np.concatenate([*parts, [np.isnan(columns).mean(), len(columns)]])


def sound(file: Found) -> Any:
    """The strength of 32 frequency bands: mean, spread and maximum over time."""
    with file.seekable() as stream, wave.open(stream) as opened:
        if opened.getsampwidth() != 2:
            raise ValueError("only 16-bit sounds can be read")
        samples = np.frombuffer(opened.readframes(60 * opened.getframerate()), dtype="<i2")
    samples = np.pad(samples, (0, max(0, 512 - len(samples))))
    frames = samples[: len(samples) // 512 * 512].reshape(-1, 512)
    strength = np.abs(np.fft.rfft(frames * np.hanning(512), axis=1))[:, 1:]
    bands = np.log1p(strength.reshape(len(frames), 32, -1).mean(axis=2))
    return np.concatenate([bands.mean(0), bands.std(0), bands.max(0)])


def read_vectors(files: Sequence[Found | None], budget: Budget, share: float) -> Any:
    """A row per file; NaN if it is missing, unreadable or beyond the share of the budget."""
    count = budget.take_files(files, share)
    rows: list[Any] = []
    with ThreadPoolExecutor() as pool:
        for start in range(0, count, BATCH):
            if budget.is_late:
                break
            rows += pool.map(_vector, files[start : min(start + BATCH, count)])
    width = max((len(row) for row in rows if row is not None), default=0)
    matrix = np.full((len(files), width), np.nan, dtype=np.float32)
    for k, row in enumerate(rows):
        if row is not None and len(row) == width:
            matrix[k] = row
    return matrix


def _vector(file: Found | None) -> Any:
    reader = reader_for(file.suffix) if file else None
    if file is None or reader is None:
        return None
    try:
        return reader(file)
    except UNREADABLE:
        return None
