"""Rehearsal data: three scroll fragments with X-ray slices and an ink mask each, row by row."""

from mlebench.rehearsal import Blob, FilePerId, Making, Parts, Random, csv_file, raw_data
from mlebench.rehearsal.content import Png, run_lengths

SLICES = 20  # 65 in the archive


def strokes(r: Random, width: int, height: int, count: int) -> set[int]:
    """Pixel numbers, row by row from 1."""
    found = set()
    for _ in range(count):
        x, y = r.randrange(width), r.randrange(1, height)
        columns = range(x, min(width, x + r.randrange(1, 9)))
        rows = range(y, min(height, y + r.randrange(1, 9)))
        found |= {b * width + a + 1 for a in columns for b in rows}
    return found


def slices(folder: str, count: int) -> FilePerId:
    return FilePerId(folder + "/surface_volume/{:02d}.tif", range(count), Blob(60, b"II*\0"))


def fragment(r: Random, name: str, scale: int) -> Parts:
    folder = f"train/{name}"
    width, height = r.randrange(40, 60) * scale, r.randrange(28, 39) * scale
    ink = strokes(r, width, height, 14 * scale)

    def shade(x: int, y: int) -> int:
        return 255 if y * width + x + 1 in ink else 0

    rows = [[name, run_lengths(ink)]]
    yield csv_file(f"{folder}/inklabels_rle.csv", "Id,Predicted", rows)
    yield f"{folder}/inklabels.png", Png(width, height, pixel=shade)(r)
    yield f"{folder}/ir.png", Png(width, height)(r)
    yield f"{folder}/mask.png", Png(width, height, pixel=lambda x, y: 255)(r)
    yield slices(folder, SLICES)


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    for name in "123":
        yield from fragment(making.r, name, making.scale)
    for name in "ab":
        yield f"test/{name}/mask.png", Png(9, 7)(making.r)
        yield slices(f"test/{name}", 3)
    yield "sample_submission.csv", b"Id,Predicted\na,1 1 5 1\nb,1 1 5 1\n"
