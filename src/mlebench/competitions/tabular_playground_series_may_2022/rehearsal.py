"""Rehearsal data. Simulated machine states. The split takes exactly 100,000 test rows, so there are a little more rows than that, each of them short."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_text

COLUMNS = ["id", *(f"f_{k:02d}" for k in range(31)), "target"]


COUNTS = {*range(7, 19), 29, 30}


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")

    def cell(k: int) -> str:
        if k == 27:
            return "".join(r.choice("ABCDEFGHIJ") for _ in range(4))
        if k in COUNTS:
            return str(r.randrange(3 if k == 30 else 12))
        # continuous columns in mixed styles: long, short, with exponent, whole
        v = r.gauss(0, 1)
        return r.choice(
            [
                f"{v:.2f}",
                f"{v:.1f}",
                f"{v:.12f}" if r.random() < 0.1 else f"{v:.3f}",
                f"{v:.1e}",
                "0.0",
            ]
        )

    pool = [",".join(cell(k) for k in range(1, 31)) for _ in range(500)]

    def lines(first: int, n: int, labelled: bool):
        for i in range(first, first + n):
            tail = f",{int(r.random() < 0.49)}" if labelled else ""
            yield f"{i},{r.random() * 4 - 2:.4f},{pool[r.randrange(500)]}{tail}\n"

    n = 100_000 + 400 * scale + seed
    write_text(raw / "train.csv", ",".join(COLUMNS) + "\n" + "".join(lines(0, n, True)))
    write_text(raw / "test.csv", ",".join(COLUMNS[:-1]) + "\n" + "".join(lines(n, 50, False)))
    write_text(
        raw / "sample_submission.csv",
        "id,target\n" + "".join(f"{i},0.5\n" for i in range(n, n + 50)),
    )
