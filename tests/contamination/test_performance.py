"""Performance by hand: correlations, paired obfuscation, before and after a cut-off, the page."""

from __future__ import annotations

import json
import math
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from mlebench.catalogue import Catalogue
from mlebench.contamination.cutoffs import (
    KnownDates,
    ModelDates,
    cutoff_effect,
    cutoff_pairs,
    cutoff_rows,
    read_dates,
)
from mlebench.contamination.familiarity import by_competition, familiarity_tests, with_z_scores
from mlebench.contamination.page import render_page
from mlebench.contamination.performance import (
    correlate_all,
    human_ranks,
    normalised_scores,
    obfuscation_pairs,
)
from mlebench.contamination.probes import Findings
from mlebench.contamination.report import ModelRun, make_report
from mlebench.contamination.subjects import Subject
from mlebench.errors import UsageError
from mlebench.records.contamination import CompetitionFamiliarity, DocumentScores, ProbeResult
from mlebench.results.attempts import by_competition as attempts_by_competition
from mlebench.results.attempts import load_attempts
from tests.results.made_runs import HOSTILE, make_group

IDS = Catalogue().get_split("low")[:8]
MEASURED = ModelRun("m", "http://localhost/v1", "2026-01-01", "echo", "tokens", "chat", 3)


def made(
    path: Path, outcomes: list[str], *, number: int = 0, agent: str = "a", **settings: object
) -> Path:
    return make_group(
        path, agent, IDS, seeds=2, number=number, outcomes=outcomes, slim=True, settings=settings
    ).path


def test_paired_obfuscation_by_hand(tmp_path: Path) -> None:
    """All 16 runs win plainly; half of the competitions win nothing at L1: −50 points."""
    plain = made(tmp_path, ["gold"])
    hidden = made(tmp_path, ["gold", "below"], number=1, is_obfuscated=True)
    (pair,) = obfuscation_pairs(load_attempts([plain, hidden]))
    assert (pair.plain, pair.obfuscated, pair.competitions, pair.seeds) == ("L0", "L1", 8, 2)
    assert pair.difference == -50
    differences = np.array([0.0, -100] * 4)
    assert sorted(pair.per_competition.values()) == sorted(differences)
    # Four differences of equal size: 2 of 16 sign patterns are as extreme.
    assert pair.p == pytest.approx(2 / 16)
    spread = differences.std(ddof=1) / math.sqrt(8)
    assert pair.detectable == pytest.approx((1.959964 + 0.841621) * spread, abs=1e-3)
    assert pair.low < -50 < pair.high


def test_levels_are_never_averaged(tmp_path: Path) -> None:
    plain = made(tmp_path, ["gold"])
    hidden = made(tmp_path, ["missing"], number=1, is_obfuscated=True, obfuscation="L2")
    ranks = human_ranks(load_attempts([plain, hidden]), Catalogue())
    assert min(ranks["a"].values()) > 0.5


def test_published_performance_by_hand(tmp_path: Path) -> None:
    attempts = load_attempts([made(tmp_path, ["gold", "missing", "below", "bronze"])])
    found = normalised_scores(attempts, Catalogue())
    for name, own in attempts_by_competition(attempts).items():
        sample = Catalogue().get_competition(name).definition.official_sample_score
        if sample is None:
            assert name not in found
            continue
        gold = own[0].report.gold_threshold
        values = [0 if a.score is None else (a.score - sample) / (gold - sample) for a in own]
        assert found[name] == pytest.approx(np.mean(values))
    assert len(found) >= 5


def test_correlations_of_every_agent(tmp_path: Path) -> None:
    attempts = load_attempts([made(tmp_path, ["gold", "below", "silver", "missing", "above"])])
    familiar = [CompetitionFamiliarity(i, 1, True, 0.1 * k, k - 3.0) for k, i in enumerate(IDS)]
    found = correlate_all(familiar, attempts, Catalogue())
    assert len(found) == 4
    (row,) = [c for c in found if c.familiarity == "control z" and "human" in c.performance]
    ranks = human_ranks(attempts, Catalogue())["a"]
    expected = stats.spearmanr(range(8), [ranks[i] for i in IDS])
    assert (row.n, row.spearman) == (8, pytest.approx(expected.statistic, abs=1e-5))
    assert row.detectable_r == pytest.approx(math.tanh(2.801585 / math.sqrt(5)), abs=1e-5)


@pytest.fixture
def dated() -> KnownDates:
    """Five competitions ended before the cut-off of `new`, three after."""
    day = date(2024, 1, 1)
    deadlines = {i: day + timedelta(days=30 * (k - 4)) for k, i in enumerate(IDS)}
    models = {"old": ModelDates(date(2020, 1, 1)), "new": ModelDates(day)}
    return KnownDates(deadlines, models)


