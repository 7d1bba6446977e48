"""Rehearsal data: small grey pictures, brighter from the row that the label names."""

from mlebench.rehearsal import Making, Parts, Png, Random, csv_file, raw_data


def picture(r: Random, label: int) -> bytes:
    return Png(8, 8, pixel=lambda x, y: r.randrange(100) + 150 * (y >= label))(r)


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r, pixels = making.r, making.stream("pixels")
    labels = {f"digit_{i:04d}": r.randrange(10) for i in range(1, 120 * making.scale + 1)}
    yield csv_file("labels.csv", "id,label", labels.items())
    for name, label in labels.items():
        yield f"images/{name}.png", picture(pixels, label)
