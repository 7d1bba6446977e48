"""Rehearsal data: chest radiographs with one label per study and boxes per image."""

from mlebench.rehearsal import Blob, Making, Parts, Random, csv_file, hex_id, raw_data, records

STUDY = "Negative for Pneumonia,Typical Appearance,Indeterminate Appearance,Atypical Appearance"
DICOM = Blob(30, b"\0" * 16 + b"DICM")
SPANS = [(100, 2000), (100, 1500), (200, 900), (200, 900)]


def boxes(r: Random, count: int) -> tuple[str, str]:
    """The columns `boxes` and `label` of an image."""
    found = [[round(r.uniform(*span), 5) for span in SPANS] for _ in range(count)]
    if not found:
        return "", "none 1 0 0 1 1"
    corners = (f"opacity 1 {x} {y} {round(x + w, 5)} {round(y + h, 5)}" for x, y, w, h in found)
    return str(records("x,y,width,height", found)), " ".join(corners)


@raw_data("studies")
def make_raw(making: Making) -> Parts:
    r, studies, images, sample = making.r, [], [], []
    for _ in range(120 * making.scale):
        study, kind = hex_id(r, 12), r.choices(range(4), [28, 47, 17, 8])[0]
        studies.append([f"{study}_study", *(int(k == kind) for k in range(4))])
        for number in range(r.choice([1, 1, 1, 1, 2])):
            image = hex_id(r, 12)
            count = 0 if kind == 0 or number else r.choice([0, 1, 2, 2, 3])
            images.append([f"{image}_image", *boxes(r, count), study])
            yield f"train/{study}/{hex_id(r, 12)}/{image}.dcm", DICOM(r)
    # Kaggle's rows are sorted; these are not, to test the sorting in preparation.
    r.shuffle(images)
    yield csv_file("train_study_level.csv", f"id,{STUDY}", studies)
    yield csv_file("train_image_level.csv", "id,boxes,label,StudyInstanceUID", images)
    for _ in range(2):
        study, image = hex_id(r, 12), hex_id(r, 12)
        yield f"test/{study}/{hex_id(r, 12)}/{image}.dcm", Blob(30)(r)
        sample += [(f"{study}_study", "negative 1 0 0 1 1"), (f"{image}_image", "none 1 0 0 1 1")]
    sample.sort(key=lambda row: row[0][13:], reverse=True)
    yield csv_file("sample_submission.csv", "id,PredictionString", sample)
