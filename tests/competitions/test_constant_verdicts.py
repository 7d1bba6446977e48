"""Submissions that hold one odd cell throughout: the verdicts of the published graders.

Expected values were made by the published code on the same rehearsal data (seed 7, scale 2).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.grade import load_answers, round_score
from mlebench.grading.reading import parse_submission
from mlebench.tables import read_table, write_table

SEED, SCALE = 7, 2
HUGE = "9" * 20
VERDICTS: list[tuple[str, str, float | None]] = [
    # To scikit-learn a text equals no class number, and a number no class name.
    ("cassava-leaf-disease-classification", "abc", 0.0),
    ("cassava-leaf-disease-classification", HUGE, 0.0),
    ("paddy-disease-classification", "1", 0.0),
    ("paddy-disease-classification", "True", 0.0),
    # Two classes of either kind are compared, which stops.
    ("spaceship-titanic", "abc", None),
    ("spaceship-titanic", "0.5", None),
    # Floats beyond 64 bits are no class numbers.
    ("cassava-leaf-disease-classification", "1e308", None),
    ("aptos2019-blindness-detection", "1e308", None),
    ("herbarium-2021-fgvc8", "1e308", None),
    # Texts become numbers one by one.
    ("champs-scalar-coupling", HUGE, 46.0517),
    ("playground-series-s3e18", HUGE, 0.5),
    ("predict-volcanic-eruptions-ingv-oe", HUGE, 9.999999999997785e19),
    ("nomad2018-predict-transparent-conductors", HUGE, 45.39784),
    # The logarithm of True has 16 bits.
    ("nomad2018-predict-transparent-conductors", "True", 0.55538),
    # A gap makes the sums undefined.
    ("rsna-breast-cancer-detection", "", 0.0),
    # Runs that begin or end beyond 64 bits.
    ("vesuvius-challenge-ink-detection", f"{HUGE} 5", 0.0),
    ("vesuvius-challenge-ink-detection", "1 9223372036854775807", 0.12234),
    ("hubmap-kidney-segmentation", "9223372036854775807 5", 0.0),
    ("hubmap-kidney-segmentation", "1 9223372036854775807", 0.12294),
    ("hubmap-kidney-segmentation", HUGE, 0.0),
]


@pytest.mark.parametrize("competition_id", sorted({row[0] for row in VERDICTS}))
def test_verdicts_on_constant_cells(competition_id: str, tmp_path: Path) -> None:
    competition = rehearsed(competition_id, tmp_path)
    cells = [(cell, score) for other, cell, score in VERDICTS if other == competition_id]
    found = [(cell, verdict(competition, cell, tmp_path)) for cell, _ in cells]
    assert found == cells


def rehearsed(competition_id: str, root: Path) -> LocatedCompetition:
    """The competition, prepared from rehearsal data."""
    from mlebench.preparing.prepare import prepare

    competition = Catalogue(root / "data").get_competition(competition_id)
    competition.folder.raw.mkdir(parents=True)
    competition.make_rehearsal(competition.folder.raw, SEED, SCALE)
    prepare(competition)
    return competition


def verdict(competition: LocatedCompetition, cell: str, root: Path) -> float | None:
    """The score of the sample submission with one text in all predictions."""
    definition, file = competition.definition, root / "submission.csv"
    sample = read_table(competition.sample_submission).astype(object)
    write_table(sample.assign(**dict.fromkeys(definition.submission.targets, cell)), file)
    try:
        table = parse_submission(file.read_bytes(), file.name).table
        score = definition.score(table, load_answers(competition.answers))
    except InvalidSubmissionError:
        return None
    return round_score(score.value, definition.rounding)
