"""A file that Kaggle does not serve is found where people put it, and asked for in time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.doctor.preflight import preflight, unobtainable
from mlebench.errors import DataError
from mlebench.preparing.on_disk import needs_download
from mlebench.preparing.options import PrepareOptions
from mlebench.preparing.prepare import prepare

LABELS = "FSDKaggle2019.meta.zip"
UNVERIFIED = PrepareOptions(verify=False)


@pytest.fixture
def freesound(tmp_path: Path) -> LocatedCompetition:
    """With its archive in a folder `own`, and the labels in a folder `labels`."""
    competition = Catalogue(tmp_path / "data").get_competition("freesound-audio-tagging-2019")
    competition.folder.path.mkdir(parents=True)
    made = tmp_path / "made"
    made.mkdir()
    competition.make_rehearsal(made, 0, 1)
    (tmp_path / "labels").mkdir()
    (made / LABELS).rename(tmp_path / "labels" / LABELS)
    (tmp_path / "own").mkdir()
    shutil.make_archive(str(tmp_path / "own" / competition.id), "zip", made)
    return competition


@pytest.mark.parametrize("place", ["path", "raw"])
def test_beside_the_archive_or_in_raw(
    place: str, freesound: LocatedCompetition, tmp_path: Path
) -> None:
    shutil.copy(tmp_path / "own" / f"{freesound.id}.zip", freesound.folder.archive)
    with pytest.raises(DataError, match="is not on Kaggle") as caught:
        prepare(freesound, options=UNVERIFIED)
    assert "zenodo.org" in str(caught.value.hint)
    home = getattr(freesound.folder, place)
    home.mkdir(exist_ok=True)
    shutil.copy(tmp_path / "labels" / LABELS, home)
    manifest = prepare(freesound, options=UNVERIFIED)
    assert freesound.answers.is_file()
    assert not [name for name in manifest.files if "meta" in name]
    assert manifest.source["brought"] == [LABELS]


def test_beside_an_own_archive(freesound: LocatedCompetition, tmp_path: Path) -> None:
    shutil.copy(tmp_path / "labels" / LABELS, tmp_path / "own")
    archive = tmp_path / "own" / f"{freesound.id}.zip"
    prepare(freesound, options=PrepareOptions(verify=False, archive=archive))
    assert freesound.answers.is_file()
    assert (tmp_path / "own" / LABELS).is_file()


def test_it_is_asked_for_before_anything_is_downloaded(
    freesound: LocatedCompetition, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match="is not on Kaggle"):
        prepare(freesound, options=UNVERIFIED)
    checks = preflight([freesound], online=False, with_machine=False)
    assert "not on Kaggle" in unobtainable(checks)[freesound.id]
    freesound.folder.raw.mkdir()
    shutil.copy(tmp_path / "labels" / LABELS, freesound.folder.raw)
    assert needs_download(freesound), "the labels alone are not the raw data"
    assert not unobtainable(preflight([freesound], online=False, with_machine=False))
