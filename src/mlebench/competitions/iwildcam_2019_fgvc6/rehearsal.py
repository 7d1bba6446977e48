"""Rehearsal data: camera traps, pictures in nested zips, split by camera location."""

from mlebench.rehearsal import Dates, Making, Parts, Random, Zip, csv_file, hex_id, jpeg, raw_data

COLUMNS = (
    "date_captured,file_name,frame_num,id,location,rights_holder,seq_id,seq_num_frames,width,height"
)
CLASSES = [0, 1, 3, 4, 8, 10, 11, 13, 14, 16, 17, 18, 19]
TIME = Dates("20{}-{:02d}-{:02d} {:02d}:{:02d}:{:02d}", (10, 17))
HOLDERS = ["Erin Boydston", "Justin Brown", 'Brown, "J" & Söhne', ""]


def picture(r: Random, places: list[int]) -> list[object]:
    """A row, the class first."""
    name = f"{hex_id(r, 8)}-23d2-11e8-a6a3-ec086b02610b"
    # The last cameras are rare: a share of the cameras is not the same share of the pictures.
    at = min(r.randrange(11), r.randrange(11)) if r.random() < 0.7 else r.randrange(11)
    time, holder, frame = TIME(r), r.choice(HOLDERS), r.randrange(1, 4)
    sequence = f"{hex_id(r, 8)}-5567-11e8-bc84-dca9047ef277"
    cells = [time, f"{name}.jpg", frame, name, places[at], holder, sequence, 3, 1024]
    height = r.choice([747, 768])
    return [0 if r.random() < 0.5 else r.choice(CLASSES), *cells, height]


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r, pictures = making.r, making.stream("pictures")
    places = r.sample(range(1, 140), 11)
    train = [picture(r, places) for _ in range(190 * making.scale)]
    test = [picture(r, places) for _ in range(5)]
    yield csv_file("train.csv", f"category_id,{COLUMNS}", train)
    yield csv_file("test.csv", COLUMNS, (row[1:] for row in test))
    yield csv_file("sample_submission.csv", "Id,Predicted", ((row[4], 0) for row in test))
    for part, rows in (("train", train), ("test", test)):
        yield Zip(f"{part}_images.zip", *((str(row[2]), jpeg(pictures)) for row in rows))
