"""Rehearsal data: small grey pictures, brighter from the row that the label names."""

from mlebench.rehearsal import Files, Making, Random, csv_file, png, raw_data


def picture(r: Random, label: int) -> bytes:
    return png(8, 8, r, pixel=lambda x, y: r.randrange(100) + 150 * (y >= label))


@raw_data("rows")
def make_raw(making: Making) -> Files:
    r, pixels = making.r, making.stream("pixels")
    labels = {f"digit_{i:04d}": r.randrange(10) for i in range(1, 120 * making.scale + 1)}
    yield csv_file("labels.csv", "id,label", labels.items())
    for name, label in labels.items():
        yield f"images/{name}.png", picture(pixels, label)
