"""Rehearsal data: ten-second bird recordings in one nested zip.

Preparation requires 64 test recordings, hence 322 labelled ones at any scale.
"""

from mlebench.rehearsal import Choice, FilePerId, Making, Parts, Random, Several, Text, Whole, Zip
from mlebench.rehearsal.content import Blob, csv_file, lines_file
from mlebench.rehearsal.declared import raw_data

SPECIES = (
    "BRCR PAWR PSFL RBNU DEJU OSFL HETH CBCH VATH HEWA SWTH HAFL WETA BHGR GCKI WAVI MGWA STJA CONI"
).split()
TOP = "mlsp_contest_dataset/"
ESSENTIAL, EXTRA = TOP + "essential_data/", TOP + "supplemental_data/"
DAY = Choice(2009, 2010), Whole(5, 9), Whole(1, 29), Whole(4, 9), Whole(0, 60)
RECORDING = Text("PC{}_{}{:02d}{:02d}_{:02d}{:02d}00", Whole(1, 19), *DAY)
RECTANGLE = Several(Whole(0, 600), Whole(600, 1200), Whole(0, 100), Whole(100, 250))
PICTURES = ["filtered_spectrograms", "spectrograms", "supervised_segmentation"]


def essential(r: Random, folds: list[int], names: list[str]) -> Parts:
    """Folds, names and labels; the orders of the three files are independent."""
    count = len(folds)
    yield csv_file(f"{ESSENTIAL}CVfolds_2.txt", "rec_id,fold", enumerate(folds))
    ids = list(range(count))
    r.shuffle(ids)
    rows = ((i, names[i]) for i in ids)
    yield csv_file(f"{ESSENTIAL}rec_id2filename.txt", "rec_id,filename", rows)
    lines, order = ["rec_id,[labels]"], list(range(count))
    for _ in range(40):
        a, b = r.randrange(count), r.randrange(count)
        order[a], order[b] = order[b], order[a]
    for i in order:
        odds = ((s, 0.02 + 0.1 * (s % 7 == 0) + 0.15 * (s == 10)) for s in range(19))
        heard = [s for s, chance in odds if r.random() < chance]
        lines.append(f"{i},?" if folds[i] else ",".join(map(str, [i, *heard])))
    yield lines_file(f"{ESSENTIAL}rec_labels_test_hidden.txt", lines)
    species = ((i, code, f"Bird {code.title()}") for i, code in enumerate(SPECIES))
    yield csv_file(f"{ESSENTIAL}species_list.txt", "class_id,code,species", species)
    yield f"{ESSENTIAL}sample_submission.csv", b"rec_id,species,probability\n0,0,0\n"
    yield f"{TOP}README.txt", b"read me\n"


def pictures(r: Random, folds: list[int], names: list[str]) -> Parts:
    examples = set(r.sample([i for i, fold in enumerate(folds) if not fold], 20))
    for i, name in enumerate(names):
        yield f"{ESSENTIAL}src_wavs/{name}.wav", Blob(6, b"RIFF")(r)
        for part in [*PICTURES, "segmentation_examples"][: 4 if i in examples else 3]:
            yield f"{EXTRA}{part}/{name}.bmp", Blob(6, b"BM")(r)
    for name in ("segment_clusters", "segment_mosaic"):
        yield f"{EXTRA}{name}.bmp", Blob(64, b"BM")(r)


def segments(r: Random, count: int) -> Parts:
    histograms = ["rec_id,[histogram of segment features]"]
    features = ["rec_id,segment_id,[feature vector]"]
    rectangles = ["rec_id,segment_id,min_x,max_x,min_y,max_y"]
    for i in range(count):
        found = r.choice([0, 0, 1, 2])
        shares = [0 if r.random() < 0.7 else round(r.random(), 6) for _ in range(6)]
        histograms.append(",".join(map(str, [i, *shares])))
        for s in range(found):
            vector = [round(r.gauss(0, 2), 5) for _ in range(4)]
            features.append(",".join(map(str, [i, s, *vector])))
            rectangles.append(",".join(map(str, [i, s, *RECTANGLE(r)])))
    yield lines_file(f"{EXTRA}histogram_of_segments.txt", histograms)
    yield lines_file(f"{EXTRA}segment_features.txt", features)
    yield lines_file(f"{EXTRA}segment_rectangles.txt", rectangles)


@raw_data("birds")
def make_raw(making: Making) -> Parts:
    r, folds = making.r, [0] * 322 + [1] * (60 * making.scale)
    r.shuffle(folds)
    names = [f"{RECORDING(r)}_{i:04d}" for i in range(len(folds))]
    yield Zip(
        "mlsp_contest_dataset.zip",
        FilePerId("{}", [TOP, ESSENTIAL, f"{ESSENTIAL}src_wavs/", EXTRA], b""),
        *essential(r, folds, names),
        *pictures(r, folds, names),
        *segments(r, len(folds)),
    )
    yield "mlsp13birdchallenge_documentation.pdf", Blob(64, b"%PDF-1.4 ")(r)
