"""Rehearsal data. Ten-second bird recordings in one nested zip. Preparation insists on 64 test recordings, hence 322 labelled ones at any scale."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, csv_text, rng, write_bytes, write_zip

SPECIES = [
    "BRCR",
    "PAWR",
    "PSFL",
    "RBNU",
    "DEJU",
    "OSFL",
    "HETH",
    "CBCH",
    "VATH",
    "HEWA",
    "SWTH",
    "HAFL",
    "WETA",
    "BHGR",
    "GCKI",
    "WAVI",
    "MGWA",
    "STJA",
    "CONI",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "birds")
    folds = [0] * 322 + [1] * (60 * scale)
    r.shuffle(folds)
    n = len(folds)
    names = [
        f"PC{r.randrange(1, 19)}_{r.choice([2009, 2010])}{r.randrange(5, 9):02d}{r.randrange(1, 29):02d}_{r.randrange(4, 9):02d}{r.randrange(60):02d}00_{i:04d}"
        for i in range(n)
    ]
    top, ess, sup = (
        "mlsp_contest_dataset",
        "mlsp_contest_dataset/essential_data",
        "mlsp_contest_dataset/supplemental_data",
    )
    z = {f"{top}/": b"", f"{ess}/": b"", f"{ess}/src_wavs/": b"", f"{sup}/": b""}
    z[f"{ess}/CVfolds_2.txt"] = csv_text(["rec_id", "fold"], enumerate(folds)).encode()
    ids = list(range(n))
    r.shuffle(ids)  # the orders of the two id files are independent of the folds file
    z[f"{ess}/rec_id2filename.txt"] = csv_text(
        ["rec_id", "filename"], ((i, names[i]) for i in ids)
    ).encode()
    lines = ["rec_id,[labels]"]
    order = list(range(n))
    for _ in range(40):
        a, b = r.randrange(n), r.randrange(n)
        order[a], order[b] = order[b], order[a]
    for i in order:
        got = sorted(
            s for s in range(19) if r.random() < 0.02 + 0.1 * (s % 7 == 0) + 0.15 * (s == 10)
        )
        lines.append(f"{i},?" if folds[i] else ",".join(map(str, [i, *got])))
    z[f"{ess}/rec_labels_test_hidden.txt"] = ("\n".join(lines) + "\n").encode()
    z[f"{ess}/species_list.txt"] = csv_text(
        ["class_id", "code", "species"],
        ((i, s, f"Bird {s.title()}") for i, s in enumerate(SPECIES)),
    ).encode()
    z[f"{ess}/sample_submission.csv"] = b"rec_id,species,probability\n0,0,0\n"
    z[f"{top}/README.txt"] = b"read me\n"
    examples = set(r.sample([i for i in range(n) if not folds[i]], 20))
    for i, name in enumerate(names):
        z[f"{ess}/src_wavs/{name}.wav"] = b"RIFF" + blob(r, 6)
        for part in ("filtered_spectrograms", "spectrograms", "supervised_segmentation"):
            z[f"{sup}/{part}/{name}.bmp"] = b"BM" + blob(r, 6)
        if i in examples:
            z[f"{sup}/segmentation_examples/{name}.bmp"] = b"BM" + blob(r, 6)
    z[f"{sup}/segment_clusters.bmp"] = b"BM" + blob(r)
    z[f"{sup}/segment_mosaic.bmp"] = b"BM" + blob(r)
    hist, feats, rects = (
        ["rec_id,[histogram of segment features]"],
        ["rec_id,segment_id,[feature vector]"],
        ["rec_id,segment_id,min_x,max_x,min_y,max_y"],
    )
    for i in range(n):
        k = r.choice([0, 0, 1, 2])
        hist.append(
            ",".join(
                map(str, [i, *(0 if r.random() < 0.7 else round(r.random(), 6) for _ in range(6))])
            )
        )
        for s in range(k):
            feats.append(",".join(map(str, [i, s, *(round(r.gauss(0, 2), 5) for _ in range(4))])))
            rects.append(
                f"{i},{s},{r.randrange(600)},{r.randrange(600, 1200)},{r.randrange(100)},{r.randrange(100, 250)}"
            )
    for name, text in (
        ("histogram_of_segments", hist),
        ("segment_features", feats),
        ("segment_rectangles", rects),
    ):
        z[f"{sup}/{name}.txt"] = ("\n".join(text) + "\n").encode()
    write_zip(raw / "mlsp_contest_dataset.zip", z)
    write_bytes(raw / "mlsp13birdchallenge_documentation.pdf", b"%PDF-1.4 " + blob(r))
