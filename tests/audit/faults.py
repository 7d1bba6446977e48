"""The faults of v1 that the audit is about: which check shows each, and what cannot be decided."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ShownFault:
    """A fault that rehearsal data of v1 shows and that v1.1 has not."""

    id: str
    check: str
    evidence: str
    """Part of the evidence."""

    text: str
    scale: int = 1
    """Of the rehearsal data: an order of few rows may be chance."""

    planted: bool = False
    """Whether rehearsal data lacks the files, so that the test puts them in."""


def rows(check: str, evidence: str, text: str, *ids: str, scale: int = 1) -> list[ShownFault]:
    return [ShownFault(name, check, evidence, text, scale) for name in ids]


GAPS = "a file with nan is graded"
WORD = "a file with word for a number is graded"
TWICE = "a file with all rows twice is graded"
FOREIGN = "a file with foreign id is graded"
ORDER = "gold with its rows in another order"
SHOWN = [
    *rows(
        *("metadata", "has a field 'target'", "TFRecord files of the test have the label"),
        *("siim-isic-melanoma-classification", "cassava-leaf-disease-classification"),
    ),
    *rows(
        *("metadata", "test images have outlines beside them"),
        *("`test/<id>.json` has the outlines of the answer", "hubmap-kidney-segmentation"),
    ),
    ShownFault(
        "smartphone-decimeter-2022",
        *("metadata", "answers of 'LatitudeDegrees' occur in"),
        "`span_log.nmea` has the true positions",
        planted=True,
    ),
    ShownFault(
        "multi-modal-gesture-recognition",
        *("metadata", "has a field 'Labels'", "`.mat` files of the test have the labels"),
        planted=True,
    ),
    *rows(
        *("metadata", "'giver_username_if_known'", "the giver is known only after a gift"),
        "random-acts-of-pizza",
        scale=10,
    ),
    *rows(
        *("metadata", "test_labels_old.csv has a field 'target'", "old data with labels is public"),
        "seti-breakthrough-listen",
    ),
    *rows(
        *("order", "is as a generator with seed 0 draws", "labels are drawn with a known seed"),
        "alaska2-image-steganalysis",
    ),
    *rows(
        *("order", "restores a source order", "test items are listed in the order of the split"),
        *("dogs-vs-cats-redux-kernels-edition", "tensorflow-speech-recognition-challenge"),
        *("plant-seedlings-classification", "paddy-disease-classification"),
        scale=4,
    ),
    ShownFault(
        "ml2021spring-hw2",
        *("order", "restores a source order"),
        "the split's seed restores the order of time, and neighbours share the phoneme",
        planted=True,
    ),
    *rows(
        *("order", "a shuffle with seed 0", "test images are one shuffle of blocks of a category"),
        *("herbarium-2020-fgvc7", "herbarium-2021-fgvc8", "herbarium-2022-fgvc9"),
        "inaturalist-2019-fgvc6",
        scale=4,
    ),
    *rows(
        *("trivial", "gaps in all but one column is graded", "empty cells win gold"),
        "hms-harmful-brain-activity-classification",
    ),
    *rows(
        *("trivial", "a file with half of the rows is graded", "rows may be left out"),
        *("osic-pulmonary-fibrosis-progression", "uw-madison-gi-tract-image-segmentation"),
    ),
    *rows(
        *("trivial", TWICE, "repeated ids are counted each time"),
        *("predict-volcanic-eruptions-ingv-oe", "champs-scalar-coupling"),
        *("h-and-m-personalized-fashion-recommendations",),
    ),
    *rows(
        *("trivial", "boxes with inverted corners", "inverted boxes cost nothing"),
        "vinbigdata-chest-xray-abnormalities-detection",
    ),
    *rows(
        *("trivial", "boxes with a negative confidence only", "boxes below zero score 1.0"),
        "siim-covid19-detection",
    ),
    *rows(
        *("trivial", "labels that do not exist", "labels unknown to the answers cost nothing"),
        *("facebook-recruiting-iii-keyword-extraction", "plant-pathology-2021-fgvc8"),
        "imet-2020-fgvc7",
    ),
    *rows(
        *("trivial", FOREIGN, "ids are not compared"),
        *("google-quest-challenge", "nomad2018-predict-transparent-conductors"),
        "new-york-city-taxi-fare-prediction",
    ),
    *rows(
        *("trivial", WORD, "one word in a column of numbers is no error"),
        *("cassava-leaf-disease-classification", "cdiscount-image-classification-challenge"),
        *("iwildcam-2020-fgvc7", "ml2021spring-hw2", "hotel-id-2021-fgvc8"),
        *("movie-review-sentiment-analysis-kernels-only", "tabular-playground-series-dec-2021"),
    ),
    *rows(
        *("trivial", GAPS, "gaps are graded"),
        *("bms-molecular-translation", "chaii-hindi-and-tamil-question-answering"),
        *("jigsaw-toxic-comment-classification-challenge", "kuzushiji-recognition"),
        *("jigsaw-unintended-bias-in-toxicity-classification", "plant-seedlings-classification"),
        *("rsna-breast-cancer-detection", "stanford-covid-vaccine"),
        "whale-categorization-playground",
    ),
    *rows(
        *("oracle", ORDER, "rows are paired by position"),
        *("hms-harmful-brain-activity-classification", "stanford-covid-vaccine"),
        *("nomad2018-predict-transparent-conductors", "smartphone-decimeter-2022"),
        "uw-madison-gi-tract-image-segmentation",
    ),
    *rows(
        *("groups", "groups are in both parts", "train and test share patients or sentences"),
        *("siim-isic-melanoma-classification", "hms-harmful-brain-activity-classification"),
        "movie-review-sentiment-analysis-kernels-only",
    ),
    *rows(
        *("board", "two medals have one cut-off", "medals have one cut-off"),
        *("aerial-cactus-identification", "imet-2020-fgvc7", "tabular-playground-series-dec-2021"),
    ),
    *rows("board", "bronze is the median", "bronze is the median", "herbarium-2020-fgvc7"),
    *rows("board", "few teams", "the board has 19 teams", "multi-modal-gesture-recognition"),
]
IN_BOTH = {"seti-breakthrough-listen", "board"}
"""Warnings that v1.1 keeps, with a flag."""

KEPT = {
    "osic-pulmonary-fibrosis-progression": {"metadata"},
    "seti-breakthrough-listen": {"metadata"},
}
"""Warnings about what Kaggle published as well: a first measurement, and old data."""

REAL = "rehearsal content is synthetic: `duplicates` decides on real data"
BOARD = "the board says nothing about synthetic data: `trivial` decides on real data"
TRUTH = "not visible in files: the test's labels are public elsewhere"
TASK = "no leak: the task or its data is incomplete"
METRIC = "another metric than the board's: no file wins by it on every data"
SMALL = "rehearsal data has another size: `noise` decides on real data"
UNDECIDED = {
    "histopathologic-cancer-detection": REAL,
    "google-quest-challenge, by question": REAL,
    "facebook-recruiting-iii-keyword-extraction, repeated questions": REAL,
    "text-normalization-challenge-english-language": REAL,
    "text-normalization-challenge-russian-language": REAL,
    "plant-pathology-2020-fgvc7": REAL,
    "petfinder-pawpularity-score": REAL,
    "aptos2019-blindness-detection": REAL,
    "statoil-iceberg-classifier-challenge": REAL,
    "seti-breakthrough-listen, overlap of needles": REAL,
    "ranzcr-clip-catheter-line-classification, patients": "test files do not name the patient",
    "tensorflow-speech-recognition-challenge, speakers": "test files do not name the speaker",
    "tensorflow2-question-answering": BOARD,
    "tgs-salt-identification-challenge": BOARD,
    "hotel-id-2021-fgvc8, easy bronze": BOARD,
    "billion-word-imputation": BOARD,
    "jigsaw-toxic-comment-classification-challenge, released labels": TRUTH,
    "detecting-insults-in-social-commentary": TRUTH,
    "dog-breed-identification": TRUTH,
    "freesound-audio-tagging-2019": TRUTH,
    "champs-scalar-coupling, geometry": TASK,
    "invasive-species-monitoring": TASK,
    "rsna-2022-cervical-spine-fracture-detection": TASK,
    "inaturalist-2019-fgvc6, validation images": TASK,
    "icecube-neutrinos-in-deep-ice": TASK,
    "lmsys-chatbot-arena": TASK,
    "3d-object-detection-for-autonomous-vehicles": METRIC,
    "vesuvius-challenge-ink-detection": "which board the scores are from is not in the data",
    "rsna-miccai-brain-tumor-radiogenomic-classification": SMALL,
    "denoising-dirty-documents": SMALL,
    "mlsp-2013-birds": SMALL,
    "leaf-classification": SMALL,
}
"""Faults that rehearsal data cannot show, and why."""


def known_checks(competition_id: str) -> set[str]:
    """The checks that find something on v1."""
    found = {fault.check for fault in SHOWN if fault.id == competition_id}
    return found | KEPT.get(competition_id, set())
