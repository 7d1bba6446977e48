"""Rehearsal data: RNA molecules as JSON lines with lists of measurements per base."""

from typing import Any

from mlebench.rehearsal import FilePerId, Making, Parts, Random, Table, hex_id, npy, raw_data
from mlebench.rehearsal.content import json_lines

TARGETS = ["reactivity", "deg_Mg_pH10", "deg_pH10", "deg_Mg_50C", "deg_50C"]
ERRORS = "reactivity_error deg_error_Mg_pH10 deg_error_pH10 deg_error_Mg_50C deg_error_50C".split()
SHORT, LONG = (107, 68), (130, 91)


def number(r: Random, mean: float, deviation: float) -> float:
    """Mostly four decimals, some odd ones."""
    value = r.gauss(mean, deviation)
    # Ten decimals are written: with a 5 as the eleventh, an inexact reader rounds differently.
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
    sizes = {"seq_length": length, "seq_scored": scored}
    if not is_labelled:
        return row | sizes
    is_good = r.random() < 0.7
    row |= {"signal_to_noise": round(r.uniform(0.2, 9), 3), "SN_filter": float(is_good), **sizes}
    row |= {k: [abs(number(r, 0.1, 0.05)) for _ in range(scored)] for k in ERRORS}
    return row | {k: [number(r, 0.4, 0.5) for _ in range(scored)] for k in TARGETS}


@raw_data("rna")
def make_raw(making: Making) -> Parts:
    import numpy as np

    r = making.r
    train = [molecule(r, i, SHORT, is_labelled=True) for i in range(48 * making.scale)]
    sizes = enumerate([SHORT, SHORT, LONG, LONG])
    test = [molecule(r, i, size, is_labelled=False) for i, size in sizes]
    yield json_lines("train.json", train, separators=(",", ":"))
    yield json_lines("test.json", test, separators=(",", ":"))
    bases = [f"{row['id']}_{base}" for row in test for base in range(row["seq_length"])]
    yield Table("sample_submission.csv", {"id_seqpos": bases, ",".join(TARGETS): (0.0,) * 5})
    pairs = npy(np.zeros((2, 2), dtype=np.float32))
    yield FilePerId("bpps/{0[id]}.npy", train + test, pairs)
