"""Submissions for siim-covid19-detection, good, odd and bad."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mlebench.rehearsal import Random, csv_text, rng

LABELS = ["negative", "typical", "indeterminate", "atypical"]


def boxes(string: str) -> list[tuple[Any, ...]]:
    t = string.split()
    return [(t[k], *map(float, t[k + 1 : k + 6])) for k in range(0, len(t), 6)]


def guess_study(r: Random, label: str, amount: float) -> list[tuple[object, ...]]:
    hits = [0.5 * (name == label) + r.uniform(0, amount) for name in LABELS]
    scores = [round(min(1, max(0, hit)), 2) for hit in hits]
    return [(name, score, 0, 0, 1, 1) for name, score in zip(LABELS, scores, strict=True)]


def guess_image(r: Random, true: list[tuple[Any, ...]], amount: float) -> list[tuple[object, ...]]:
    """Boxes that are moved, missed and doubled."""
    out: list[tuple[object, ...]] = []
    if true[0][0] == "none" or r.random() < 0.3:
        out.append(("none", round(r.uniform(0.1, 1), 1), 0, 0, 1, 1))
    for box in (b for b in true if b[0] == "opacity"):
        for _ in range(r.choice([0, 1, 1, 1, 2])):
            score = round(r.uniform(0.3, 1), 1)
            moved = (round(v + r.uniform(-150, 150) * amount, 3) for v in box[2:])
            out.append(("opacity", score, *moved))
    if r.random() < 0.5:
        out.append(("opacity", round(r.uniform(0, 0.9), 1), 10, 10, 300, 250))
    return out


def guess(r: Random, i: str, string: str, amount: float) -> str:
    true = boxes(string)
    if i.endswith("_study"):
        out = guess_study(r, true[0][0], amount)
    else:
        out = guess_image(r, true, amount)
    r.shuffle(out)
    return " ".join(" ".join(map(str, b)) for b in out) or "none 0.1 0 0 1 1"


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import csv

    with (private / "test.csv").open(newline="") as f:
        truth = [(row["id"], row["PredictionString"]) for row in csv.DictReader(f)]
    r = rng(seed, "submissions")

    def text(rows, header=("id", "PredictionString")):
        return csv_text(list(header), rows)

    good, weak = ([(i, guess(r, i, s, amount)) for i, s in truth] for amount in (0.6, 1.2))
    mixed = list(weak)
    r.shuffle(mixed)
    swapped = [
        (i, s.replace("typical", "atypical") if i.endswith("_study") and "atypical" not in s else s)
        for i, s in truth
    ]
    # The unit box of studies and of images without opacity, cut to exactly half (no match) or just
    # above it (a match).
    halves = [
        (i, s.replace(" 0 0 1 1", " 0 0 1 " + ("0.5" if j % 2 else "0.50001")))
        for j, (i, s) in enumerate(truth)
    ]

    def flip(b, how):
        return (*b[:2], *(b[n] for n in ((4, 3, 2, 5), (2, 5, 4, 3), (4, 5, 2, 3))[how]))

    inverted = [
        (
            i,
            " ".join(
                " ".join(map(str, flip(b, (j + n) % 3) if (j + n) % 4 else b))
                for n, b in enumerate(boxes(s))
            ),
        )
        for j, (i, s) in enumerate(truth)
    ]
    k = next(j for j, (i, s) in enumerate(truth) if s.startswith("opacity"))

    def put(s):
        return [*truth[:k], (truth[k][0], s), *truth[k + 1 :]]

    rest = truth[1:]
    return {
        "perfect": text(truth),
        "noisy_good": text(good),
        "noisy_weak": text(weak),
        "noisy_weak_shuffled": text(mixed),
        "noisy_swapped_labels": text(swapped),
        "noisy_half_overlap": text(halves),
        "odd_inverted_boxes": text(inverted),
        "noisy_half_boxes": text([(i, " ".join(s.split()[:6])) for i, s in truth]),
        "odd_unknown_class": text([(i, s + " cat 0.9 0 0 9 9") for i, s in good]),
        "odd_no_match": text(put("opacity 1 0 0 0 0 opacity 0.5 50 50 10 10")),
        "odd_negative_confidence": text([(i, s.replace("none ", "none -")) for i, s in good]),
        "odd_extra_column": csv_text(["PredictionString", "x", "id"], ((s, 1, i) for i, s in good)),
        "bad_cut_box": text(put("opacity 1 10 10 20")),
        "bad_text_in_numbers": text(put("opacity high 10 10 20 20")),
        "bad_nan": text(put("")),
        "bad_nan_confidence": text(put("opacity nan 10 10 20 20")),
        "bad_missing_column": text([(i,) for i, _ in truth], ("id",)),
        "bad_missing_id_column": text([(s,) for _, s in truth], ("PredictionString",)),
        "bad_missing_row": text(rest),
        "bad_extra_row": text(truth + truth[:1]),
        "bad_duplicate_id": text([rest[0], *rest]),
        "bad_wrong_id": text([("zz_study", truth[0][1]), *rest]),
        "bad_empty": "",
        "bad_header_only": "id,PredictionString\n",
    }