def test_cutoffs_by_hand(tmp_path: Path, dated: KnownDates) -> None:
    # The new model wins on the five old competitions only, the old one nowhere.
    new = made(tmp_path, ["gold"] * 5 + ["below"] * 3, agent="new", model="new")
    old = made(tmp_path, ["below"], number=1, agent="old", model="old")
    attempts = load_attempts([new, old])
    rows = {row.agent: row for row in cutoff_rows(attempts, dated)}
    assert (rows["new"].before.competitions, rows["new"].after.competitions) == (5, 3)
    assert (rows["new"].before.rate, rows["new"].after.rate) == (100, 0)
    assert (rows["new"].difference, rows["new"].low, rows["new"].high) == (-100, -100, -100)
    assert (rows["old"].before.competitions, rows["old"].difference) == (0, None)
    (pair,) = cutoff_pairs(attempts, dated)
    assert (pair.older, pair.newer, pair.old_competitions, pair.new_competitions) == (
        "old", "new", 5, 3,
    )  # fmt: skip
    assert pair.difference == 100
    effect = cutoff_effect(attempts, dated)
    assert effect is not None
    # Everything is after the cut-off of `old`, which is before every deadline.
    assert (effect.agents, effect.competitions) == (2, 8)
    assert (effect.before, effect.after) == (5, 3 + 8)
    assert effect.odds_ratio < 1 and effect.low < effect.odds_ratio < effect.high
    assert cutoff_effect(load_attempts([new]), dated) is None


def test_reading_dates(tmp_path: Path) -> None:
    csv = tmp_path / "Competitions.csv"
    csv.write_text("Id,Slug,DeadlineDate\n1,titanic,01/31/2019 23:59:00\n2,open,\n")
    file = tmp_path / "dates.json"
    file.write_text('{"models": {"m": {"cutoff": "2023-10-01"}}}')
    found = read_dates([csv, file])
    assert found.deadlines == {"titanic": date(2019, 1, 31)}
    assert found.models["m"].cutoff == date(2023, 10, 1)
    file.write_text('{"models": {"m": {"cutoff": "last autumn"}}}')
    with pytest.raises(UsageError, match="has no dates"):
        read_dates([file])
    csv.write_text("a,b\n")
    with pytest.raises(UsageError, match="Slug and DeadlineDate"):
        read_dates([csv])


def scored(name: str, kind: str, value: float, text: str = "t") -> DocumentScores:
    return DocumentScores(name, text, kind, 100, 99, value, value, -2.0, -5.0, -3.0, 1.5)


def test_z_scores_by_hand() -> None:
    """Controls of other competitions: 0.1, 0.2, 0.3, so 0.5 is three deviations above."""
    controls = [scored(f"c{k}", "own", 0.1 * k) for k in (1, 2, 3)]
    documents = with_z_scores([*controls, scored("x", "post", 0.5), scored("x", "own", 0.2)])
    posts = [d for d in documents if d.kind == "post"]
    assert posts[0].control_z == pytest.approx(3.0)
    means = {c.competition_id: c for c in by_competition(documents)}
    assert (means["x"].is_evidence, means["x"].familiarity, means["x"].documents) == (True, 0.5, 1)
    assert not means["c1"].is_evidence
    (test,) = familiarity_tests(documents)
    assert (test.p, test.n) == (1 / 4, 1)


def test_the_page_and_its_sentences(tmp_path: Path, dated: KnownDates) -> None:
    """Hostile names stay text; a negative is never called clean."""
    plain = made(tmp_path, ["gold", "below"], model="new")
    hidden = made(tmp_path, ["below"], number=1, model="new", is_obfuscated=True)
    documents = with_z_scores(
        [scored(i, "post", 0.3 + 0.01 * k, HOSTILE[0]) for k, i in enumerate(IDS)]
        + [scored(i, "own", 0.25 + 0.001 * k) for k, i in enumerate(IDS)]
    )
    result = ProbeResult("rows", IDS[0], HOSTILE[1], 0.0, 0.1, 25, 1.0, 1.0, False, HOSTILE[2])
    report = make_report(
        MEASURED,
        Findings(documents, [result]),
        subjects=[Subject(i, i) for i in IDS],
        attempts=load_attempts([plain, hidden]),
        dates=dated,
        catalogue=Catalogue(),
    )
    page = render_page(report)
    assert not [text for text in HOSTILE[:3] if text in page]
    assert page.count("<svg") == 3
    for sentence in report.sentences.values():
        assert "clean" not in sentence
        assert "no effect" not in sentence
    assert "not detected by these probes" in report.sentences["probes"]
    assert "5 competitions before and 3 after" in report.sentences["cutoff"]
    assert "random effects" not in report.sentences["cutoff"]  # of one agent
    assert "80 % power" in report.sentences["obfuscation"]
    assert "80 % power" in report.sentences["correlation"]
    assert "<script" not in page
    assert json.loads(json.dumps(report.sentences)) == report.sentences
