"""Lists of boxes as long as they are in the real data, and predictions as detectors make them."""

from __future__ import annotations

import numpy as np
import pandas as pd

PAGES, CHARACTERS, CODES = 60, (60, 300), 4_300
"""A page of kuzushiji has some 180 characters; of more than 4,300 codes most are rare."""

SAMPLES, ROAD_USERS = 120, (8, 48)
"""A sample has 28 road users in the mean (638,000 in 22,680), mostly cars."""

KINDS = ("car", "pedestrian", "other_vehicle", "bicycle", "truck", "bus", "motorcycle", "animal")
SHARES = (0.835, 0.04, 0.05, 0.033, 0.022, 0.015, 0.004, 0.001)
SIZES = {"car": (1.9, 4.8, 1.7), "pedestrian": (0.8, 0.8, 1.8), "bicycle": (0.6, 1.8, 1.4)}
LARGE = (2.8, 8.2, 3.2)
NO_BOX = [0.0, 0.0, 1.0, 1.0]


def real_pages(table: pd.DataFrame) -> pd.DataFrame:
    """Pages with their characters: boxes, or the gold submission's points."""
    is_points = len(table["labels"][0].split("U+")[1].split()) == 3
    random = np.random.default_rng(0)
    rarity = 1 / np.arange(1, CODES + 1)
    cells = []
    for _ in range(PAGES):
        count = random.integers(*CHARACTERS)
        codes = 0x3041 + random.choice(CODES, count, p=rarity / rarity.sum())
        boxes = random.integers((100, 100, 30, 30), (3_000, 4_000, 160, 200), (count, 4))
        if is_points:
            boxes = boxes[:, :2] + 1
        words = (
            f"U+{code:04X} {' '.join(map(str, box))}"
            for code, box in zip(codes, boxes, strict=True)
        )
        cells.append(" ".join(words))
    return pd.DataFrame(
        {"image_id": [f"umgy{k:03d}-{k:03d}" for k in range(PAGES)], "labels": cells}
    )


def real_samples(_: pd.DataFrame) -> pd.DataFrame:
    """Samples with their road users, within a hundred metres from the car."""
    random = np.random.default_rng(0)
    cells = []
    for _ in range(SAMPLES):
        middle = random.uniform((1_000, 700, -24), (2_700, 1_700, -16))
        words = []
        for kind in random.choice(KINDS, random.integers(*ROAD_USERS), p=SHARES):
            place = middle + random.uniform(-1, 1, 3) * (70, 70, 2)
            size = np.round(random.uniform(0.9, 1.1, 3) * SIZES.get(kind, LARGE), 3)
            yaw = random.uniform(-np.pi, np.pi)
            words += ["1.0", *map(str, [*place.tolist(), *size.tolist(), float(yaw), kind])]
        cells.append(" ".join(words))
    ids = random.bytes(32 * SAMPLES).hex()
    return pd.DataFrame(
        {
            "Id": [ids[64 * k : 64 * (k + 1)] for k in range(SAMPLES)],
            "PredictionString": cells,
        }
    )


def detected(cells: pd.Series) -> pd.Series:
    """Boxes near the true ones with confidences, and as many that are false alarms."""
    random = np.random.default_rng(1)
    is_solid = cells.str.contains("car", regex=False).any()
    return cells.map(lambda cell: _detected(cell.split(), random, is_solid=is_solid))


def _detected(words: list[str], random: np.random.Generator, *, is_solid: bool) -> str:
    width, confidence, first, last = (9, 0, 1, 8) if is_solid else (6, 1, 2, 6)
    lists = []
    for start in range(0, len(words), width):
        group = words[start : start + width]
        for shift, least in ((0.2, 0.3), (50.0, 0.0)):
            guess = group.copy()
            guess[confidence] = f"{random.uniform(least, least + 0.6):.6f}"
            place = list(map(float, group[first:last]))
            if place != NO_BOX:
                move = random.normal(0, shift if is_solid else 10 * shift, last - first)
                move[3:6] *= not is_solid
                guess[first:last] = [f"{value:.4f}" for value in place + move]
            lists.append(" ".join(guess))
    return " ".join(lists)


def spotted(cells: pd.Series) -> pd.Series:
    """Points in any order, one of ten with another code."""
    random = np.random.default_rng(1)
    return cells.map(lambda cell: _spotted(np.array(cell.split()).reshape(-1, 3), random))


def _spotted(points: np.ndarray, random: np.random.Generator) -> str:
    places = points[:, 1:].astype(int) + random.integers(3, 25, (len(points), 2))
    points = np.column_stack([points[:, 0], places.astype(str)])
    wrong = random.random(len(points)) < 0.1
    points[wrong, 0] = random.permutation(points[wrong, 0])
    return " ".join(random.permutation(points).ravel().tolist())


REAL_BOXES = {
    "kuzushiji-recognition": real_pages,
    "3d-object-detection-for-autonomous-vehicles": real_samples,
}
DETECTED = {
    "kuzushiji-recognition": spotted,
    "3d-object-detection-for-autonomous-vehicles": detected,
    "siim-covid19-detection": detected,
    "vinbigdata-chest-xray-abnormalities-detection": detected,
}
