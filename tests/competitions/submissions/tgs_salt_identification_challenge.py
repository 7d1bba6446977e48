"""Submissions for tgs-salt-identification-challenge, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.competitions.tgs_salt_identification_challenge.rehearsal import SIDE
from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import csv

    with (private / "test.csv").open(newline="") as f:
        truth = [(row["id"], row["rle_mask"]) for row in csv.DictReader(f)]
    r = rng(seed, "submissions")

    def text(rows, header=("id", "rle_mask")):
        return csv_text(list(header), rows)

    def pairs(mask: str):
        t = list(map(int, mask.split()))
        return list(zip(t[::2], t[1::2], strict=True))

    def worse(mask: str) -> str:
        got = pairs(mask)
        if not got:
            return r.choice(["", "", "5 20"])
        keep = got[r.randrange(len(got) // 3 + 1) :]  # drop some columns on the left
        cut = r.randrange(3)
        return " ".join(f"{a} {max(1, n - cut)}" for a, n in keep)

    noisy = [(i, worse(m)) for i, m in truth]
    half = [(i, " ".join(f"{a} {max(1, n // 2)}" for a, n in pairs(m))) for i, m in truth]
    mixed = list(noisy)
    r.shuffle(mixed)
    k = next(j for j, (_, m) in enumerate(truth) if m)

    def put(m):
        return [*truth[:k], (truth[k][0], m), *truth[k + 1 :]]

    rest = truth[1:]
    return {
        "perfect": text(truth),
        "noisy": text(noisy),
        "noisy_half_runs": text(half),
        "noisy_shuffled": text(mixed),
        "odd_all_blank": text([(i, "") for i, _ in truth]),
        "odd_all_full": text([(i, f"1 {SIDE * SIDE}") for i, _ in truth]),
        "odd_beyond_image": text([(i, "10200 500") for i, _ in truth]),
        "odd_one_number": text(put("500")),
        "odd_three_numbers": text(put("500 20 1000")),
        "odd_touching_runs": text(
            [
                (
                    i,
                    " ".join(
                        f"{a} 1 {a + 1} {n - 1}" if n > 1 else f"{a} {n}" for a, n in pairs(m)
                    ),
                )
                for i, m in truth
            ]
        ),
        "bad_five_numbers": text(put("1 5 10 5 20")),
        "bad_overlap": text(put("1 5 3 5")),
        "bad_unsorted": text(put("50 5 10 5")),
        "bad_zero_start": text(put("0 5")),
        "bad_zero_length": text(put("5 0")),
        "bad_text_in_numbers": text(put("1 five")),
        "bad_float": text(put("1.0 5.0")),
        "bad_extra_column": csv_text(["id", "rle_mask", "x"], ((i, m, 1) for i, m in truth)),
        "bad_missing_column": text([(i,) for i, _ in truth], ("id",)),
        "bad_missing_row": text(rest),
        "bad_extra_row": text(truth + truth[:1]),
        "bad_duplicate_id": text([rest[0], *rest]),
        "bad_wrong_id": text([("zzzzzzzzzz", ""), *rest]),
        "bad_all_numbers": text([(i, 5) for i, _ in truth]),
        "bad_empty": "",
        "bad_header_only": "id,rle_mask\n",
    }
