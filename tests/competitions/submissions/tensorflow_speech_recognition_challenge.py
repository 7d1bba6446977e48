"""Submissions for tensorflow-speech-recognition-challenge, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.tensorflow_speech_recognition_challenge.rehearsal import WORDS
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv")
    r = rng(seed, "submissions")
    y = list(truth["label"])
    core = {"yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go"}
    noisy = truth.assign(label=[v if r.random() < 0.7 else r.choice(WORDS) for v in y])
    # What the task text asks for.
    twelve = truth.assign(
        label=[v if v in core else "silence" if v.startswith("_") else "unknown" for v in y]
    )
    case = truth.assign(label=[v.upper() if i % 3 == 0 else v for i, v in enumerate(y)])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_twelve_classes": twelve,
        "noisy_case": case,
        "all_yes": truth.assign(label="yes"),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        "odd_padded": truth.assign(label=[" " + y[0], y[1] + " ", *y[2:]]),
        "odd_all_numbers": truth.assign(label=range(len(truth))),
        **with_wrong_rows(truth, "clip_x.wav"),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
        "bad_nan": noisy.assign(label=[None, *noisy["label"][1:]]),
    }
    return as_files(out)
