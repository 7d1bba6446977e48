"""Rehearsal data: hotel rooms in a folder per chain; predictions are ranked lists of hotel ids."""

from mlebench.rehearsal import Dates, FilePerId, Making, Parts, csv_file, hex_id, jpeg, raw_data

TWICE = "ce27d36c9147cc19.jpg"  # listed twice in the archive, too
SAMPLE = "36363 53586 18807 64314 60181"
KNOWN = [(36363, 5), (53586, 0), (18807, 0), (64314, 87)]
TIME = Dates("201{}-{:02d}-{:02d} {:02d}:{:02d}:00", (5, 9))


@raw_data("hotels")
def make_raw(making: Making) -> Parts:
    r, rows = making.r, []
    drawn = [(r.randrange(70000), r.choice([0, 0, 3, 87, 92])) for _ in range(8)]
    for _ in range(160 * making.scale):
        hotel, chain = r.choice(KNOWN + drawn)
        image = f"{hex_id(r, 16)}.jpg"
        rows.append([image, chain, hotel, TIME(r)])
        yield f"train_images/{chain}/{image}", jpeg(r)
    for at, (hotel, chain) in ((20, KNOWN[0]), (90, KNOWN[3])):
        rows.insert(at, [TWICE, chain, hotel, "2018-01-01 00:00:00"])
        yield f"train_images/{chain}/{TWICE}", jpeg(r)
    yield csv_file("train.csv", "image,chain,hotel_id,timestamp", rows)
    test = [f"{hex_id(r, 16)}.jpg" for _ in range(3)]
    yield FilePerId("test_images/{}", test, jpeg)
    yield csv_file("sample_submission.csv", "image,hotel_id", ([i, SAMPLE] for i in test))
