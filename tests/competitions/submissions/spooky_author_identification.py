"""Submissions for spooky-author-identification, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.spooky_author_identification.rehearsal import AUTHORS
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import numpy as np
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    y = truth[AUTHORS].to_numpy(float)

    def frame(p):
        return pd.DataFrame(np.asarray(p), columns=AUTHORS).assign(id=truth["id"])[["id", *AUTHORS]]

    weights = y * 1.5 + np.array([[r.random() for _ in AUTHORS] for _ in y])
    noisy = frame(weights / weights.sum(axis=1, keepdims=True))
    wrong = y.copy()
    for k in range(0, len(wrong), 4):
        wrong[k] = np.roll(wrong[k], 1)
    p0 = float(noisy["EAP"][0])

    def row0(*v):
        return noisy.assign(**{c: [x, *noisy[c][1:]] for c, x in zip(AUTHORS, v, strict=True)})

    out = {
        "perfect": frame(y),
        "noisy": noisy,
        "hard_and_wrong": frame(wrong),
        "soft_and_wrong": frame(0.9 * wrong + 0.1 / 3),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "noisy_classes_reordered": noisy[["id", "MWS", "EAP", "HPL"]],
        "noisy_sum_1_00001": with_first(noisy, "EAP", p0 + 1e-5),
        "noisy_sum_0_99999": with_first(noisy, "EAP", p0 - 1e-5),
        "bad_sum_1_00002": with_first(noisy, "EAP", p0 + 2e-5),
        "bad_not_normalised": frame(y * 0.5),
        "bad_id_not_first": noisy[["EAP", "HPL", "MWS", "id"]],
        "bad_extra_column": noisy.assign(x=0),
        **with_wrong_rows(noisy, "id99999"),
        "bad_missing_column": noisy.drop(columns="MWS"),
        "bad_renamed_column": noisy.rename(columns={"MWS": "Shelley"}),
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1].assign(id="id99999")]),
        "bad_nan": row0(0.5, 0.5, None),
        "bad_out_of_range": row0(1.5, -0.5, 0.0),
        "bad_text": with_first(noisy, "HPL", "high"),
    }
    return as_files(out)
