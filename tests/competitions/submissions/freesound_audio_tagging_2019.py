"""Submissions for freesound-audio-tagging-2019, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.freesound_audio_tagging_2019.rehearsal import CLASSES
from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")

    def each(f):
        frame = truth.copy()
        for c in CLASSES:
            frame[c] = [f(v) for v in truth[c]]
        return frame

    noisy = each(lambda v: round(min(1, max(0, 0.25 * v + 0.5 * r.random())), 4))
    ties = each(lambda v: round(0.3 * v + 0.7 * r.random(), 1))
    logits = each(lambda v: round(2.5 * v + r.gauss(-1, 1.5), 3))
    hit = each(lambda v: v if r.random() < 0.97 else 1 - v)
    names = list(truth["fname"])
    first = CLASSES[0]
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_ties": ties,
        "noisy_hard_labels": hit,
        "noisy_unbounded": logits,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_inverted": each(lambda v: 1 - v),
        "odd_uniform": each(lambda v: 0.5),
        "bad_extra_column": noisy.assign(extra=1),
        "bad_column_order": noisy[["fname", *reversed(CLASSES)]],
        "bad_id_last": noisy[[*CLASSES, "fname"]],
        "bad_missing_column": noisy.drop(columns=[first]),
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
        "bad_wrong_id": noisy.assign(fname=["x.wav", *names[1:]]),
        "bad_duplicate_id": noisy.assign(fname=[names[1], *names[1:]]),
        "bad_nan": noisy.assign(**{first: [None, *noisy[first][1:]]}),
        "bad_infinite": noisy.assign(**{first: [float("inf"), *noisy[first][1:]]}),
        "bad_text_in_numbers": noisy.assign(
            **{first: ["abc"] + [repr(v) for v in noisy[first][1:]]}
        ),
    }
    return {name: frame.to_csv(index=False) for name, frame in out.items()} | {
        "bad_empty": "",
        "bad_header_only": csv_text(["fname", *CLASSES], []),
    }
