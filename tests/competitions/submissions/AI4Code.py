"""Submissions for AI4Code, good, odd and bad."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, rng


def submissions(public: Path, private: Path, seed: int) -> dict[str, str]:
    import csv

    with (private / "test_orders.csv").open(newline="") as f:
        truth = [(row["id"], row["cell_order"].split()) for row in csv.DictReader(f)]
    r = rng(seed, "submissions")

    def shuffled(cells):
        cells = list(cells)
        r.shuffle(cells)
        return cells

    def text(rows, header=("id", "cell_order")):
        return csv_text(
            list(header), ((i, " ".join(c) if isinstance(c, list) else c) for i, c in rows)
        )

    noisy = [(i, shuffled(c) if r.random() < 0.3 else c) for i, c in truth]
    worse = [(i, shuffled(c)) for i, c in truth]
    mixed = list(worse)
    r.shuffle(mixed)
    first, rest = truth[0], truth[1:]
    k = next(j for j, (_, c) in enumerate(truth) if len(c) >= 3)
    three = truth[k]

    def swap(new):
        return [*truth[:k], new, *truth[k + 1 :]]

    return {
        "perfect": text(truth),
        "noisy": text(noisy),
        "noisy_random": text(worse),
        "noisy_random_shuffled": text(mixed),
        "worst_reversed": text([(i, c[::-1]) for i, c in truth]),
        "odd_extra_column": csv_text(
            ["extra", "cell_order", "id"], ((1, " ".join(c), i) for i, c in noisy)
        ),
        "odd_spaces": text([(i, "  ".join(c) + " ") for i, c in noisy]),
        "bad_missing_column": csv_text(["id"], ((i,) for i, _ in truth)),
        "bad_missing_row": text(rest),
        "bad_extra_row": text([*truth, first]),
        "bad_wrong_id": text([("ffffffffffffff", first[1]), *rest]),
        "bad_duplicate_id": text([rest[0], *rest]),
        "bad_short_order": text(swap((three[0], three[1][:-1]))),
        "bad_unknown_cell": text(swap((three[0], ["zz", *three[1][1:]]))),
        "bad_repeated_cell": text(swap((three[0], [three[1][1], *three[1][1:]]))),
        "bad_nan": text([(first[0], ""), *rest]),
        "bad_empty": "",
        "bad_header_only": "id,cell_order\n",
    }
