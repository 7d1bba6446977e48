"""Rehearsal data. RNA molecules as JSON lines with lists of measurements per base."""

from __future__ import annotations

import io
import json
from pathlib import Path

from mlebench.rehearsal import hex_id, rng, write_bytes, write_csv, write_text

TARGETS = ["reactivity", "deg_Mg_pH10", "deg_pH10", "deg_Mg_50C", "deg_50C"]


ERRORS = [
    "reactivity_error",
    "deg_error_Mg_pH10",
    "deg_error_pH10",
    "deg_error_Mg_50C",
    "deg_error_50C",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    import numpy as np

    r = rng(seed, "rna")

    def number(mean, sd):
        v = r.gauss(mean, sd)
        edge = float(
            f"{v:.10f}5"
        )  # the writers keep ten decimals: an eleventh that is 5 shows how exactly the reader reads
        return r.choice(
            [round(v, 4)] * 11 + [0.0, round(v, 1), v, v * 1e-7, 1.0, edge]
        )  # mostly four decimals, some odd ones

    def molecule(i, length, scored, labelled):
        row = {
            "index": i,
            "id": f"id_{hex_id(r, 9)}",
            "sequence": "GGAAA" + "".join(r.choice("ACGU") for _ in range(length - 5)),
            "structure": "".join(r.choice(".()") for _ in range(length)),
            "predicted_loop_type": "".join(r.choice("EHSMIBX") for _ in range(length)),
        }
        if labelled:
            ok = r.random() < 0.7
            row |= {"signal_to_noise": round(r.uniform(0.2, 9), 3), "SN_filter": 1.0 if ok else 0.0}
        row |= {"seq_length": length, "seq_scored": scored}
        if labelled:
            row |= {k: [abs(number(0.1, 0.05)) for _ in range(scored)] for k in ERRORS}
            row |= {k: [number(0.4, 0.5) for _ in range(scored)] for k in TARGETS}
        return row

    def lines(rows):
        return "".join(json.dumps(x, separators=(",", ":")) + "\n" for x in rows)

    train = [molecule(i, 107, 68, True) for i in range(48 * scale)]
    test = [molecule(i, *((107, 68) if i < 2 else (130, 91)), False) for i in range(4)]
    write_text(raw / "train.json", lines(train))
    write_text(raw / "test.json", lines(test))
    write_csv(
        raw / "sample_submission.csv",
        ["id_seqpos", *TARGETS],
        ((f"{t['id']}_{j}", *[0.0] * 5) for t in test for j in range(t["seq_length"])),
    )
    for x in train[:6] + test:
        out = io.BytesIO()
        np.save(out, np.zeros((2, 2), dtype=np.float32))
        write_bytes(raw / "bpps" / f"{x['id']}.npy", out.getvalue())
