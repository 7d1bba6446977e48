"""Rehearsal data: ten-second bird recordings in one nested zip.

Preparation insists on 64 test recordings, hence 322 labelled ones at any scale.
"""

from mlebench.rehearsal import Files, Making, Random, raw_data, zip_bytes
from mlebench.rehearsal.content import blob, csv_file, lines_file

SPECIES = (
    "BRCR PAWR PSFL RBNU DEJU OSFL HETH CBCH VATH HEWA SWTH HAFL WETA BHGR GCKI WAVI MGWA STJA CONI"
).split()
TOP = "mlsp_contest_dataset/"
ESSENTIAL, EXTRA = TOP + "essential_data/", TOP + "supplemental_data/"
PICTURES = ["filtered_spectrograms", "spectrograms", "supervised_segmentation"]


def recording(r: Random, number: int) -> str:
    day = f"{r.choice([2009, 2010])}{r.randrange(5, 9):02d}{r.randrange(1, 29):02d}"
    return f"{day}_{r.randrange(4, 9):02d}{r.randrange(60):02d}00_{number:04d}"


def essential(r: Random, folds: list[int], names: list[str]) -> Files:
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


def pictures(r: Random, folds: list[int], names: list[str]) -> Files:
    examples = set(r.sample([i for i, fold in enumerate(folds) if not fold], 20))
    for i, name in enumerate(names):
        yield f"{ESSENTIAL}src_wavs/{name}.wav", blob(r, 6, b"RIFF")
        for part in [*PICTURES, "segmentation_examples"][: 4 if i in examples else 3]:
            yield f"{EXTRA}{part}/{name}.bmp", blob(r, 6, b"BM")
    yield f"{EXTRA}segment_clusters.bmp", blob(r, 64, b"BM")
    yield f"{EXTRA}segment_mosaic.bmp", blob(r, 64, b"BM")


def segments(r: Random, count: int) -> Files:
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
            x, y = (
                (r.randrange(600), r.randrange(600, 1200)),
                (r.randrange(100), r.randrange(100, 250)),
            )
            rectangles.append(",".join(map(str, [i, s, *x, *y])))
    yield lines_file(f"{EXTRA}histogram_of_segments.txt", histograms)
    yield lines_file(f"{EXTRA}segment_features.txt", features)
    yield lines_file(f"{EXTRA}segment_rectangles.txt", rectangles)


@raw_data("birds")
def make_raw(making: Making) -> Files:
    r, folds = making.r, [0] * 322 + [1] * (60 * making.scale)
    r.shuffle(folds)
    names = [f"PC{r.randrange(1, 19)}_{recording(r, i)}" for i in range(len(folds))]
    folders = [(name, b"") for name in (TOP, ESSENTIAL, f"{ESSENTIAL}src_wavs/", EXTRA)]
    members = [*folders, *essential(r, folds, names), *pictures(r, folds, names)]
    members += segments(r, len(folds))
    yield "mlsp_contest_dataset.zip", zip_bytes(members)
    yield "mlsp13birdchallenge_documentation.pdf", blob(r, 64, b"%PDF-1.4 ")
