"""Preparing: what is kept, skipped, replaced, unpacked and removed, and what the files tell."""

from __future__ import annotations

import hashlib
import io
import json
import random
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from sklearn.metrics import roc_auc_score

from mlebench.archives.copying import copy_files, zip_files
from mlebench.archives.raw import Raw, RawFolder, RawPacked
from mlebench.archives.unpacking import unpacked
from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.errors import DataError, UsageError
from mlebench.preparing import raw_data
from mlebench.preparing.options import PrepareOptions, Rehearsal
from mlebench.preparing.pipeline import (
    PreparationOutcome,
    PreparationTask,
    prepare_many,
    prepare_one,
)
from mlebench.preparing.prepare import prepare
from mlebench.preparing.raw_data import own_archive
from mlebench.preparing.verify import verify
from mlebench.records.manifest import read_manifest
from tests.kaggle_server import Contest, KaggleServer
from tests.kaggle_server.fixtures import pack_rehearsal

UNVERIFIED = PrepareOptions(verify=False)


@pytest.fixture
def spaceship(tmp_path: Path) -> LocatedCompetition:
    return Catalogue(tmp_path / "data").get_competition("spaceship-titanic")


def put_archive(competition: LocatedCompetition, *, seed: int = 0) -> Path:
    """Make up the archive that Kaggle would serve, at its place."""
    made = competition.folder.root.parent / "made"
    made.mkdir()
    competition.make_rehearsal(made, seed, 1)
    competition.folder.path.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(competition.folder.archive, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(made.rglob("*")):
            archive.write(file, file.relative_to(made))
    return competition.folder.archive


def auc(labels: list[int], values: list[float]) -> float:
    return float(roc_auc_score(labels, values))


def class_sorted_archive(count: int) -> tuple[bytes, dict[str, int]]:
    """Pictures with meaningless names, all of one class first, each with a date of its own."""
    r = random.Random(7)
    stream, labels = io.BytesIO(), {}
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(count):
            name = f"{r.getrandbits(64):016x}.jpg"
            labels[name] = int(number >= count // 2)
            date = (2019, 1 + 6 * labels[name], 1 + number % 28, number % 24, 0, 0)
            info = zipfile.ZipInfo(f"images/{name}", date)
            archive.writestr(info, r.randbytes(r.randrange(100, 200)), zipfile.ZIP_DEFLATED)
    return stream.getvalue(), labels


def test_order_and_times_tell_nothing(spaceship: LocatedCompetition) -> None:
    data, labels = class_sorted_archive(4000)

    def write_all(raw: Raw, public: Path, private: Path) -> None:
        with unpacked(raw / "images.zip") as content:
            copy_files({name: content / "images" / name for name in labels}, public / "test")
            zip_files({name: content / "images" / name for name in labels}, public / "test.zip")
        (private / "answers.csv").write_text("id\n")

    spaceship.folder.path.mkdir(parents=True)
    with zipfile.ZipFile(spaceship.folder.archive, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("images.zip", data)
    definition = replace(spaceship.definition, prepare=write_all)
    prepare(replace(spaceship, definition=definition), options=UNVERIFIED)
    folder = spaceship.folder.public / "test"
    listed = [path.name for path in folder.iterdir()]
    status = {name: (folder / name).stat() for name in listed}
    truth = [labels[name] for name in listed]
    told = {
        "inode": [status[name].st_ino for name in listed],
        "modified": [status[name].st_mtime_ns for name in listed],
        "accessed": [status[name].st_atime_ns for name in listed],
        "changed": [status[name].st_ctime_ns for name in listed],
        "size": [status[name].st_size for name in listed],
        "blocks": [status[name].st_blocks for name in listed],
        "listing": list(range(len(listed))),
    }
    for what, values in told.items():
        assert 0.45 < auc(truth, values) < 0.55, what
    assert len({(s.st_mtime_ns, s.st_mode, s.st_nlink) for s in status.values()}) == 1
    with zipfile.ZipFile(spaceship.folder.public / "test.zip") as archive:
        members = archive.infolist()
    assert [m.filename for m in members] == sorted(labels)
    assert len({(m.date_time, m.extra, m.comment, m.external_attr) for m in members}) == 1
    packed = [m.compress_size - m.file_size for m in members]
    assert 0.45 < auc([labels[m.filename] for m in members], packed) < 0.55


def test_archive_and_raw_give_the_same(spaceship: LocatedCompetition, tmp_path: Path) -> None:
    put_archive(spaceship)
    from_archive = prepare(spaceship, options=UNVERIFIED)
    spaceship.folder.archive.rename(tmp_path / "aside.zip")
    (tmp_path / "made").rename(spaceship.folder.raw)
    from_folder = prepare(spaceship, options=UNVERIFIED)
    rehearsed = prepare(spaceship, Rehearsal())
    assert dict(from_archive.files) == dict(from_folder.files) == dict(rehearsed.files)
    assert [m.source["kind"] for m in (from_archive, from_folder, rehearsed)] == [
        "archive",
        "folder",
        "rehearsal",
    ]


def test_archive_goes_unless_kept(spaceship: LocatedCompetition) -> None:
    put_archive(spaceship)
    spaceship.folder.raw.mkdir()
    assert prepare_one(spaceship, UNVERIFIED).state == "ok"
    assert spaceship.folder.archive.exists()
    again = replace(UNVERIFIED, keep_raw=False, force=True)
    assert prepare_one(spaceship, again).state == "ok"
    assert not spaceship.folder.archive.exists()
    assert not spaceship.folder.raw.exists()


def test_own_archive_is_never_removed(spaceship: LocatedCompetition, tmp_path: Path) -> None:
    own = put_archive(spaceship).rename(tmp_path / "own.zip")
    options = replace(UNVERIFIED, keep_raw=False, archive=own)
    assert prepare_one(spaceship, options).state == "ok"
    assert own.exists()
    folder = replace(options, archive=tmp_path / "made", force=True)
    assert prepare_one(spaceship, folder).state == "ok"
    assert (tmp_path / "made" / "train.csv").exists()


def test_raw_folder_goes_before_the_archive(spaceship: LocatedCompetition, tmp_path: Path) -> None:
    """A file that Kaggle does not serve, or a better copy of one, is put into `raw/`."""
    put_archive(spaceship)
    expected = prepare(spaceship, options=UNVERIFIED)
    spaceship.folder.raw.mkdir()
    (tmp_path / "made" / "train.csv").rename(spaceship.folder.raw / "train.csv")
    (spaceship.folder.raw / "extra").mkdir()
    (spaceship.folder.raw / "extra" / "labels.csv").write_text("x")
    seen = {}

    def looking(raw: Raw, public: Path, private: Path) -> None:
        seen["files"] = [file.path for file in raw.files("**/*.csv")]
        seen["top"] = [file.name for file in raw.files()]
        seen["folders"] = [folder.name for folder in raw.folders()]
        assert (raw / "extra" / "labels.csv").read_text() == "x"
        assert not (raw / "none").exists()
        with pytest.raises(DataError, match="no file 'none'"):
            (raw / "none").open()
        spaceship.definition.prepare(raw, public, private)

    definition = replace(spaceship.definition, prepare=looking)
    both = prepare(replace(spaceship, definition=definition), options=UNVERIFIED)
    assert dict(both.files) == dict(expected.files)
    assert both.source["with"] == "raw"
    assert seen["folders"] == ["extra"]
    assert "extra/labels.csv" in seen["files"] and "train.csv" in seen["top"]
    assert len(seen["top"]) == len(set(seen["top"])) >= 3


def test_where_an_own_archive_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"")
    (tmp_path / "b" / "raw").mkdir(parents=True)
    assert own_archive(tmp_path, "a", is_only=False) == tmp_path / "a.zip"
    assert own_archive(tmp_path / "a.zip", "x", is_only=True) == tmp_path / "a.zip"
    assert own_archive(tmp_path, "b", is_only=False) == tmp_path / "b" / "raw"
    assert own_archive(tmp_path, "x", is_only=True) == tmp_path
    with pytest.raises(UsageError, match=r"neither x\.zip nor"):
        own_archive(tmp_path, "x", is_only=False)


def test_prepared_is_skipped_and_forced(spaceship: LocatedCompetition) -> None:
    options = PrepareOptions(rehearsal=Rehearsal())
    first = prepare_one(spaceship, options)
    assert (first.state, first.message, first.rows) == ("ok", None, 199)
    second = prepare_one(spaceship, options)
    assert (second.state, second.message) == ("skipped", "prepared already")
    assert prepare_one(spaceship, replace(options, force=True)).state == "ok"
    other_seed = PrepareOptions(rehearsal=Rehearsal(seed=5))
    assert prepare_one(spaceship, other_seed).state == "ok"


def test_rehearsal_does_not_replace_real_data(spaceship: LocatedCompetition) -> None:
    put_archive(spaceship)
    assert prepare_one(spaceship, UNVERIFIED).state == "ok"
    refused = prepare_one(spaceship, PrepareOptions(rehearsal=Rehearsal()))
    assert refused.state == "failed"
    assert "real data" in str(refused.message)
    prepare(spaceship, Rehearsal())
    # The other way round nothing is lost: a rehearsal can be made again.
    assert prepare_one(spaceship, UNVERIFIED).state == "ok"


def test_damaged_manifest_is_prepared_again(spaceship: LocatedCompetition) -> None:
    options = PrepareOptions(rehearsal=Rehearsal())
    for damage in (b"", b"{", b"[]", b'{"schema": 99}', b"\xff"):
        prepare_one(spaceship, options)
        spaceship.folder.manifest.write_bytes(damage)
        with pytest.raises(DataError, match="manifest"):
            read_manifest(spaceship.folder)
        assert prepare_one(spaceship, options).state == "ok"
    assert verify(spaceship).verdict == "same"


def test_description_is_replaced_alone(spaceship: LocatedCompetition, tmp_path: Path) -> None:
    home = tmp_path / "declared"
    home.mkdir()
    (home / "description.md").write_text("Spaceship Titanic on Kaggle")
    (home / "description_obfuscated.md").write_text("Passengers of a ship")
    (home / "checksums.json").write_text("{}")
    put_archive(spaceship)
    competition = replace(spaceship, home=home)
    prepare_one(competition, replace(UNVERIFIED, keep_raw=False))
    told = prepare_one(competition, replace(UNVERIFIED, description="obfuscated"))
    assert (told.state, told.message) == ("skipped", "the description was replaced")
    shown = competition.folder.public / "description.md"
    assert shown.read_text() == "Passengers of a ship"
    assert verify(competition).verdict == "same"


def test_unpack(tmp_path: Path) -> None:
    competition = Catalogue(tmp_path).get_competition("aerial-cactus-identification")
    packed = prepare(competition, Rehearsal())
    options = PrepareOptions(rehearsal=Rehearsal(), unpack=True, force=True)
    loose = prepare(competition, options=options)
    assert loose.unpacked == ["test.zip", "train.zip"]
    assert not list(competition.folder.public.glob("*.zip"))
    assert loose.file_count > packed.file_count
    assert verify(competition).verdict == "same"
    assert len(list((competition.folder.public / "train").iterdir())) > 50


def test_data_of_another_tool_is_adopted_if_it_is_right(
    spaceship: LocatedCompetition, tmp_path: Path
) -> None:
    from mlebench.system.files import md5_of

    prepare(spaceship, Rehearsal())
    prepared = spaceship.folder.prepared
    (prepared / "manifest.json").unlink()
    (prepared / "files.jsonl").unlink()
    home = tmp_path / "declared"
    home.mkdir()
    (home / "description.md").write_text("text")
    official = {"private": {"test.csv": md5_of(prepared / "private" / "test.csv")}}
    (home / "checksums.json").write_text(json.dumps(official))
    competition = replace(spaceship, home=home)
    adopted = prepare_one(competition, PrepareOptions())
    assert (adopted.state, adopted.message) == ("skipped", "prepared already")
    assert verify(competition).verdict == "same"
    (prepared / "manifest.json").unlink()
    (prepared / "private" / "test.csv").write_text("PassengerId,Transported\n")
    put_archive(spaceship, seed=3)
    # Not what the checksum says: it is prepared again, and then rejected for the same reason.
    failed = prepare_one(competition, PrepareOptions())
    assert failed.state == "failed"
    assert "not as published" in str(failed.message)


def test_other_raw_data_than_published_is_refused(spaceship: LocatedCompetition) -> None:
    put_archive(spaceship)
    with pytest.raises(DataError, match="not as published") as raised:
        prepare(spaceship, options=PrepareOptions())
    assert "--skip-verification" in str(raised.value.hint)
    assert not spaceship.folder.prepared.exists()
    assert spaceship.folder.archive.exists()


def test_slot_is_held_while_preparing_only(spaceship: LocatedCompetition) -> None:
    put_archive(spaceship)
    log: list[str] = []

    class Slot:
        def __enter__(self) -> None:
            log.append("acquire")

        def __exit__(self, *error: object) -> None:
            log.append("release")

    def on_progress(phase: str, done: int = 0, total: int = 0) -> None:
        log.append(phase)

    assert prepare_one(spaceship, UNVERIFIED, on_progress, Slot()).state == "ok"
    assert log == ["acquire", "preparing", "verifying", "release"]
    assert prepare_one(spaceship, UNVERIFIED, on_progress, Slot()).state == "skipped"
    assert len(log) == 4


def test_several_at_once_and_one_that_fails(tmp_path: Path) -> None:
    catalogue = Catalogue(tmp_path)
    rehearsal = PrepareOptions(rehearsal=Rehearsal())
    tasks = [
        PreparationTask("spaceship-titanic", rehearsal),
        PreparationTask("leaf-classification", PrepareOptions(archive=tmp_path / "none.zip")),
        PreparationTask("aerial-cactus-identification", rehearsal),
    ]
    (tmp_path / "none.zip").write_bytes(b"<html>")
    told: list[PreparationOutcome] = []
    phases = set()
    outcomes = prepare_many(
        tasks,
        catalogue,
        jobs=2,
        on_progress=lambda event: phases.add((event.competition_id, event.phase)),
        on_done=told.append,
    )
    assert [outcome.state for outcome in outcomes] == ["ok", "failed", "ok"]
    assert "HTML page" in str(outcomes[1].message)
    assert sorted(o.competition_id for o in told) == sorted(t.competition_id for t in tasks)
    assert ("spaceship-titanic", "preparing") in phases


def test_raw_folder_does_not_lead_out(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "secret").write_text("x")
    raw = RawFolder(tmp_path / "raw")
    with pytest.raises(DataError, match="leads out"):
        raw / "../secret"
    assert not (raw / str(tmp_path / "secret")).exists()
    with pytest.raises(DataError, match="has no file"):
        (raw / "a\0b").open()


def test_public_names_are_judged_too(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "a").write_text("x")
    source = RawFolder(tmp_path / "raw") / "a"
    with pytest.raises(DataError, match="leads out"):
        copy_files({"../evil": source}, tmp_path / "public")
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("threads", [1, 3])
def test_large_files_are_loaded_ahead(
    threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mlebench.archives.writing.THREADS", threads)
    (tmp_path / "raw").mkdir()
    content = {f"{n:03d}": random.Random(n).randbytes(200_000) for n in range(80)}
    content["large"] = random.Random(80).randbytes(9 << 20)
    for name, data in content.items():
        (tmp_path / "raw" / name).write_bytes(data)
    raw = RawFolder(tmp_path / "raw")
    copy_files({f"images/{name}": raw / name for name in content}, tmp_path / "public")
    written = sorted((tmp_path / "public" / "images").iterdir(), key=lambda p: p.stat().st_ino)
    assert {path.name: path.read_bytes() for path in written} == content
    with pytest.raises(DataError, match="no file 'none'"):
        copy_files({"a": raw / "000", "b": raw / "none"}, tmp_path / "other")


def test_downloaded_archive_is_not_read_again_for_its_hash(
    kaggle_server: KaggleServer,
    spaceship: LocatedCompetition,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = pack_rehearsal(spaceship, tmp_path / "made")
    kaggle_server.add(Contest(spaceship.id, data))
    home = tmp_path / "declared"
    home.mkdir()
    (home / "description.md").write_text("# Task\n")
    md5 = hashlib.md5(data).hexdigest()
    (home / "checksums.json").write_text(json.dumps({"zip": md5}))
    monkeypatch.setattr(raw_data, "md5_of", lambda file: pytest.fail("hashed again"))
    manifest = prepare(replace(spaceship, home=home), options=PrepareOptions())
    assert manifest.source["md5"] == md5


def test_rehearsal_data_of_a_plain_function_is_prepared_from_a_folder(
    spaceship: LocatedCompetition, tmp_path: Path
) -> None:
    """Packed and in a folder, the same raw data becomes the same files."""
    packed = prepare(spaceship, Rehearsal())
    home = tmp_path / "home"
    home.mkdir()
    (home / "rehearsal.py").write_text(
        "from mlebench.competitions.spaceship_titanic.rehearsal import make_raw as declared\n"
        "def make_raw(raw, seed, scale):\n"
        "    declared(raw, seed, scale)\n"
    )
    for name in ("description.md", "leaderboard.json"):
        (home / name).write_bytes((spaceship.home / name).read_bytes())
    assert prepare(replace(spaceship, home=home), Rehearsal()).files == packed.files


def test_declared_rehearsal_data_is_read_from_one_archive(spaceship: LocatedCompetition) -> None:
    """Thousands of raw files would be written and removed again."""
    seen: list[Raw] = []

    def keep_raw(raw: Raw, public: Path, private: Path) -> None:
        seen.append(raw)
        spaceship.definition.prepare(raw, public, private)

    definition = replace(spaceship.definition, prepare=keep_raw)
    prepare(replace(spaceship, definition=definition), Rehearsal())
    assert [type(raw) for raw in seen] == [RawPacked]
