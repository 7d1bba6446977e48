"""Rehearsal data. Drawings of molecules in three levels of folders, one InChI text each."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, png, rng, write_bytes, write_csv


def inchi(r) -> str:
    c, h = r.randrange(1, 30), r.randrange(1, 60)
    formula = f"C{c}H{h}" + r.choice(["", "N", "NO2", "N3OS", "ClFN2O", "BrO3"])
    bonds = "-".join(str(r.randrange(1, 30)) for _ in range(r.randrange(2, 14)))
    text = f"InChI=1S/{formula}/c{bonds}({r.randrange(2, 9)})"
    if r.random() < 0.8:
        text += (
            "/h"
            + ",".join(
                f"{r.randrange(1, 9)}-{r.randrange(9, 20)}" for _ in range(r.randrange(1, 4))
            )
            + "H,1-2H3"
        )
    if r.random() < 0.3:
        text += f"/t{r.randrange(1, 20)}-,{r.randrange(1, 20)}+/m{r.randrange(2)}/s1"
    return text


def place(raw: Path, part: str, name: str, data: bytes) -> None:
    write_bytes(raw / part / name[0] / name[1] / name[2] / f"{name}.png", data)


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    ids = sorted({hex_id(r, 12) for _ in range(118 * scale)} | {"000012345678", "00001e234567"})
    test_ids = sorted({hex_id(r, 12) for _ in range(6)})
    write_csv(raw / "train_labels.csv", ["image_id", "InChI"], ((i, inchi(r)) for i in ids))
    write_csv(
        raw / "sample_submission.csv",
        ["image_id", "InChI"],
        ((i, "InChI=1S/H2O/h1H2") for i in test_ids),
    )
    write_csv(raw / "extra_approved_InChIs.csv", ["InChI"], ([inchi(r)] for _ in range(50)))
    pictures = rng(seed, "pictures")
    for i in ids:
        place(raw, "train", i, png(9, 7, pictures))
    for i in test_ids:
        place(raw, "test", i, png(9, 7, pictures))
