"""Submissions for google-quest-challenge, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.google_quest_challenge.rehearsal import TARGETS
from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_firsts


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "test.csv", float_precision="round_trip")
    r = rng(seed, "submissions")

    def shake(amount: float) -> pd.DataFrame:
        out = truth.copy()
        for c in TARGETS:
            out[c] = [v + r.uniform(-amount, amount) for v in out[c]]
        return out

    noisy, weak = shake(0.2), shake(1.5)
    coarse = truth.copy()
    coarse[TARGETS] = (coarse[TARGETS] * 3).round() / 3  # many ties
    coarse["question_type_spelling"] = truth["question_type_spelling"]
    first = TARGETS[0]
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_weak": weak,
        "noisy_ties": coarse,
        "noisy_shuffled": weak.sample(frac=1, random_state=6),
        "noisy_columns_reordered": noisy[[*TARGETS[::-1], "qa_id"]],
        "worst_reversed": truth.assign(**{c: 1 - truth[c] for c in TARGETS}),
        "odd_scaled_out_of_range": noisy.assign(**{c: noisy[c] * 100 - 7 for c in TARGETS}),
        "odd_constant_column": noisy.assign(**{first: 0.5}),
        **with_firsts(noisy, first, odd_nan=None, odd_text_in_numbers="high"),
        "odd_wrong_id": noisy.assign(qa_id=[999999, *noisy["qa_id"][1:]]),
        "bad_extra_column": noisy.assign(extra=1),
        "bad_missing_column": noisy.drop(columns=first),
        "bad_missing_id_column": noisy.drop(columns="qa_id"),
        "bad_missing_row": noisy.iloc[1:],
        "bad_extra_row": pd.concat([noisy, noisy.iloc[:1]]),
    }
    return as_files(out)
