"""Rehearsal data: chest X-rays with eleven labels, nine of them scored, annotations as lists."""

from mlebench.competitions.ranzcr_clip_catheter_line_classification.competition import SCORED
from mlebench.rehearsal import FilePerId, Making, Many, Parts, Several, Table, Whole, raw_data
from mlebench.rehearsal.content import Blob, csv_file, jpeg
from mlebench.rehearsal.draws import hex_id

LABELS = [*SCORED, "CVC - Normal", "Swan Ganz Catheter Present"]
UID = Whole(10**37, 10**38, "1.2.826.0.1.3680043.8.498.{}")
POINTS = Many(Several(Whole(0, 3000), Whole(0, 3000)), Whole(1, 5))


@raw_data("xrays")
def make_raw(making: Making) -> Parts:
    r, rows, notes = making.r, [], []
    patients = [hex_id(r, 9) for _ in range(60 * making.scale)]
    for _ in range(180 * making.scale):
        image = UID(r)
        rows.append([image, *(int(r.random() < 0.35) for _ in LABELS), r.choice(patients)])
        yield f"train/{image}.jpg", jpeg(r)
        if r.random() < 0.4:
            chosen = r.sample(LABELS, r.choice([1, 1, 2]))
            notes += [[image, label, POINTS(r)] for label in chosen]
    r.shuffle(notes)
    yield csv_file("train.csv", ["StudyInstanceUID", *LABELS, "PatientID"], rows)
    yield csv_file("train_annotations.csv", "StudyInstanceUID,label,data", notes)
    test = [UID(r) for _ in range(4)]
    yield FilePerId("test/{}.jpg", test, jpeg)
    yield Table("sample_submission.csv", {"StudyInstanceUID": test, ",".join(LABELS): (0,) * 11})
    yield FilePerId("{}.tfrec", ["train_tfrecords/00-1881", "test_tfrecords/00-448"], Blob(64))
