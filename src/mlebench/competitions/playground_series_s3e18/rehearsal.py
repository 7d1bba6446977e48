"""Rehearsal data. Molecule descriptors and six yes/no enzyme classes, two of which are scored."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_csv

FEATURES = [
    "BertzCT",
    "Chi1",
    "Chi1n",
    "Chi1v",
    "Chi2n",
    "Chi2v",
    "Chi3v",
    "Chi4n",
    "EState_VSA1",
    "EState_VSA2",
    "ExactMolWt",
    "FpDensityMorgan1",
    "FpDensityMorgan2",
    "FpDensityMorgan3",
    "HallKierAlpha",
    "HeavyAtomMolWt",
    "Kappa3",
    "MaxAbsEStateIndex",
    "MinEStateIndex",
    "NumHeteroatoms",
    "PEOE_VSA10",
    "PEOE_VSA14",
    "PEOE_VSA6",
    "PEOE_VSA7",
    "PEOE_VSA8",
    "SMR_VSA10",
    "SMR_VSA5",
    "SlogP_VSA3",
    "VSA_EState9",
    "fr_COO",
    "fr_COO2",
]


CLASSES = [f"EC{k}" for k in range(1, 7)]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")

    def features():
        cells = []
        for name in FEATURES:
            if name in ("NumHeteroatoms", "fr_COO", "fr_COO2"):
                cells.append(r.randrange(0, 9))
            elif name.endswith(("Morgan1", "Morgan2", "Morgan3")):
                cells.append(round(r.uniform(0.3, 3), 6))
            else:
                cells.append(
                    r.choice([0.0, r.uniform(-4, 4), r.uniform(0, 900), round(r.uniform(0, 99), 6)])
                )
        return cells

    n = 320 * scale
    write_csv(
        raw / "train.csv",
        ["id", *FEATURES, *CLASSES],
        (
            [i, *features(), *(int(r.random() < p) for p in (0.67, 0.8, 0.31, 0.28, 0.14, 0.16))]
            for i in range(n)
        ),
    )
    write_csv(raw / "test.csv", ["id", *FEATURES], ([i, *features()] for i in range(n, n + 20)))
    write_csv(
        raw / "sample_submission.csv",
        ["id", "EC1", "EC2"],
        ([i, 0.5, 0.5] for i in range(n, n + 20)),
    )
