"""The raw data of every competition depends on seed and scale alone, in a folder or packed."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue

# Their splits are of a fixed size, so they have tens of thousands of files.
LARGE = {"AI4Code", "alaska2-image-steganalysis", "vinbigdata-chest-xray-abnormalities-detection"}
IDS = sorted(set(Catalogue().list_competition_ids()) - LARGE)


def digest(folder: Path) -> str:
    found = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        found.update(file.relative_to(folder).as_posix().encode())
        if file.is_file():
            found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()


@pytest.mark.parametrize("competition_id", IDS)
def test_raw_data_depends_on_seed_and_scale_alone(competition_id: str, tmp_path: Path) -> None:
    competition = Catalogue().get_competition(competition_id)
    digests = []
    for number, (seed, scale) in enumerate([(0, 1), (1, 2)]):
        raw = tmp_path / str(number)
        raw.mkdir()
        competition.make_rehearsal(raw, seed, scale)
        digests.append(digest(raw))
    assert competition.pack_rehearsal(tmp_path / "packed.zip", 0, 1)
    with zipfile.ZipFile(tmp_path / "packed.zip") as packed:
        packed.extractall(tmp_path / "unpacked")
    assert digests[0] == digest(tmp_path / "unpacked") != digests[1]


@pytest.mark.parametrize(
    ("competition_id", "scale"),
    [("uw-madison-gi-tract-image-segmentation", 15), ("google-quest-challenge", 42)],
)
def test_ids_suffice_for_large_scales(competition_id: str, scale: int, tmp_path: Path) -> None:
    """There are more items than Kaggle has numbers for."""
    Catalogue().get_competition(competition_id).make_rehearsal(tmp_path, 0, scale)
    assert (tmp_path / "train.csv").is_file()
