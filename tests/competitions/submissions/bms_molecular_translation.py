"""Submissions for bms-molecular-translation, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.bms_molecular_translation.rehearsal import inchi
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv", dtype=str)
    r = rng(seed, "submissions")

    def damage(text: str) -> str:
        chars = list(text)
        for _ in range(r.randrange(0, 6)):
            at = r.randrange(len(chars))
            chars[at : at + r.randrange(2)] = r.choice(["", "C", "1", "-2"])
        return "".join(chars)

    noisy = truth.assign(InChI=[damage(t) for t in truth["InChI"]])
    text = list(noisy["InChI"])
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_guess": truth.assign(InChI=[inchi(r) for _ in text]),
        "noisy_case": truth.assign(InChI=[t.lower() for t in truth["InChI"]]),
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra="x"),
        "odd_nan_counts_as_text": noisy.assign(InChI=[None, None, *text[2:]]),
        "odd_numbers_count_as_text": truth.assign(InChI=range(len(truth))),
        **with_wrong_rows(noisy, "x"),
    }
    return as_files(out)
