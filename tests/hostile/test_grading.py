"""A01, C02, C11: submissions that ask for answers, memory or time."""

from __future__ import annotations

import multiprocessing
import random
import resource
import time
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.grading.grade import judge
from mlebench.grading.pool import GradingPool, Submission
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.tables import read_table, write_table
from mlebench.validation.validator import Validator
from tests.fuzz.mutations import mutated
from tests.grading.test_batch import endless

MOST_BYTES = 300 << 20
BOMBS = {
    "uw-madison-gi-tract-image-segmentation": "1 100000000000000",
    "tgs-salt-identification-challenge": "1 100000000000000",
    "vinbigdata-chest-xray-abnormalities-detection": " ".join(["1 0.5 0 0 9 9"] * 200_000),
    "text-normalization-challenge-english-language": "x" * 10_000_000,
    "google-research-identify-contrails-reduce-global-warming": "1 " * 1_000_000,
    "multi-modal-gesture-recognition": "1 " * 5_000_000,
    "us-patent-phrase-to-phrase-matching": "[" * 100_000,
}


@pytest.mark.defence("public-keys")
def test_no_verdict_on_two_hundred_files_depends_on_the_labels(
    prepared: Catalogue, place: Path
) -> None:
    """A validator that runs the metric would be an oracle."""
    competition = prepared.get_competition("spaceship-titanic")
    answers = read_table(competition.answers)
    sample = competition.sample_submission.read_bytes()
    files = [mutated(sample, random.Random(number)) for number in range(200)]
    verdicts = []
    for label in (True, False):
        moved = Catalogue(place / str(label)).get_competition(competition.id)
        for folder in (moved.private_dir, moved.public_dir):
            folder.mkdir(parents=True)
        write_table(answers.assign(Transported=label), moved.answers)
        moved.sample_submission.write_bytes(sample)
        validator = Validator(moved)
        verdicts.append([validator.judge(memoryview(data)).text for data in files])
    assert verdicts[0] == verdicts[1]
    assert len(set(verdicts[0])) > 1


@pytest.mark.defence("bounded-shapes")
def test_wide_long_and_fat_files_take_bounded_memory(prepared: Catalogue, place: Path) -> None:
    competition = prepared.get_competition("spaceship-titanic")
    files = {
        "long": b"PassengerId,Transported\n" + b",\n" * 8_000_000,
        "wide": b",".join(b"%d" % number for number in range(300_000)) + b"\n",
        "fat": b"PassengerId,Transported\n1," + b"x" * 100_000_000 + b"\n",
    }
    for name, data in files.items():
        file = place / f"{name}.csv"
        file.write_bytes(data)
        reason, used = _in_child(file, competition)
        assert reason, name
        assert used < MOST_BYTES, name


def _in_child(file: Path, competition: LocatedCompetition) -> tuple[str | None, int]:
    """The reason of a refusal, and the memory that it took, above that of an honest file."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_judge, args=(file, competition, sender))
    process.start()
    sender.close()
    found: tuple[str | None, int] = receiver.recv()
    process.join()
    return found


def _judge(file: Path, competition: LocatedCompetition, sender: Any) -> None:
    judge(competition.sample_submission, competition)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    reason = judge(file, competition).reason
    sender.send((reason, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10))


@pytest.mark.defence("costly-gradings-end")
def test_a_costly_grading_ends_in_time(place: Path) -> None:
    catalogue, (slow, honest) = endless(place, (1, 5))
    with GradingPool(catalogue, seconds=3) as pool:
        report = pool.grade(Submission("endless", honest)).report
        assert report
        assert report.score == 5
        start = time.monotonic()
        report = pool.grade(Submission("endless", slow)).report
        assert time.monotonic() - start < 20
        assert report
        assert "too costly" in str(report.reason)


@pytest.mark.long
@pytest.mark.parametrize("competition_id", BOMBS)
def test_a_bomb_for_each_kind_of_metric(competition_id: str, place: Path) -> None:
    """A score or a sentence within 30 seconds and the memory of a grading child."""
    catalogue = Catalogue(place / "data")
    competition = catalogue.get_competition(competition_id)
    prepare(competition, Rehearsal())
    table = read_table(competition.sample_submission).astype(object)
    table.iloc[0, -1] = BOMBS[competition_id]
    file = place / "submission.csv"
    table.to_csv(file, index=False)
    with GradingPool(catalogue, seconds=30) as pool:
        result = pool.grade(Submission(competition_id, file))
    assert result.error is None
    assert result.fault is None
    assert result.report
    assert result.report.score is not None or result.report.reason
