"""Revision v1.1 of all competitions: prepares, grades, and agrees with v1 where it says so."""

from __future__ import annotations

import importlib
import io
import json
import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from _pytest.mark import ParameterSet

from mlebench.archives.writing import CONSTANT_NS
from mlebench.audit import audit
from mlebench.catalogue import Catalogue, LocatedCompetition, folder_name
from mlebench.catalogue.catalogue import load_changes
from mlebench.checking import check_competition
from mlebench.grading.grade import Verdict
from mlebench.preparing.order import read_ids
from mlebench.preparing.pictures import SUFFIXES, clean
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.preparing.sharing import is_of_test
from tests.audit.faults import KEPT
from tests.competitions.judging import verdict_on
from tests.competitions.test_goldens import GOLDENS, IDS

MALFORMED = {"noisy_clipped_range", "noisy_extra_column", "noisy_new_levels"}
"""Besides those called odd or bad: v1 scores them, v1.1 may refuse them."""

NUMBERED_SAMPLE = "iwildcam-2019-fgvc6"
"""The sample submission of v1 has a column of row numbers, which v1.1 removes and refuses."""

BEST = {
    # The smallest deviation that counts is 70 ml; the smallest error of a type 1e-9.
    "modified_laplace_log_likelihood": round(-math.log(70 * math.sqrt(2)), 5),
    "log_mean_absolute_error": round(math.log(1e-9), 5),
}
"""Scores of perfect submissions that are neither 0, where lower is better, nor 1."""

QUICK = {
    "aerial-cactus-identification",
    "hms-harmful-brain-activity-classification",
    "spaceship-titanic",
    "us-patent-phrase-to-phrase-matching",
}


def cases() -> Iterator[ParameterSet]:
    for competition_id in IDS:
        marks = [] if competition_id in QUICK else [pytest.mark.long]
        yield pytest.param(competition_id, marks=marks)


@pytest.mark.parametrize("competition_id", list(cases()))
def test_competition(competition_id: str, tmp_path: Path) -> None:
    golden = json.loads((GOLDENS / f"{competition_id}.json").read_text("utf-8"))
    rehearsal = Rehearsal(seed=golden["seed"], scale=golden["scale"])
    v1, revised = (
        Catalogue(tmp_path, revision=revision).get_competition(competition_id)
        for revision in ("v1", "v1.1")
    )
    for competition in (v1, revised):
        prepare(competition, rehearsal)
    # The baseline agent would learn from synthetic data for a minute.
    with patch("mlebench.checking.competition.audit", partial(audit, with_baseline=False)):
        findings = [check for check in check_competition(revised) if check.state != "ok"]
    assert [check for check in findings if check.state == "fail"] == []
    # What v1.1 keeps with a flag.
    assert {check.subject for check in findings} <= {"board", *KEPT.get(competition_id, ())}
    metric, gold = revised.definition.metric, revised.gold_submission.read_bytes()
    best = BEST.get(metric.name, 0.0 if metric.is_lower_better else 1.0)
    assert verdict_on(gold, revised).score == best
    assert has_neutral_order(revised)
    assert_test_files_tell_nothing(v1, revised)
    changes = load_changes(revised.home)
    if changes.comparability == "same":
        assert differences(v1, revised, golden["seed"]) == {}


@pytest.mark.parametrize("competition_id", IDS)
def test_flags_say_what_the_board_shows(competition_id: str) -> None:
    competition = Catalogue(revision="v1.1").get_competition(competition_id)
    cuts, changes = competition.load_leaderboard().thresholds, load_changes(competition.home)
    flags = {flag.split(":")[0] for flag in changes.flags}
    assert (cuts.gold == cuts.bronze) <= ("all or nothing" in flags)
    assert (cuts.bronze == cuts.median) <= (not changes.is_scored)
    assert bool(changes.reason) == (changes.scoring != "scored")
    assert abs(cuts.gold - cuts.bronze) > 1e-4 or {"crowded board", "all or nothing"} & flags


