"""Rehearsal data: scanned pages with stains and their clean versions, one answer row per pixel."""

from mlebench.rehearsal import FilePerId, Making, Parts, Png, Random, Table, Zip, raw_data, zipped


def pages(r: Random, number: int) -> tuple[bytes, bytes]:
    """A clean page, and the same with stains."""
    width, height = r.choice([(7, 5), (7, 4)])
    is_colour = number % 7 == 3  # as a few pages of the archive
    tint = {}

    def clean(x: int, y: int) -> object:
        value = tint[x, y] = 255 if r.random() < 0.6 else r.randrange(256)
        return (value, max(0, value - 3), value // 2) if is_colour else value

    def dirty(x: int, y: int) -> int:
        return max(0, tint[x, y] - r.randrange(80))

    mode = "RGB" if is_colour else "L"
    return Png(width, height, mode, clean)(r), Png(width, height, "L", dirty)(r)


@raw_data("pages")
def make_raw(making: Making) -> Parts:
    end = 2 + 84 * making.scale
    drawn = {number: pages(making.r, number) for number in range(2, end) if number % 3 != 1}
    dirty = ((f"train/{number}.png", page) for number, (_, page) in drawn.items())
    clean = ((f"train_cleaned/{number}.png", page) for number, (page, _) in drawn.items())
    yield Zip("train.zip", ("train/", b""), *dirty)
    yield Zip("train_cleaned.zip", ("train_cleaned/", b""), *clean)
    yield Zip("test.zip", FilePerId("test/{}.png", range(1, end, 3), Png(4, 3)))
    pixels = [f"{n}_{y}_{x}" for n in (1, 4) for y in range(1, 4) for x in range(1, 5)]
    yield zipped(Table("sampleSubmission.csv", {"id": pixels, "value": 1}))
