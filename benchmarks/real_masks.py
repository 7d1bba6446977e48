"""Masks of the size they have in the real data, for the rehearsal's are tiny."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

LONG_TEXT = 1_000_000
"""Letters of a mask in one of the few large pictures of a slide or a fragment."""

ORGANS = ("large_bowel", "small_bowel", "stomach")
SIDE = 266
SLICES = (80, 144, 144)
"""A day has so many slices of about so many pixels a side, each with a row for three organs; three
rows of ten hold a mask. A few days are drawn, and then copied."""


def real_days(_: pd.DataFrame) -> pd.DataFrame:
    """A table like the answers to UW-Madison."""
    rows = []
    for number, slices in enumerate(SLICES):
        organs = [organ_masks(slices, seed=[number, kind]) for kind in range(len(ORGANS))]
        rows += [
            (f"case{number}_day0_slice_{place + 1:04d}", organ, masks[place], SIDE, SIDE)
            for place in range(slices)
            for organ, masks in zip(ORGANS, organs, strict=True)
        ]
    names = ["id", "class", "predicted", "image_width", "image_height"]
    return pd.DataFrame(rows, columns=names).astype({names[3]: float, names[4]: float})


def organ_masks(slices: int, seed: list[int]) -> list[str | None]:
    """An organ as a tube that is cut at two places, about a third of all slices high."""
    random = np.random.default_rng(seed)
    height = int(slices * random.uniform(0.2, 0.4))
    first = int(random.integers(0, slices - height))
    tubes = [(tube(height, random), tube(height, random)) for _ in range(2)]
    radii = [14 + 6 * tube(height, random) / SIDE for _ in range(2)]
    down, across = np.mgrid[:SIDE, :SIDE]
    masks: list[str | None] = [None] * slices
    for place in range(height):
        picture = np.zeros((SIDE, SIDE), dtype=bool)
        for (tops, lefts), radius in zip(tubes, radii, strict=True):
            edge = radius[place] + random.normal(0, 0.7, SIDE)
            apart = np.hypot(down - tops[place], across - lefts[place])
            picture |= apart < edge
        masks[first + place] = run_lengths(picture)
    return masks


def tube(height: int, random: np.random.Generator) -> np.ndarray:
    """A coordinate that wanders from slice to slice."""
    steps = random.normal(0, 2, height)
    return random.uniform(0.3, 0.7) * SIDE + np.cumsum(steps)


def run_lengths(picture: np.ndarray) -> str | None:
    """The runs of a mask, down the columns."""
    edges = np.flatnonzero(np.diff(picture.T.ravel().astype(np.int8), prepend=0, append=0))
    return " ".join(f"{a + 1} {b - a}" for a, b in edges.reshape(-1, 2).tolist()) or None


def real_scenes(_: pd.DataFrame) -> pd.DataFrame:
    """A table like the answers about contrails: long thin lines in scenes of 256 x 256 pixels.

    A quarter of all scenes has none, as in the rehearsal.
    """
    random = np.random.default_rng(0)
    side, scenes = 256, 60
    masks = [contrails(side, random) if place % 4 else "-" for place in range(scenes)]
    ids = 10**15 + np.arange(scenes)
    table = {"record_id": ids, "encoded_pixels": masks, "height": side, "width": side}
    return pd.DataFrame(table)


def contrails(side: int, random: np.random.Generator) -> str:
    """One to three lines, some pixels wide."""
    down, across = np.mgrid[:side, :side]
    picture = np.zeros((side, side), dtype=bool)
    for _ in range(random.integers(1, 4)):
        top, left, angle = *random.uniform(0, side, 2), random.uniform(0, np.pi)
        along = (down - top) * np.sin(angle) + (across - left) * np.cos(angle)
        aside = (down - top) * np.cos(angle) - (across - left) * np.sin(angle)
        picture |= (abs(along) < random.uniform(10, 80)) & (abs(aside) < random.uniform(1, 2.5))
    return run_lengths(picture) or "-"


def long_masks(table: pd.DataFrame, *, mask: tuple[str, str], size: dict[str, int]) -> pd.DataFrame:
    """Each mask many times behind itself, so that it fills a picture of this size."""
    (name,) = set(mask) & set(table)
    pixels = int(np.prod(list(size.values())))
    cells = [repeated(cell, LONG_TEXT // len(cell), pixels) for cell in table[name]]
    return table.assign(**{name: cells, **{side: size[side] for side in size if side in table}})


def repeated(cell: str, times: int, pixels: int) -> str:
    starts, lengths = runs_of(cell)
    shifts = np.arange(times)[:, None] * (pixels // times)
    return as_text((starts + shifts).ravel(), np.tile(lengths, times))


def half_right(cell: str) -> str:
    """Every third run that has several pixels begins late."""
    starts, lengths = runs_of(cell)
    late = np.flatnonzero(lengths > 1)[::3]
    starts[late] += 1
    lengths[late] -= 1
    return as_text(starts, lengths)


def runs_of(cell: str) -> tuple[np.ndarray, np.ndarray]:
    numbers = np.array(cell.split(), dtype=np.int64)
    return numbers[::2].copy(), numbers[1::2].copy()


def as_text(starts: np.ndarray, lengths: np.ndarray) -> str:
    return " ".join(map(str, np.column_stack([starts, lengths]).ravel().tolist()))


REAL = {
    "google-research-identify-contrails-reduce-global-warming": real_scenes,
    "uw-madison-gi-tract-image-segmentation": real_days,
    "hubmap-kidney-segmentation": partial(
        long_masks,
        mask=("encoding", "predicted"),
        size={"width_pixels": 30_000, "height_pixels": 40_000},
    ),
    "vesuvius-challenge-ink-detection": partial(
        long_masks, mask=("Predicted", "Predicted"), size={"width": 5_249, "height": 7_606}
    ),
}
"""What makes the tables of a competition as large in each row as they really are."""
