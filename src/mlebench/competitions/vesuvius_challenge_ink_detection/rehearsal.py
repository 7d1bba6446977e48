"""Rehearsal data: three scroll fragments with X-ray slices and an ink mask each, row by row."""

from mlebench.rehearsal import Files, Making, Random, blob, csv_file, png, raw_data, run_lengths

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


def slices(r: Random, folder: str, count: int) -> Files:
    for number in range(count):
        yield f"{folder}/surface_volume/{number:02d}.tif", blob(r, 60, b"II*\0")


def fragment(r: Random, name: str, scale: int) -> Files:
    folder = f"train/{name}"
    width, height = r.randrange(40, 60) * scale, r.randrange(28, 39) * scale
    ink = strokes(r, width, height, 14 * scale)

    def shade(x: int, y: int) -> int:
        return 255 if y * width + x + 1 in ink else 0

    rows = [[name, run_lengths(ink)]]
    yield csv_file(f"{folder}/inklabels_rle.csv", "Id,Predicted", rows)
    yield f"{folder}/inklabels.png", png(width, height, r, pixel=shade)
    yield f"{folder}/ir.png", png(width, height, r)
    yield f"{folder}/mask.png", png(width, height, r, pixel=lambda x, y: 255)
    yield from slices(r, folder, SLICES)


@raw_data("rows")
def make_raw(making: Making) -> Files:
    for name in "123":
        yield from fragment(making.r, name, making.scale)
    for name in "ab":
        yield f"test/{name}/mask.png", png(9, 7, making.r)
        yield from slices(making.r, f"test/{name}", 3)
    yield "sample_submission.csv", b"Id,Predicted\na,1 1 5 1\nb,1 1 5 1\n"
