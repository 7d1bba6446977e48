"""Rehearsal data: mammograms, several images and one prediction a breast, split by patient."""

from mlebench.rehearsal import Choice, Making, Parts, Random, Several, Whole, raw_data
from mlebench.rehearsal.content import Blob, csv_file

START = "site_id,patient_id,image_id,laterality,view,age"
END = "cancer,biopsy,invasive,BIRADS,implant,density,machine_id,difficult_negative_case"
DICOM = Blob(40, b"\0" * 8 + b"DICM")
VIEWS = [["CC"], ["CC", "MLO"], ["MLO", "CC"], ["CC", "MLO", "AT"]]
MACHINE = Choice(29, 48, 49, 170), Choice("True", "False")
OTHER = Several(Choice("", "0.0", "1.0", "2.0"), Whole(0, 2), Choice("", *"ABCD"), *MACHINE)
AGE = Choice("", Whole(40, 89, "{}.0"), weights=[0.1, 0.9])


def findings(r: Random, cancer: int) -> list[object]:
    biopsy, invasive = cancer or r.random() < 0.1, cancer and r.random() < 0.7
    return [cancer, int(biopsy), int(invasive), *OTHER(r)]


@raw_data("patients")
def make_raw(making: Making) -> Parts:
    r, files, rows = making.r, making.stream("files"), list[list[object]]()
    images = r.sample(range(10_000, 2_000_000_000), 400 * making.scale)
    patients = sorted(r.sample(range(2, 65_000), 60 * making.scale))
    for number, patient in enumerate(patients):
        site, age = r.choice([1, 2]), AGE(r)
        sick = r.choice("LR") if number % 2 == 0 else ""
        for side in "LR":
            if r.random() < 0.15 and side != sick and rows:
                continue
            for view in r.choice(VIEWS)[: r.randrange(1, 4)]:
                image = images.pop()
                place = [site, patient, image, side, view, age]
                rows.append([*place, *findings(r, int(side == sick))])
                yield f"train_images/{patient}/{image}.dcm", DICOM(files)
    yield csv_file("train.csv", f"{START},{END}", rows)
    test = [(2, 10008, images.pop(), side, "CC", 81, 0, 21, f"10008_{side}") for side in "LR"]
    yield csv_file("test.csv", f"{START},implant,machine_id,prediction_id", test)
    sample = ((row[-1], 0.021168) for row in test)
    yield csv_file("sample_submission.csv", "prediction_id,cancer", sample)
    for row in test:
        yield f"test_images/10008/{row[2]}.dcm", DICOM(files)