def assert_test_files_tell_nothing(v1: LocatedCompetition, revised: LocatedCompetition) -> None:
    """Files of test items are none of v1's, have one time and no tags, and were written by name."""
    known = {file.stat().st_ino for file in v1.folder.prepared.rglob("*")}
    ids, public = read_ids(revised.folder.prepared, revised.definition), revised.public_dir
    written: dict[tuple[Path, str], list[int]] = {}
    for file in sorted(public.rglob("*"), key=lambda file: file.relative_to(public).as_posix()):
        name = file.relative_to(public.parent).as_posix()
        if not file.is_file() or not is_of_test(name, ids):
            continue
        status = file.stat()
        assert (status.st_nlink, status.st_mtime_ns) == (1, CONSTANT_NS[1]), name
        assert status.st_ino not in known, name
        assert file.suffix[1:] not in SUFFIXES or clean(data := file.read_bytes()) == data, name
        # The time of the last change of an inode cannot be set: it must follow the names.
        written.setdefault((file.parent, file.suffix), []).append(status.st_ctime_ns)
    # The tables of the drives are no items.
    assert all(t == sorted(t) for (home, _), t in written.items() if home.name != "test_data")


def has_neutral_order(competition: LocatedCompetition) -> bool:
    """Whether the sample submission lists its items by id."""
    import pandas as pd

    name = competition.definition.submission.id
    ids = pd.read_csv(competition.sample_submission)[name] if name else pd.Series()
    return bool(ids.is_monotonic_increasing)


def differences(
    v1: LocatedCompetition, revised: LocatedCompetition, seed: int
) -> dict[str, tuple[Verdict, Verdict]]:
    """Submissions that v1 scores without a warning and v1.1 scores otherwise, or refuses although
    they are well-formed."""
    module = importlib.import_module(f"tests.competitions.submissions.{folder_name(v1.id)}")
    texts = module.submissions(v1.public_dir, v1.private_dir, seed)
    texts = {name: text.encode() for name, text in texts.items()}
    # The gold file of v1 may have further columns, which v1.1 refuses.
    sample = "odd_sample_of_v1" if v1.id == NUMBERED_SAMPLE else "sample of v1"
    texts |= {sample: v1.sample_submission.read_bytes()}
    texts |= {"sample": revised.sample_submission.read_bytes()}
    texts |= {"gold": revised.gold_submission.read_bytes()}
    found, equal = {}, 0
    for name, text in texts.items():
        one, other = verdict_on(text, v1), verdict_on(text, revised)
        equal += one.score is not None and one.score == other.score
        if one.score != other.score:
            # v1 pairs rows by position in some competitions, v1.1 always by id.
            one = verdict_on(in_order_of_sample(text, v1), v1)
        is_plain = one.score is not None and not one.warnings
        is_refused = other.reason is not None and is_malformed(name)
        if is_plain and one.score != other.score and not is_refused:
            found[name] = (one, other)
    # The samples, gold, and at least three others.
    assert equal >= 6
    return found


def is_malformed(name: str) -> bool:
    return name in MALFORMED or name.startswith(("odd_", "bad_"))


def in_order_of_sample(text: bytes, competition: LocatedCompetition) -> bytes:
    """The same rows in the order of the sample submission, if they have the same names."""
    import pandas as pd

    sample, rows = (
        pd.read_csv(source, dtype=str, keep_default_na=False)
        for source in (competition.sample_submission, io.BytesIO(text))
    )
    targets = competition.definition.submission.targets
    names = [name for name in sample if name not in targets and name in rows]
    if not names or len(rows) != len(sample) or rows.duplicated(names).any():
        return text
    ordered = sample[names].drop_duplicates().merge(rows, on=names)[list(rows.columns)]
    return ordered.to_csv(index=False).encode() if len(ordered) == len(rows) else text
