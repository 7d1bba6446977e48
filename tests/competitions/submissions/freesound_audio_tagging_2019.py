"""Submissions for freesound-audio-tagging-2019, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.freesound_audio_tagging_2019.rehearsal import CLASSES
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_first, with_firsts, with_wrong_rows


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
        **with_wrong_rows(noisy, "x.wav"),
        "bad_missing_column": noisy.drop(columns=[first]),
        **with_firsts(noisy, first, bad_nan=None, bad_infinite=float("inf")),
        "bad_text_in_numbers": with_first(noisy, first, "abc"),
    }
    return as_files(out)
