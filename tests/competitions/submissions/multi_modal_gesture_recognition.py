"""Submissions for multi-modal-gesture-recognition, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv", dtype=str)
    r = rng(seed, "submissions")

    def damage(text: str) -> str:
        items = text.split()
        for _ in range(r.randrange(0, 4)):
            at = r.randrange(len(items)) if items else 0
            items[at : at + r.randrange(2)] = [
                str(r.randrange(1, 21)) for _ in range(r.randrange(3))
            ]
        return " ".join(items) or "1"

    noisy = truth.assign(Sequence=[damage(t) for t in truth["Sequence"]])
    text = list(noisy["Sequence"])
    ids = list(truth["Id"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_one_gesture": truth.assign(Sequence=[t.split()[0] for t in text]),
        "noisy_far_too_long": truth.assign(Sequence=[" ".join(["5"] * 50) for _ in text]),
        "noisy_spaces_and_leading_zeros": noisy.assign(
            Sequence=["  ".join(f"{int(x):02d}" for x in t.split()) + " " for t in text]
        ),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_ids_without_zeros_extra_column": noisy.assign(Id=[int(i) for i in ids], extra="x"),
        **with_firsts(noisy, "Sequence", odd_blank_is_empty_list=" ", bad_nan=None),
        **with_wrong_rows(noisy, "9999"),
        "bad_commas": noisy.assign(Sequence=[t.replace(" ", ",") for t in text]),
    }
    return as_files(out)
