"""Two revisions on one disk: train files are stored once, test files never."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.archives.write_log import WriteLog
from mlebench.archives.writing import CONSTANT_NS
from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.preparing.options import PrepareOptions, Rehearsal
from mlebench.preparing.prepare import prepare
from mlebench.preparing.sharing import Sharing, is_of_test
from mlebench.records.manifest import read_manifest
from mlebench.system.files import sha256

OPTIONS = PrepareOptions(rehearsal=Rehearsal(seed=1), verify=False)
DOGS = "dogs-vs-cats-redux-kernels-edition"
LEAVES = "plant-pathology-2020-fgvc7"


def both(root: Path, competition_id: str, first: str = "v1") -> list[LocatedCompetition]:
    """Both revisions of a competition, v1 first, prepared beginning with the one named."""
    found = [Catalogue(root, revision=r).get_competition(competition_id) for r in ("v1", "v1.1")]
    for competition in sorted(found, key=lambda competition: competition.revision != first):
        prepare(competition, options=OPTIONS)
    return found


def inodes(folder: Path) -> dict[str, int]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.stat().st_ino for file in files}


@pytest.mark.parametrize("first", ["v1", "v1.1"])
def test_train_files_are_shared(first: str, tmp_path: Path) -> None:
    v1, revised = both(tmp_path, DOGS, first)
    train = inodes(v1.public_dir / "train")
    assert train and train == inodes(revised.public_dir / "train")
    one, other = (inodes(c.public_dir / "test") for c in (v1, revised))
    assert one and set(one.values()).isdisjoint(other.values())


def test_train_files_that_are_test_files_of_v1_are_shared(tmp_path: Path) -> None:
    """Rice leaves have one name in both parts, so that v1.1 has train files of v1's test."""
    v1, revised = both(tmp_path, "paddy-disease-classification")
    old, new = (inodes(c.public_dir / "train_images") for c in (v1, revised))
    moved = set(inodes(v1.public_dir / "test_images").values()) & set(new.values())
    assert moved and set(new.values()) <= set(old.values()) | moved
    test = inodes(revised.public_dir / "test_images")
    assert test and set(test.values()).isdisjoint(inodes(v1.public_dir).values())


def test_v1_takes_no_test_file_of_another_revision(tmp_path: Path) -> None:
    v1, revised = both(tmp_path, "paddy-disease-classification", "v1.1")
    test = inodes(revised.public_dir / "test_images")
    assert test and set(test.values()).isdisjoint(inodes(v1.public_dir).values())


def test_nothing_of_the_other_revision_changes(tmp_path: Path) -> None:
    """Tables are sorted in place, which must not reach those of v1."""
    for competition_id in (DOGS, "hubmap-kidney-segmentation", "spaceship-titanic"):
        for competition in both(tmp_path, competition_id):
            manifest = read_manifest(competition.folder)
            assert manifest
            for name, facts in manifest.files.items():
                assert sha256(competition.folder.prepared / name) == facts["sha256"]


def test_a_linked_file_that_turns_out_to_be_of_the_test(tmp_path: Path) -> None:
    """Only the sample submission, which may be written last, tells that it belongs to the test."""
    v1 = Catalogue(tmp_path, revision="v1").get_competition(LEAVES)
    prepare(v1, options=OPTIONS)
    name = "public/images/Train_0.jpg"
    manifest = read_manifest(v1.folder)
    assert manifest
    source, target = v1.folder.prepared / name, tmp_path / "staging" / name
    log, sharing = WriteLog(), Sharing(Catalogue(tmp_path, revision="v1.1").get_competition(LEAVES))
    sharing.offer(tmp_path / "staging", log)
    target.parent.mkdir(parents=True)
    assert log.link(str(target), sha256(source))
    (tmp_path / "staging/public/sample_submission.csv").write_text("image_id,rust\nTrain_0,0.5\n")
    sharing.link(tmp_path / "staging", {name: manifest.files[name]}, log)
    assert not target.samefile(source)
    assert target.read_bytes() == source.read_bytes()
    assert target.stat().st_mtime_ns == CONSTANT_NS[1]


def test_log_links_equal_files_only(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"x")
    target = str(tmp_path / "target")
    log = WriteLog(offered={target: ("digest", str(source))})
    assert not log.link(target, "another digest")
    assert not log.link(str(tmp_path / "elsewhere"), "digest")
    assert log.link(target, "digest")
    assert Path(target).samefile(source) and log.linked == {target}
    # A second file of that name is written instead.
    assert not log.link(target, "digest")


def test_files_of_test_items() -> None:
    ids = {b"17", b"a.b", b"TRAIN_9.jpg"}
    assert is_of_test("public/test/x.png", ids)
    assert is_of_test("public/images/Test_4.jpg", ids)
    assert is_of_test("public/images/17.jpg", ids)
    assert is_of_test("public/bpps/17.npy.gz", ids)
    assert is_of_test("public/17/slice.dcm", ids)
    assert is_of_test("public/x/TRAIN_9.jpg", ids)
    assert is_of_test("public/train/test/17.jpg", ids)
    assert not is_of_test("public/train/17.jpg", ids)
    assert not is_of_test("public/images/18.jpg", ids)
    assert not is_of_test("public/contest.csv", ids)


def test_times_and_modes(tmp_path: Path) -> None:
    for competition in both(tmp_path, DOGS):
        for file in competition.public_dir.rglob("*"):
            status = file.stat()
            assert status.st_mtime_ns == CONSTANT_NS[1]
            assert status.st_mode & 0o777 == (0o755 if file.is_dir() else 0o644)
