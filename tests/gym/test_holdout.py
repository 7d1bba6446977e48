"""Hold-outs of all competitions: made from the public train part alone, graded as the test part."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from mlebench.audit.audited import Audited
from mlebench.audit.examined import Examined
from mlebench.audit.leaks import find_leaks
from mlebench.catalogue import Catalogue, LocatedCompetition, load_hold_out
from mlebench.errors import NotPreparedError, UsageError
from mlebench.grading.grade import validate
from mlebench.gym.holdout import (
    KIND,
    HoldoutFolder,
    ensure_holdout,
    locate_holdout,
    why_no_holdout,
)
from mlebench.preparing.order import read_ids
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.preparing.rows import read_cells
from mlebench.records.manifest import read_manifest, walk_files
from mlebench.system.files import sha256

IDS = Catalogue().list_competition_ids()
QUICK = (
    "starter-digits",
    "spaceship-titanic",
    "leaf-classification",
    "freesound-audio-tagging-2019",
    "iwildcam-2019-fgvc6",
    "multi-modal-gesture-recognition",
)
SCALES = {"jigsaw-unintended-bias-in-toxicity-classification": 12}
"""Where a hold-out of the smallest rehearsal would be too small for the metric."""

LONG = pytest.mark.long
NO_SAMPLE_SCORE = {"us-patent-phrase-to-phrase-matching"}
"""The correlation of a constant is not defined, on the test part as well."""


def prepared(competition_id: str, root: Path) -> LocatedCompetition:
    competition = Catalogue(root, revision="v1.1").get_competition(competition_id)
    scale = SCALES.get(competition_id, 1)
    prepare(competition, None if competition.definition.make_raw else Rehearsal(scale=scale))
    return competition


def hold_out_of(competition: LocatedCompetition) -> LocatedCompetition:
    folder = competition.folder
    return replace(competition, folder=HoldoutFolder(folder.root, folder.id, folder.revision))


def check_contract(competition: LocatedCompetition) -> None:
    before = {file: sha256(file) for file in walk_files(competition.folder.prepared)}
    # The answers of the test part are away while the hold-out is made: it cannot use them.
    hidden = competition.folder.path / "elsewhere"
    competition.private_dir.rename(hidden)
    first = ensure_holdout(competition)
    hidden.rename(competition.private_dir)
    inner = hold_out_of(competition)
    check_grading(inner)
    check_secrecy(inner)
    check_apart(competition, inner)
    again = ensure_holdout(competition, force=True)
    assert dict(again.files) == dict(first.files), "made twice, the bytes differ"
    assert first.source["kind"] == KIND
    after = {file: sha256(file) for file in walk_files(competition.folder.prepared)}
    assert after == before


def check_grading(inner: LocatedCompetition) -> None:
    """The gold submission has the best score, and the sample is valid."""
    examined = Examined(inner)
    gold, sample = examined.gold_verdict, examined.sample_verdict
    assert gold.score is not None, gold.reason
    assert validate(inner.sample_submission, inner) is None
    if inner.id not in NO_SAMPLE_SCORE:
        assert sample.score is not None, sample.reason
        assert not examined.is_better(sample.score, gold.score)
    board = inner.load_leaderboard().thresholds
    assert board.reaches(gold.score, board.gold), "the gold submission wins no gold medal"


def check_secrecy(inner: LocatedCompetition) -> None:
    """No private file, answer column or held-out id among the train items is public."""
    with Audited.open(inner, with_baseline=False) as audited:
        assert list(find_leaks(audited)) == []
    assert inner.private_dir.stat().st_mode & 0o077 == 0


def check_apart(outer: LocatedCompetition, inner: LocatedCompetition) -> None:
    """No item of the test part is in the hold-out, by id or, where numbers repeat, by content."""
    if load_hold_out(outer.home).renumbers or "renumbered" in outer.definition.accepts:
        ours, theirs = (contents_of_test(c) for c in (inner, outer))
        assert ours or outer.id == "mlsp-2013-birds"  # its clips are in one folder
        assert ours.isdisjoint(theirs)
        return
    ours, theirs = (read_ids(c.folder.prepared, c.definition) for c in (inner, outer))
    assert ours, "the sample submission has no ids"
    if outer.id not in SAME_IDS:
        assert ours.isdisjoint(theirs)


def rows_of(table: Path) -> list[tuple[list[str], bytes]]:
    """The cells and the bytes of each row, the header first."""
    return list(read_cells(table.read_bytes()))


SAME_IDS = {
    # All customers are in both; their purchases are of other weeks.
    "h-and-m-personalized-fashion-recommendations",
}


def contents_of_test(competition: LocatedCompetition) -> set[str | bytes]:
    """What test items are, without their numbers: files, archives, rows of a table."""
    public = competition.public_dir
    found: set[str | bytes] = set()
    for file in walk_files(public):
        path = file.relative_to(public).as_posix().lower()
        if path == "test.csv":
            found |= {line.partition(b",")[2] for _, line in rows_of(file)}
            found.discard(rows_of(file)[0][1].partition(b",")[2])
        elif "test" in path and file.suffix not in (".csv", ".json", ".md"):
            found.add(sha256(file))
    return found


def test_a_relative_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hold-out of these digits needs links to public files."""
    monkeypatch.chdir(tmp_path)
    manifest = ensure_holdout(prepared("starter-digits", Path("data")))
    assert "private/test.csv" in manifest.files


