"""Questions that occur twice: v1 keeps them, v1.1 leaves them out of the test only."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlebench.archives.raw import RawFolder
from mlebench.catalogue import Catalogue
from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.holdout import draw_by_hash
from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.prepare import prepare
from mlebench.preparing.options import Rehearsal
from mlebench.preparing.prepare import prepare as prepare_competition

QUESTIONS = ("a", "b", "a", "c", "b", "d", "c", "e", "d", "f")
"""The title of each row; texts are equal where titles are, except in the last two rows."""

TRAIN, TEST = [0, 1, 5, 9], [8, 7, 6, 4, 3, 2]


@pytest.mark.parametrize(
    ("drops_repeats", "expected"),
    # Rows 2 and 4 are in train; row 8 has another text than row 5; row 3 is the first `c`.
    [(False, [8, 7, 6, 4, 3, 2]), (True, [8, 7, 3])],
)
@pytest.mark.parametrize("test", [TEST, TEST[::-1]])
def test_repeats(drops_repeats: bool, expected: list[int], test: list[int], tmp_path: Path) -> None:
    table = pd.DataFrame({"Id": range(10), "Title": QUESTIONS, "Body": "text", "Tags": "x y"})
    table.loc[8:, "Body"] = "another"
    with zipfile.ZipFile(tmp_path / "Train.zip", "w") as archive:
        archive.writestr("Train.csv", table.to_csv(index=False))
    prepare(
        RawFolder(tmp_path),
        *(tmp_path / part for part in ("public", "private")),
        drops_repeats=drops_repeats,
        draw=lambda count: (np.array(TRAIN), np.array(test)),
    )
    names = ["public/train.csv", "public/test.csv", "private/test.csv"]
    train, *tests = (pd.read_csv(tmp_path / name)["Id"].tolist() for name in names)
    assert train == TRAIN
    kept = [row for row in test if row in expected]
    assert tests == [kept, kept]


def test_both_revisions_share_the_train_table(tmp_path: Path) -> None:
    competition_id = "facebook-recruiting-iii-keyword-extraction"
    tables = []
    for revision in ("v1", "v1.1"):
        competition = Catalogue(tmp_path, revision=revision).get_competition(competition_id)
        prepare_competition(competition, Rehearsal(seed=1))
        tables.append(competition.public_dir / "train.csv")
    assert tables[0].samefile(tables[1])


def test_hold_out_is_about_a_tenth() -> None:
    train, test = draw_by_hash(10_000)
    assert sorted([*train, *test]) == list(range(10_000))
    # Five standard deviations of a binomial draw are 150.
    assert abs(len(test) - 1000) < 150
