"""Rehearsal data: kidney slides with a run-length mask each; the archive has 15 for training."""

from mlebench.rehearsal import Choice, Making, Parts, Random, Real, Several, Table, Whole, raw_data
from mlebench.rehearsal.content import Blob, csv_file, json_file, run_lengths

TRAIN = (
    "2f6ecfcdf 8242609fa aaa6a05cc cb2d976f4 b9a3865fc b2dc8411c 0486052bb e79de561c 095bf7a1f "
    "54f2eec69 4ef6695ce 26dc41664 c68fe75ea afa5e8098 1e2425f28"
).split()
TEST = "2ec3f1bb9 3589adb90 57512b7f1 aa05346ff d488c759a".split()
INFO = (
    "image_file,width_pixels,height_pixels,anatomical_structures_segmention_file,"
    "glomerulus_segmentation_file,patient_number,race,ethnicity,sex,age,weight_kilograms,"
    "height_centimeters,bmi_kg/m^2,laterality,percent_cortex,percent_medulla"
)
PATIENT = Several(
    Choice("White", "Black or African American"),
    Choice("Not Hispanic or Latino", "", weights=[0.8, 0.2]),
    Choice("Male", "Female"),
    Whole(20, 80),
    Real(50, 120, form="{:.1f}"),
    Real(150, 195, form="{:.1f}"),
    Real(18, 40, form="{:.2f}"),
    *(Choice("Left", "Right"), Choice(55, 65, 80), Choice(45, 35, 20)),
)
SLIDE = Blob(200, b"II*\0")


def discs(r: Random, width: int, height: int, count: int) -> set[int]:
    """Pixel numbers, column by column from 1."""
    found = set()
    for _ in range(count):
        cx, cy, radius = r.randrange(width), r.randrange(height), r.randrange(2, 6)
        for x in range(max(0, cx - radius), min(width, cx + radius + 1)):
            for y in range(max(0, cy - radius), min(height, cy + radius + 1)):
                if (x - cx) ** 2 + (y - cy) ** 2 <= radius * radius:
                    found.add(x * height + y + 1)
    return found


def shapes(r: Random, name: str, width: int, height: int) -> list[object]:
    corners = [[r.randrange(width), r.randrange(height)] for _ in range(5)]
    kind = {"name": name, "colorRGB": -3140401}
    return [
        {
            "type": "Feature",
            "id": "PathAnnotationObject",
            "geometry": {"type": "Polygon", "coordinates": [corners]},
            "properties": {"classification": kind, "isLocked": name == "glomerulus"},
        }
    ]


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r, scale, info, masks = making.r, making.scale, [], {}
    for number, i in enumerate(sorted(TRAIN + TEST, key=lambda i: r.random()), 60_000):
        width, height = r.randrange(35, 60) * scale, r.randrange(35, 60) * scale
        masks[i] = run_lengths(discs(r, width, height, r.randrange(3, 9) * scale))
        files = [f"{i}-anatomical-structure.json", f"{i}.json"]
        info.append([f"{i}.tiff", width, height, *files, number, *PATIENT(r)])
        folder = "train" if i in TRAIN else "test"
        yield f"{folder}/{i}.tiff", SLIDE(r)
        if i in TRAIN:
            yield json_file(f"train/{i}.json", shapes(r, "glomerulus", width, height), indent=1)
        yield json_file(f"{folder}/{files[0]}", shapes(r, "Cortex", width, height), indent=1)
    yield csv_file("HuBMAP-20-dataset_information.csv", INFO, info)
    yield Table("train.csv", {"id": TRAIN, "encoding": [masks[i] for i in TRAIN]})
    yield Table("sample_submission.csv", {"id": TEST, "predicted": ""})
