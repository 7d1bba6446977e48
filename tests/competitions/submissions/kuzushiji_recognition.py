"""Submissions for kuzushiji-recognition, good, odd and bad."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mlebench.rehearsal import Random, rng
from tests.competitions.frames import as_files, with_wrong_rows


def centre(b: Any) -> tuple[Any, ...]:
    return (b[0], b[1] + b[3] / 2, b[2] + b[4] / 2)


def messy(r: Random, page: list[Any]) -> list[tuple[Any, ...]]:
    out: list[tuple[Any, ...]] = []
    for b in page:
        u = r.random()
        if u < 0.1:
            continue  # missed
        if u < 0.2:
            out.append((b[0], b[1], b[2] + 5))  # on the left edge: not inside
        elif u < 0.25:
            out.append((b[0], b[1] + b[3], b[2] + 5))  # on the right edge
        elif u < 0.35:
            out.append(("U+003F", *centre(b)[1:]))
        elif u < 0.45:
            out += [centre(b)] * 2  # predicted twice
        else:
            out.append((b[0], b[1] + r.uniform(0, b[3]), b[2] + r.uniform(0, b[4])))
    r.shuffle(out)
    return out


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    answers = pd.read_csv(private / "test.csv")
    gold = pd.read_csv(private / "gold_submission.csv")
    pages = []
    for text in answers["labels"]:
        t = text.split()
        pages.append([(t[k], *map(int, t[k + 1 : k + 5])) for k in range(0, len(t), 5)])

    def join(pages):
        return gold.assign(labels=[" ".join(f"{c} {x} {y}" for c, x, y in p) for p in pages])

    noisy = join([messy(r, p) for p in pages])

    def cell(k, text, base=gold):
        return base.assign(labels=[text if n == k else t for n, t in enumerate(base["labels"])])

    out = {
        "perfect": join([[centre(b) for b in p] for p in pages]),
        "noisy": noisy,
        "noisy_one_page_empty": cell(0, ""),
        "noisy_corner_points": join(
            [[(b[0], b[1], b[2]) if k % 3 else centre(b) for k, b in enumerate(p)] for p in pages]
        ),
        "noisy_one_class": join([[(pages[0][0][0], *centre(b)[1:]) for b in p] for p in pages]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_all_empty": gold.assign(labels=""),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_nan_coordinates": cell(0, "U+306F nan nan U+304C inf -5"),
        **with_wrong_rows(gold, "x"),
        "bad_two_of_three": cell(0, "U+306F 10"),
        "bad_five_per_character": answers[["image_id", "labels"]].iloc[:, :],
        "bad_text_in_numbers": cell(0, "U+306F a b"),
        "bad_double_space": cell(0, "U+306F  10 20"),
        "bad_trailing_space": cell(0, "U+306F 10 20 "),
        "bad_numbers": gold.assign(labels=range(len(gold))),
    }
    return as_files(out)
