"""Rehearsal data: RNA molecules as JSON lines with lists of measurements per base."""

import json
from typing import Any

from mlebench.rehearsal import Files, Making, Random, csv_file, hex_id, lines_file, npy, raw_data

TARGETS = ["reactivity", "deg_Mg_pH10", "deg_pH10", "deg_Mg_50C", "deg_50C"]
ERRORS = "reactivity_error deg_error_Mg_pH10 deg_error_pH10 deg_error_Mg_50C deg_error_50C".split()


def number(r: Random, mean: float, deviation: float) -> float:
    """Mostly four decimals, some odd ones."""
    value = r.gauss(mean, deviation)
    # The writers keep ten decimals: an eleventh that is 5 shows how exactly the reader reads.
    edge = float(f"{value:.10f}5")
    odd = [0.0, round(value, 1), value, value * 1e-7, 1.0, edge]
    return r.choice([round(value, 4)] * 11 + odd)


def letters(r: Random, alphabet: str, count: int) -> str:
    return "".join(r.choice(alphabet) for _ in range(count))


def molecule(r: Random, index: int, size: tuple[int, int], *, is_labelled: bool) -> dict[str, Any]:
    length, scored = size
    row: dict[str, Any] = {
        "index": index,
        "id": f"id_{hex_id(r, 9)}",
        "sequence": "GGAAA" + letters(r, "ACGU", length - 5),
        "structure": letters(r, ".()", length),
        "predicted_loop_type": letters(r, "EHSMIBX", length),
    }
    if is_labelled:
        is_good = r.random() < 0.7
        row["signal_to_noise"] = round(r.uniform(0.2, 9), 3)
        row["SN_filter"] = 1.0 if is_good else 0.0
    row |= {"seq_length": length, "seq_scored": scored}
    if is_labelled:
        row |= {k: [abs(number(r, 0.1, 0.05)) for _ in range(scored)] for k in ERRORS}
        row |= {k: [number(r, 0.4, 0.5) for _ in range(scored)] for k in TARGETS}
    return row


def json_lines(name: str, rows: list[dict[str, Any]]) -> tuple[str, bytes]:
    return lines_file(name, (json.dumps(row, separators=(",", ":")) for row in rows))


@raw_data("rna")
def make_raw(making: Making) -> Files:
    import numpy as np

    r, sizes = making.r, [(107, 68), (107, 68), (130, 91), (130, 91)]
    train = [molecule(r, i, (107, 68), is_labelled=True) for i in range(48 * making.scale)]
    test = [molecule(r, i, size, is_labelled=False) for i, size in enumerate(sizes)]
    yield json_lines("train.json", train)
    yield json_lines("test.json", test)
    bases = (f"{row['id']}_{base}" for row in test for base in range(row["seq_length"]))
    sample = ((base, *[0.0] * 5) for base in bases)
    yield csv_file("sample_submission.csv", ["id_seqpos", *TARGETS], sample)
    for row in train[:6] + test:
        yield f"bpps/{row['id']}.npy", npy(np.zeros((2, 2), dtype=np.float32))