@pytest.mark.parametrize("competition_id", QUICK)
def test_hold_outs_of_several_kinds(competition_id: str, tmp_path: Path) -> None:
    check_contract(prepared(competition_id, tmp_path))


@pytest.mark.long
@pytest.mark.parametrize("competition_id", [i for i in IDS if i not in QUICK])
def test_hold_outs_of_all(
    competition_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # JPEGs of rehearsal data differ by comments only; without them no item can be told by content.
    monkeypatch.setattr("mlebench.preparing.tags.clean", lambda data: data)
    check_contract(prepared(competition_id, tmp_path))


def test_every_competition_has_one() -> None:
    """The list of those that have none, each with a reason: it is empty."""
    catalogue = Catalogue(revision="v1.1")
    reasons = {i: why_no_holdout(catalogue.get_competition(i)) for i in IDS}
    assert {i: reason for i, reason in reasons.items() if reason} == {}
    assert len(IDS) == 86


def test_v1_has_none(tmp_path: Path) -> None:
    competition = Catalogue(tmp_path).get_competition("starter-wine")
    with pytest.raises(UsageError, match=r"hold-outs exist in v1\.1"):
        locate_holdout(competition)


def test_it_is_made_on_first_use(tmp_path: Path) -> None:
    competition = Catalogue(tmp_path, revision="v1.1").get_competition("starter-wine")
    with pytest.raises(NotPreparedError):
        locate_holdout(competition)
    prepare(competition)
    inner = locate_holdout(competition)
    assert inner.answers.is_file()
    made = inner.folder.manifest.stat().st_mtime_ns
    assert locate_holdout(competition).folder.manifest.stat().st_mtime_ns == made


def test_it_is_made_again_for_other_data(tmp_path: Path) -> None:
    competition = Catalogue(tmp_path, revision="v1.1").get_competition("spaceship-titanic")
    prepare(competition, Rehearsal(seed=1))
    first = locate_holdout(competition).answers.read_bytes()
    prepare(competition, Rehearsal(seed=2))
    assert locate_holdout(competition).answers.read_bytes() != first


@pytest.mark.parametrize(
    "competition_id",
    [
        "spaceship-titanic",
        "dog-breed-identification",
        "mlsp-2013-birds",
        pytest.param("AI4Code", marks=LONG),
        pytest.param("rsna-2022-cervical-spine-fracture-detection", marks=LONG),
    ],
)
def test_hashes_decide_and_not_the_order(competition_id: str, tmp_path: Path) -> None:
    """The same items are held out if the rows of the train table come in another order."""
    competition = prepared(competition_id, tmp_path)
    ensure_holdout(competition)
    inner = hold_out_of(competition)
    first = sorted(line for _, line in rows_of(inner.answers))
    for name in load_hold_out(competition.home).tables:
        table = competition.public_dir / name
        if table.is_file():
            (_, header), *rows = rows_of(table)
            table.write_bytes(header + b"".join(line for _, line in reversed(rows)))
    ensure_holdout(competition, force=True)
    assert sorted(line for _, line in rows_of(inner.answers)) == first


@pytest.mark.parametrize(
    ("competition_id", "name"),
    [
        ("herbarium-2021-fgvc8", "train/metadata.json"),
        pytest.param("herbarium-2020-fgvc7", "nybg2020/train/metadata.json", marks=LONG),
        pytest.param("herbarium-2022-fgvc9", "train_metadata.json", marks=LONG),
        pytest.param("inaturalist-2019-fgvc6", "train2019.json", marks=LONG),
    ],
)
def test_hashes_decide_within_each_species(competition_id: str, name: str, tmp_path: Path) -> None:
    competition = prepared(competition_id, tmp_path)
    ensure_holdout(competition)
    inner = hold_out_of(competition)
    first = contents_of_test(inner)
    file = competition.public_dir / name
    metadata = json.loads(file.read_bytes())
    for part in ("annotations", "images"):
        metadata[part].reverse()
    file.write_text(json.dumps(metadata))
    ensure_holdout(competition, force=True)
    assert contents_of_test(inner) == first
    assert len(first) < len(metadata["images"]) / 2


def salted(key: str) -> bytes:
    parts = (len(part).to_bytes(8, "big") + part for part in (b"hold-out", key.encode()))
    return hashlib.sha256(b"v1.1\0" + b"".join(parts)).digest()


def test_products_of_a_stream_are_drawn_by_hash(tmp_path: Path) -> None:
    """Those in the lowest tenth of all hashes are held out."""
    import bson

    competition = prepared("cdiscount-image-classification-challenge", tmp_path)
    ensure_holdout(competition)
    products = bson.decode_all((competition.public_dir / "train.bson").read_bytes())
    ids = [str(product["_id"]) for product in products]
    held_out = {cells[0] for cells, _ in rows_of(hold_out_of(competition).answers)[1:]}
    assert held_out == {i for i in ids if int.from_bytes(salted(i), "big") / 2**256 < 0.1}
    assert held_out


def test_rides_of_a_stream_are_drawn_by_hash(tmp_path: Path) -> None:
    """The others are in the train part, in the order of the public table."""
    competition = prepared("new-york-city-taxi-fare-prediction", tmp_path)
    ensure_holdout(competition)
    keys, left = (
        [cells[0] for cells, _ in rows_of(c.public_dir / "train.csv")[1:]]
        for c in (competition, hold_out_of(competition))
    )
    assert left == [key for key in keys if int.from_bytes(salted(key), "big") / 2**256 >= 0.1]
    assert len(left) < len(keys)


def test_items_of_a_list_are_drawn_by_hash(tmp_path: Path) -> None:
    """Where there is no train table, those with the lowest salted hashes are held out."""
    competition = prepared("random-acts-of-pizza", tmp_path)
    posts = json.loads((competition.public_dir / "train.json").read_bytes())
    ensure_holdout(competition)
    held_out = {cells[0] for cells, _ in rows_of(hold_out_of(competition).answers)[1:]}
    ordered = sorted((post["request_id"] for post in posts), key=salted)
    assert 0 < len(held_out) < len(posts) / 2
    assert held_out == set(ordered[: len(held_out)])


def test_families_stay_together(tmp_path: Path) -> None:
    """Rule R4: locations of the hold-out are not in its train part."""
    import pandas as pd

    competition = prepared("iwildcam-2019-fgvc6", tmp_path)
    ensure_holdout(competition)
    inner = hold_out_of(competition)
    train, test = (pd.read_csv(inner.public_dir / f"{part}.csv") for part in ("train", "test"))
    assert set(train["location"]).isdisjoint(test["location"])


def test_a_share_is_at_most_a_fifth(tmp_path: Path) -> None:
    competition = prepared("starter-wine", tmp_path)
    ensure_holdout(competition)
    outer = len(rows_of(competition.public_dir / "train.csv")) - 1
    held_out = len(rows_of(hold_out_of(competition).answers)) - 1
    assert held_out == -(-outer // 5)
    assert read_manifest(hold_out_of(competition).folder)
