"""Submissions for imet-2020-fgvc7, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng
from tests.competitions.frames import as_files, with_wrong_rows


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import pandas as pd

    truth = pd.read_csv(private / "answers.csv", dtype=str)
    r = rng(seed, "submissions")
    used = sorted({a for cell in truth["attribute_ids"] for a in cell.split()}, key=int)

    def change(keep, extra, wide):
        out = []
        for cell in truth["attribute_ids"]:
            mine = [a for a in cell.split() if r.random() < keep]
            # Repeats may occur.
            mine += [str(r.randrange(wide)) for _ in range(extra) if r.random() < 0.5]
            r.shuffle(mine)
            out.append(" ".join(mine))
        return truth.assign(attribute_ids=out)

    noisy, bold = change(0.7, 2, 40), change(0.9, 6, 40)
    # Classes outside the answers cost nothing.
    unseen = truth.assign(attribute_ids=[c + " 3999 4000 abc" for c in truth["attribute_ids"]])
    padded = truth.assign(
        attribute_ids=[" ".join(a.zfill(2) for a in c.split()) for c in truth["attribute_ids"]]
    )
    spaces = truth.assign(
        attribute_ids=["  " + c.replace(" ", "   ") for c in truth["attribute_ids"]]
    )
    out = {
        "perfect": truth,
        "noisy": noisy,
        "noisy_bold": bold,
        "everything": truth.assign(attribute_ids=" ".join(used)),
        "noisy_half_empty": truth.assign(
            attribute_ids=["" if i % 2 else c for i, c in enumerate(truth["attribute_ids"])]
        ),
        "odd_unseen_classes": unseen,
        "odd_zero_padded": padded,
        "odd_many_spaces": spaces,
        "noisy_shuffled": noisy.sample(frac=1, random_state=seed),
        "odd_extra_column": noisy.assign(extra=1),
        **with_wrong_rows(truth, "x"),
        "bad_duplicate_id": pd.concat([truth.iloc[:-1], truth.iloc[:1]]),
        "bad_all_single_numbers": truth.assign(attribute_ids="7"),
    }
    return as_files(out) | {"odd_all_empty": truth.assign(attribute_ids="").to_csv(index=False)}
