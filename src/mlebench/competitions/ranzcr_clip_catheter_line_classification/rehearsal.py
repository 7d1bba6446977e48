"""Rehearsal data: chest X-rays with eleven labels, nine of them scored, annotations as lists."""

from mlebench.rehearsal import Files, Making, Random, blob, csv_file, hex_id, jpeg, raw_data

SCORED = (
    "ETT - Abnormal,ETT - Borderline,ETT - Normal,NGT - Abnormal,NGT - Borderline,"
    "NGT - Incompletely Imaged,NGT - Normal,CVC - Abnormal,CVC - Borderline"
).split(",")
LABELS = [*SCORED, "CVC - Normal", "Swan Ganz Catheter Present"]


def uid(r: Random) -> str:
    return f"1.2.826.0.1.3680043.8.498.{r.randrange(10**37, 10**38)}"


def points(r: Random) -> str:
    return str([[r.randrange(3000), r.randrange(3000)] for _ in range(r.randrange(1, 5))])


@raw_data("xrays")
def make_raw(making: Making) -> Files:
    r, rows, notes = making.r, [], []
    patients = [hex_id(r, 9) for _ in range(60 * making.scale)]
    for _ in range(180 * making.scale):
        image = uid(r)
        rows.append([image, *(int(r.random() < 0.35) for _ in LABELS), r.choice(patients)])
        yield f"train/{image}.jpg", jpeg(r)
        if r.random() < 0.4:
            chosen = r.sample(LABELS, r.choice([1, 1, 2]))
            notes += [[image, label, points(r)] for label in chosen]
    r.shuffle(notes)
    yield csv_file("train.csv", ["StudyInstanceUID", *LABELS, "PatientID"], rows)
    yield csv_file("train_annotations.csv", "StudyInstanceUID,label,data", notes)
    test = [uid(r) for _ in range(4)]
    for image in test:
        yield f"test/{image}.jpg", jpeg(r)
    sample = ([image, *[0] * 11] for image in test)
    yield csv_file("sample_submission.csv", ["StudyInstanceUID", *LABELS], sample)
    yield "train_tfrecords/00-1881.tfrec", blob(r)
    yield "test_tfrecords/00-448.tfrec", blob(r)
