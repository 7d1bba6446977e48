"""What a preparation writes through our functions is not read again for the manifest."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from mlebench.archives.raw import Raw
from mlebench.catalogue import Catalogue
from mlebench.preparing import prepared_files
from mlebench.preparing.options import Rehearsal
from mlebench.preparing.prepare import prepare
from mlebench.system.files import sha256
from mlebench.tables import write_table


@pytest.fixture
def hashed_afterwards(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of files that are read once more for their hash."""
    names: list[str] = []

    def recording(file: Path) -> str:
        names.append(file.name)
        return sha256(file)

    monkeypatch.setattr(prepared_files, "sha256", recording)
    return names


def size_and_hash(file: Path) -> tuple[int, str]:
    return file.stat().st_size, sha256(file)


@pytest.mark.parametrize("competition_id", ["spaceship-titanic", "seti-breakthrough-listen"])
def test_only_the_description_is_hashed_afterwards(
    competition_id: str, tmp_path: Path, hashed_afterwards: list[str]
) -> None:
    competition = Catalogue(tmp_path).get_competition(competition_id)
    manifest = prepare(competition, Rehearsal(seed=0))
    assert hashed_afterwards == ["description.md"]
    for name, facts in manifest.files.items():
        file = competition.folder.prepared / name
        assert (facts["size"], facts["sha256"]) == size_and_hash(file)


def test_plain_code_works_and_a_changed_file_is_hashed_again(
    tmp_path: Path, hashed_afterwards: list[str]
) -> None:
    table = pd.DataFrame({"id": [1, 2]})

    def plain(raw: Raw, public: Path, private: Path) -> None:
        write_table(table, public / "kept.csv")
        write_table(table, public / "changed.csv")
        (public / "changed.csv").write_text("id\n3\n4\n5\n")
        public.joinpath("folder").mkdir()
        shutil.copy(public / "kept.csv", public / "folder" / "copied.csv")
        (private / "answers.csv").write_text("id\n")

    competition = Catalogue(tmp_path).get_competition("spaceship-titanic")
    definition = replace(competition.definition, prepare=plain)
    manifest = prepare(replace(competition, definition=definition), Rehearsal(seed=0))
    expected = ["answers.csv", "changed.csv", "copied.csv", "description.md"]
    assert sorted(hashed_afterwards) == expected
    for name in ("public/changed.csv", "public/kept.csv", "public/folder/copied.csv"):
        facts = manifest.files[name]
        file = competition.folder.prepared / name
        assert (facts["size"], facts["sha256"]) == size_and_hash(file)
    assert manifest.files["public/kept.csv"]["rows"] == 2
    assert "rows" not in manifest.files["public/changed.csv"]
