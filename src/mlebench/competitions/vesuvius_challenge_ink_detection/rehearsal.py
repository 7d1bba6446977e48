"""Rehearsal data. Three scroll fragments: stacks of X-ray slices and one ink mask each, run-length encoded row by row."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, csv_text, png, rng, write_bytes, write_text

SLICES = 20  # 65 in the archive


def encode(pixels) -> str:
    """1-based row-major pixel numbers -> 'start length ...'."""
    runs: list[list[int]] = []
    for p in sorted(pixels):
        if runs and sum(runs[-1]) == p:
            runs[-1][1] += 1
        else:
            runs.append([p, 1])
    return " ".join(f"{s} {n}" for s, n in runs)


def strokes(r, width: int, height: int, count: int) -> set[int]:
    out: set[int] = set()
    for _ in range(count):
        x, y = r.randrange(width), r.randrange(1, height)
        w, h = r.randrange(1, 9), r.randrange(1, 9)
        out |= {
            b * width + a + 1
            for a in range(x, min(width, x + w))
            for b in range(y, min(height, y + h))
        }
    return out


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    for fragment in "123":
        width, height = r.randrange(40, 60) * scale, r.randrange(28, 39) * scale
        ink = strokes(r, width, height, 14 * scale)
        here = raw / "train" / fragment
        write_text(
            here / "inklabels_rle.csv", csv_text(["Id", "Predicted"], [[fragment, encode(ink)]])
        )
        write_bytes(
            here / "inklabels.png",
            png(width, height, r, pixel=lambda x, y: 255 if y * width + x + 1 in ink else 0),
        )
        write_bytes(here / "ir.png", png(width, height, r))
        write_bytes(here / "mask.png", png(width, height, r, pixel=lambda x, y: 255))
        for k in range(SLICES):
            write_bytes(here / "surface_volume" / f"{k:02d}.tif", blob(r, 60, b"II*\0"))
    for fragment in "ab":
        write_bytes(raw / "test" / fragment / "mask.png", png(9, 7, r))
        for k in range(3):
            write_bytes(
                raw / "test" / fragment / "surface_volume" / f"{k:02d}.tif", blob(r, 60, b"II*\0")
            )
    write_text(raw / "sample_submission.csv", "Id,Predicted\na,1 1 5 1\nb,1 1 5 1\n")
