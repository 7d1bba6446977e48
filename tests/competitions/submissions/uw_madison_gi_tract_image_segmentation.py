"""Submissions for uw-madison-gi-tract-image-segmentation, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.uw_madison_gi_tract_image_segmentation.rehearsal import mask
from mlebench.rehearsal import csv_text, rng
from tests.competitions.frames import as_files


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    answers = pd.read_csv(private / "test.csv")
    truth = answers[["id", "class", "predicted"]]
    r = rng(seed, "submissions")
    drop = truth["id"].iloc[-1].split("_slice_")[0]

    def shift(row) -> str:
        if row.id.startswith(drop + "_"):
            return ""
        if not isinstance(row.predicted, str):
            return mask(r, int(row.image_width), int(row.image_height)) if r.random() < 0.05 else ""
        kind = r.random()
        if kind < 0.1:
            return ""
        numbers = [int(v) for v in row.predicted.split()]
        if kind < 0.6:
            numbers[1::2] = [max(1, n - 1) for n in numbers[1::2]]
        return " ".join(map(str, numbers))

    noisy = truth.assign(predicted=[shift(row) for row in answers.itertuples()])
    full = [
        f"1 {int(w * h)}"
        for w, h in zip(answers["image_width"], answers["image_height"], strict=True)
    ]

    # Rows change places among answer rows of one size only: the masks still stack.
    places = list(range(len(noisy)))
    for size in sorted({*zip(answers["image_width"], answers["image_height"], strict=True)}):
        same = [
            i for i in places if (answers["image_width"][i], answers["image_height"][i]) == size
        ]
        for i, j in zip(same, r.sample(same, len(same)), strict=True):
            places[i] = j

    # One whole slice (three rows) changes places with a slice of another size.
    other = next(
        i for i in range(0, len(noisy), 3) if answers["image_width"][i] != answers["image_width"][0]
    )
    swapped = list(range(len(noisy)))
    swapped[:3], swapped[other : other + 3] = swapped[other : other + 3], swapped[:3]

    def first_filled(text: str):
        column = list(noisy["predicted"])
        column[next(i for i, v in enumerate(column) if v)] = text
        return noisy.assign(predicted=column)

    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_everything_marked": truth.assign(predicted=full),
        "noisy_past_the_end": first_filled("1 4 100000 7"),
        "noisy_overlap_past_the_end": first_filled("1 4 100000 7 100003 9"),
        "noisy_overlap_partly_past_the_end": first_filled("1 4 100 100000 1000 7"),
        "noisy_all_empty": truth.assign(predicted=""),
        "odd_lone_number": first_filled("5"),
        "odd_order_matters": noisy.iloc[::-1],
        "odd_shuffled_same_size": noisy.iloc[places],
        "odd_extra_column_and_row": pd.concat([noisy, noisy.iloc[:1]]).assign(extra=1),
        "odd_first_rows_only": noisy.iloc[: len(noisy) // 3],
        "odd_class_ignored": noisy.assign(**{"class": "x"}),
        "odd_three_numbers": first_filled("3 2 20"),
        "bad_missing_column": noisy[["id", "predicted"]],
        "bad_overlap": first_filled("1 5 3 4"),
        "bad_unsorted": first_filled("20 2 3 4"),
        "bad_text": first_filled("1 two"),
        "bad_numbers_only": noisy.assign(predicted=5),
        "bad_numbers_and_gaps": noisy.assign(
            predicted=["5" if v else "" for v in noisy["predicted"]]
        ),
        "bad_shuffled_mixed_sizes": noisy.sample(frac=1, random_state=seed),
        "bad_slice_among_other_sizes": noisy.iloc[swapped],
    }
    return as_files(out) | {
        "odd_header_only_scores_nan": csv_text(["id", "class", "predicted"], [])
    }
