"""The images may be in the archive or in a folder to which it was unpacked."""

import json
import shutil
import tarfile

from mlebench.archives.raw import RawFolder
from mlebench.competitions.inaturalist_2019_fgvc6.prepare import prepare
from mlebench.competitions.inaturalist_2019_fgvc6.rehearsal import make_raw
from tests.competitions.test_revised_data import prepared


def prepared_files(raw, goal):
    public, private = goal / "public", goal / "private"
    public.mkdir(parents=True)
    private.mkdir()
    prepare(RawFolder(raw), public, private)
    return {file.name: file.read_bytes() for file in sorted(goal.rglob("*")) if file.is_file()}


def test_unpacked_images_give_the_same(tmp_path):
    packed, unpacked = tmp_path / "packed", tmp_path / "unpacked"
    packed.mkdir()
    make_raw(packed, 1)
    shutil.copytree(packed, unpacked)
    with tarfile.open(unpacked / "train_val2019.tar.gz") as archive:
        # The parameter `filter` exists since Python 3.11.4.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(unpacked)
    (unpacked / "train_val2019.tar.gz").unlink()
    assert prepared_files(packed, tmp_path / "a") == prepared_files(unpacked, tmp_path / "b")


def test_members_follow_their_names_and_tell_no_time(tmp_path):
    make_raw(tmp_path, 2)
    prepared_files(tmp_path, tmp_path / "goal")
    with tarfile.open(tmp_path / "goal" / "public" / "test2019.tar.gz", "r:") as archive:
        members = archive.getmembers()
    assert [m.name for m in members] == sorted(m.name for m in members)
    assert len({(m.mtime, m.mode, m.uid) for m in members}) == 1


def test_revision_names_members_and_shares_the_archive(tmp_path):
    v1, revised = (
        prepared("inaturalist-2019-fgvc6", tmp_path, revision=revision, scale=1)
        for revision in ("v1", "v1.1")
    )
    public = revised.public_dir
    for part, archive in (("train", "train_val2019"), ("val", "val2019"), ("test", "test2019")):
        listed = json.loads((public / f"{part}2019.json").read_bytes())["images"]
        with tarfile.open(public / f"{archive}.tar", "r:") as members:
            assert members.getnames() == sorted(image["file_name"] for image in listed)
    # The pictures of train, most of the data, are stored once for both revisions.
    assert (public / "train_val2019.tar").samefile(v1.public_dir / "train_val2019.tar.gz")
