"""Submissions for 3d-object-detection-for-autonomous-vehicles, good, odd and bad."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.rehearsal import (
    CLASSES,
    PARKED,
)
from mlebench.rehearsal import Random, rng
from tests.competitions.frames import as_files, with_wrong_rows

Box = list[Any]
"""Confidence, centre, size, yaw and class."""


def boxes(text: str) -> list[Box]:
    w = text.split(" ")
    return [[*map(float, w[i : i + 8]), w[i + 8]] for i in range(0, len(w), 9)]


def join(found: list[Box]) -> str:
    return " ".join(" ".join(map(repr, b[:8])) + " " + b[8] for b in found)


def jitter(r: Random, b: Box, shift: float, grow: float, turn: float) -> Box:
    c = list(b)
    c[1:4] = [v + r.gauss(0, shift) for v in b[1:4]]
    c[4:7] = [v * math.exp(r.gauss(0, grow)) for v in b[4:7]]
    c[7] = b[7] + r.gauss(0, turn)
    c[0] = round(r.random(), 2)
    return c


def crowd(r: Random, found: list[Box]) -> list[Box]:
    """Boxes missed, repeated, far away, of another class and of a class that does not exist."""
    out: list[Box] = []
    for b in found:
        if r.random() < 0.15:
            continue
        out += [jitter(r, b, 0.05, 0.04, 0.03) for _ in range(r.choice([1, 1, 2, 3]))]
        if r.random() < 0.3:
            far = jitter(r, b, 0.1, 0.1, 0.1)
            far[1] += 40.0
            out.append(far)
        if r.random() < 0.2:
            out[-1][8] = r.choice(CLASSES)
        if r.random() < 0.3:
            out.append([*jitter(r, b, 0.1, 0.1, 0.1)[:8], "unicorn"])
    r.shuffle(out)
    return out


def at_threshold(found: list[Box]) -> list[Box]:
    """IoU exactly 0.5, 0.75, 0.5, … with the parked boxes, one by one."""
    heights = [2.0, 3.0]
    for b in found:
        if b[4:7] == PARKED:
            b[6] = heights[0]
            heights.reverse()
    return found


def taken(found: list[Box]) -> list[Box]:
    """The first parked box twice and the second never: its neighbour may not take the spare."""
    parked = [b for b in found if b[4:7] == PARKED]
    others = [b for b in found if b not in parked]
    return others + [[c, *b[1:]] for b in parked[:1] for c in (0.9, 0.8)]


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")

    def each(change: Callable[[list[Box]], list[Box]]) -> pd.DataFrame:
        return truth.assign(
            PredictionString=[join(change(boxes(c))) for c in truth["PredictionString"]]
        )

    noisy = each(lambda found: [jitter(r, b, 0.03, 0.02, 0.01) for b in found])
    messy = each(lambda found: crowd(r, found))
    # Equal confidence: the order in the cell decides.
    tied = each(
        lambda found: [[1.0, *jitter(r, b, 0.04, 0.05, 0.02)[1:]] for b in found for _ in range(2)]
    )
    half = truth.assign(
        PredictionString=["" if i % 2 else c for i, c in enumerate(truth["PredictionString"])]
    )
    turned = each(lambda found: [[*b[:7], b[7] + math.pi, b[8]] for b in found])
    exact, twice = each(at_threshold), each(taken)
    first = boxes(truth["PredictionString"][0])

    def spoil(change):
        b = [list(x) for x in first]
        change(b)
        return truth.assign(
            PredictionString=[
                " ".join(" ".join(map(str, x)) for x in b),
                *truth["PredictionString"][1:],
            ]
        )

    def put(i, v):
        return lambda b: b[0].__setitem__(i, v)

    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_crowded": messy,
        "noisy_ties": tied,
        "half_empty": half,
        "turned_half_circle": turned,
        "noisy_exact_thresholds": exact,
        "noisy_best_box_taken": twice,
        "noisy_shuffled": messy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_confidence_out_of_range": spoil(put(0, 7.5)),
        "odd_unknown_class_no_size": spoil(
            lambda b: b.append([1.0, 1.0, 1.0, 1.0, -1.0, 0.0, 0.0, 0.0, "unicorn"])
        ),
        **with_wrong_rows(truth, "x"),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
        "bad_no_confidence": spoil(lambda b: b[0].pop(0)),
        "bad_trailing_space": truth.assign(PredictionString=truth["PredictionString"] + " "),
        "bad_text_in_numbers": spoil(put(1, "left")),
        "bad_nan": spoil(put(2, "nan")),
        "bad_negative_size": spoil(put(5, -4.0)),
        "bad_infinite_coordinate": spoil(put(2, "inf")),
        "bad_corners_not_square": spoil(lambda b: (put(1, 1e12)(b), put(7, 0.7)(b))),
    }
    return as_files(out)
