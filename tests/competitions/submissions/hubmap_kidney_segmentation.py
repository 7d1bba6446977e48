"""Submissions for hubmap-kidney-segmentation, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.hubmap_kidney_segmentation.rehearsal import discs
from mlebench.rehearsal import rng, run_lengths
from tests.competitions.frames import as_files, with_wrong_rows


def decode(text: str) -> set[int]:
    v = list(map(int, text.split()))
    return {p for s, n in zip(v[::2], v[1::2], strict=True) for p in range(s, s + n)}


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    r = rng(seed, "submissions")
    answers = pd.read_csv(private / "test.csv")
    truth = pd.read_csv(private / "gold_submission.csv")
    sizes = list(zip(answers["width_pixels"], answers["height_pixels"], strict=True))
    masks = [decode(e) for e in answers["encoding"]]

    def put(masks):
        return truth.assign(predicted=[run_lengths(m) for m in masks])

    def cell(k, text):
        return truth.assign(
            predicted=[text if n == k else t for n, t in enumerate(truth["predicted"])]
        )

    noisy = put(
        [
            {p for p in m if r.random() < 0.8} | discs(r, w, h, 2)
            for m, (w, h) in zip(masks, sizes, strict=True)
        ]
    )
    # The same masks numbered row by row: a wrong flattening order must lower the score.
    rows_first = put(
        [
            {((p - 1) % h) * w + (p - 1) // h + 1 for p in m}
            for m, (w, h) in zip(masks, sizes, strict=True)
        ]
    )
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_one_empty": cell(0, ""),
        "noisy_row_major": rows_first,
        "noisy_shuffled": noisy.iloc[::-1],
        "odd_all_empty": truth.assign(predicted=""),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_full": put([set(range(1, w * h + 1)) for w, h in sizes]),
        "odd_beyond_the_end": cell(0, f"{sizes[0][0] * sizes[0][1] - 50} 1000"),
        "odd_start_beyond_the_end": cell(0, f"1 50 {sizes[0][0] * sizes[0][1] + 5} 10"),
        "odd_three_numbers": cell(0, "1 300 700"),
        "odd_one_number": cell(0, "7"),
        "odd_spaces": cell(0, "  " + str(truth["predicted"][0]).replace(" ", "  ") + " "),
        **with_wrong_rows(truth, "x"),
        "bad_missing_id": truth[["predicted"]],
        "bad_five_numbers": cell(0, "1 3 10 5 20"),
        "bad_overlap": cell(0, "1 5 3 5"),
        "bad_unsorted": cell(0, "10 5 1 3"),
        "bad_zero_start": cell(0, "0 5"),
        "bad_zero_length": cell(0, "5 0"),
        "bad_negative": cell(0, "5 -2"),
        "bad_text_in_numbers": cell(0, "1 3 a b"),
        "bad_fraction": cell(0, "1.5 3"),
        "bad_numbers_only": truth.assign(predicted=[5, 6, 7]),
    }
    return as_files(out)
