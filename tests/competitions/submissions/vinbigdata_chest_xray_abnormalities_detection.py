"""Submissions for vinbigdata-chest-xray-abnormalities-detection, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import csv
    import io

    r = rng(seed, "submissions")
    truth: dict[str, list[tuple]] = {}
    for row in csv.DictReader(io.StringIO((private / "answers.csv").read_text())):
        box = [float(row[k]) for k in ("x_min", "y_min", "x_max", "y_max")]
        truth.setdefault(row["image_id"], []).append((int(row["class_id"]), *box))
    ids = list(truth)

    def say(preds, order=None, extra=()) -> str:
        rows = [
            [i, " ".join(" ".join(f"{v:g}" for v in p) for p in preds[i])] for i in (order or ids)
        ]
        return csv_text(["image_id", "PredictionString"], rows + list(extra))

    nothing = (14, 1, 0, 0, 1, 1)
    perfect = {i: [(c, 1, *b) for c, *b in t] for i, t in truth.items()}
    noisy = {}
    for i, t in truth.items():
        out = []
        for c, x0, y0, x1, y1 in t:
            if r.random() < 0.15:
                continue
            s = (x1 - x0) * 0.5 if c != 14 else 0
            said = [c if r.random() < 0.9 else r.randrange(15), round(r.random(), 2)]
            box = (x0, y0, x1, y1)
            out.append((*said, *(round(v + r.uniform(-s, s)) if s else v for v in box)))
        if r.random() < 0.2:
            a, b = r.randrange(2000), r.randrange(2000)
            said = [r.randrange(14), round(r.random(), 2), a, b]
            out.append((*said, a + r.randrange(50, 500), b + r.randrange(50, 500)))
        noisy[i] = out or [nothing]
    shifted = {
        i: [(c, 0.5, *((v + 0.45 * (b[2] - b[0]) for v in b) if c != 14 else b)) for c, *b in t]
        for i, t in truth.items()
    }
    as_sizes = {
        i: [(c, 1, b[0], b[1], b[2] - b[0], b[3] - b[1]) for c, *b in t] for i, t in truth.items()
    }
    flipped = {i: [*p, (p[0][0], 0.3, 500, 50, 100, 900)] for i, p in perfect.items()}
    sick = next(i for i in ids if truth[i][0][0] != 14)
    crowd = dict(perfect) | {
        sick: [(truth[sick][0][0], round(0.99 - k / 1000, 4), 5, 5, 9, 9) for k in range(120)]
        + [(truth[sick][0][0], 0.2, *truth[sick][0][1:])]
    }

    def cell(text, k=0):
        return csv_text(
            ["image_id", "PredictionString"],
            [[i, text if n == k else "14 1 0 0 1 1"] for n, i in enumerate(ids)],
        )

    base = say(noisy)
    # A rare class with a box that is predicted twice: the first prediction does not use it up.
    rare = next(i for c in (12, 1, 4, 5, 2) for i in ids if any(t[0] == c for t in truth[i]))
    c, *b = min(
        truth[rare], key=lambda t: (12, 1, 4, 5, 2).index(t[0]) if t[0] in (12, 1, 4, 5, 2) else 9
    )
    twice = perfect | {rare: [(c, 3, *b), (c, 2, *b)]}
    rest = [i for i in ids if i != rare]
    other = list(ids)
    r.shuffle(other)
    return {
        "perfect": say(perfect),
        "noisy": base,
        "noisy_shifted_boxes": say(shifted),
        "noisy_width_and_height": say(as_sizes),
        "noisy_every_box_twice": say({i: p * 2 for i, p in noisy.items()}),
        "noisy_shuffled": say(noisy, other),
        "odd_reversed": say(noisy, ids[::-1]),
        "odd_twice_first_in_file": say(twice, [rare, *rest]),
        "odd_twice_last_in_file": say(twice, [*rest, rare]),
        "odd_fractional_class": say(
            {i: [(k + 0.7, *p) for k, *p in ps] for i, ps in noisy.items()}
        ),
        "odd_negative_area": say(flipped),
        "odd_more_than_100": say(crowd),
        "odd_unknown_class": say({i: [*p, (99, 1, 1, 1, 9, 9)] for i, p in noisy.items()}),
        "odd_score_above_one": say(
            {i: [(c, 7 * s, *b) for c, s, *b in p] for i, p in noisy.items()}
        ),
        "odd_duplicate_id": say(
            noisy, None, [[ids[3], "14 0.5 0 0 1 1"], [ids[3], "0 0.5 10 10 100 100"]]
        ),
        "odd_extra_column": "\n".join(
            line + (",extra" if k == 0 else ",1") for k, line in enumerate(base.splitlines())
        )
        + "\n",
        "bad_missing_column": csv_text(["image_id"], ([i] for i in ids)),
        "bad_missing_row": say(noisy, ids[1:]),
        "bad_extra_row": say(noisy, None, [["f" * 32, "14 1 0 0 1 1"]]),
        "bad_wrong_id": base.replace(ids[0], "f" * 32),
        "bad_nan": cell(""),
        "bad_five_numbers": cell("14 1 0 0 1"),
        "bad_text_in_numbers": cell("No finding 0 0 1 1"),
        "bad_double_space": cell("14  1 0 0 1 1"),
        "bad_trailing_space": cell("14 1 0 0 1 1 "),
        "bad_empty": "",
        "bad_header_only": csv_text(["image_id", "PredictionString"], []),
    }
