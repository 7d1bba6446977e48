"""Rehearsal data: camera traps in COCO-like JSON that passes through tables, split by location."""

from typing import Any

from mlebench.rehearsal import HexId, Making, Parts, Random, Text, jpeg, raw_data
from mlebench.rehearsal.content import csv_file, json_file, records

CATEGORIES = {
    0: "empty",
    2: "tayassu pecari",
    3: "dasyprocta punctata",
    73: "bos indicus",
    115: "meleagris ocellata",
    372: "canis latrans",
    675: "misfire",
}
IDS = list(CATEGORIES)
INFO = {
    "contributor": "Wildlife Conservation Society",
    "date_created": "2020-02-24 11:00:00",
    "version": "1.0",
    "year": 2020,
    "description": "Camera traps – iWildCam 2020",
    "url": "https://github.com/visipedia/iwildcam_comp",
}
DETECTION = {"category": "1", "bbox": [0.25, 0.1, 0.5, 0.3], "conf": 0.986}
IMAGE = "seq_num_frames,location,datetime,id,frame_num,seq_id,width,height,file_name"
UUID = Text("{}-{}-{}-{}-{}", *map(HexId, (8, 4, 4, 4, 12)))


def image(r: Random, location: int, frame: int) -> dict[str, Any]:
    i, frames = UUID(r), r.randrange(1, 11)
    time = f"2013-06-{r.randrange(1, 30):02d} 05:44:19.000"
    row = [frames, location, time, i, frame, UUID(r), r.choice([1920, 2048]), 1080, f"{i}.jpg"]
    [found] = records(IMAGE, [row])
    # Some records lack keys: preparation then turns the integers of that column into floats.
    if r.random() < 0.05:
        del found["width"], found["height"]
    return found


def note(r: Random, image_id: str, likely: int) -> dict[str, Any]:
    found = {"count": r.randrange(1, 4), "image_id": image_id, "id": UUID(r)}
    found["category_id"] = likely if r.random() < 0.6 else r.choice(IDS)
    return found | ({"source": "caméra “B”"} if r.random() < 0.05 else {})


@raw_data("cameras")
def make_raw(making: Making) -> Parts:
    r, images, notes = making.r, [], []
    for location in r.sample(range(1, 560), 14):
        likely = r.choice(IDS)
        for frame in range(r.choice([2, 4, 6, 9, 15]) * making.scale):
            images.append(image(r, location, frame))
            i = images[-1]["id"]
            notes.append(note(r, i, likely))
            yield f"train/{i}.jpg", jpeg(r)
    r.shuffle(images)
    r.shuffle(notes)
    counts = ((c, sum(n["category_id"] == c for n in notes), CATEGORIES[c]) for c in IDS)
    categories = records("id,count,name", counts)
    train = {"annotations": notes, "images": images, "categories": categories, "info": INFO}
    yield json_file("iwildcam2020_train_annotations.json", train)
    test = []
    for _ in range(4):
        i = UUID(r)
        row = [3, 555, "2014-01-01 00:00:00.000", i, 0, UUID(r), 1920, 1080, f"{i}.jpg"]
        test += records(IMAGE, [row])
        yield f"test/{i}.jpg", jpeg(r)
    categories = records("id,name", CATEGORIES.items())
    about = {"images": test, "categories": categories, "info": INFO | {"version": "test"}}
    yield json_file("iwildcam2020_test_information.json", about)
    found = ((image["id"], [DETECTION], 0.986) for image in images + test)
    results = {
        "info": {"detector": "megadetector_v3"},
        "detection_categories": {"1": "animal"},
        "images": records("id,detections,max_detection_conf", found),
    }
    yield json_file("iwildcam2020_megadetector_results.json", results, indent=1)
    sample = ([image["id"], r.randrange(676)] for image in test)
    yield csv_file("sample_submission.csv", "Id,Category", sample)
