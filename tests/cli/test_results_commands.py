"""`report`, `compare`, `bundle` and `leaderboard --mine`, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from tests.command import call
from tests.results.made_runs import HOSTILE, make_group
from tests.results.test_bundle import make_results

IDS = Catalogue().get_split("dev")


def figures(*words: object) -> dict[str, Any]:
    done = call(*words, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture
def two_groups(tmp_path: Path) -> tuple[Path, Path]:
    weak = make_group(tmp_path / "weak", "weak", IDS, seeds=2, outcomes=["below"])
    strong = make_group(tmp_path / "strong", "strong", IDS, seeds=2, outcomes=["gold"])
    return weak.path, strong.path


def test_report_prints_every_figure_as_json(two_groups: tuple[Path, Path]) -> None:
    found = figures("report", two_groups[1], "--process")
    assert found["splits"]["dev"]["measures"]["any_medal"]["mean"] == 100.0
    agent = found["agents"]["strong"]
    assert agent["pass_at_k"] == {"1": 100.0, "2": 100.0}
    assert agent["bootstrap"] == {"value": 100.0, "low": 100.0, "high": 100.0}
    assert agent["process"]["runs"] == 2 * len(IDS)
    assert agent["progress"] is None
    assert {c["competition_id"] for c in agent["competitions"]} == set(IDS)
    assert agent["spending"]["tokens_per_medal"] > 0


def test_report_marks_synthetic_data(tmp_path: Path) -> None:
    group = make_group(tmp_path, "aide", ["spaceship-titanic"], seeds=2, outcomes=["gold"])
    words = ("report", group.path, "--allow-mixed")
    assert "SYNTHETIC" not in call(*words).stdout
    report = next(group.path.glob("*/host/report.json"))
    report.write_text(json.dumps(json.loads(report.read_text()) | {"is_rehearsal": True}))
    csv, page = tmp_path / "runs.csv", tmp_path / "page.html"
    done = call(*words, "--csv", csv, "--html", page)
    assert "SYNTHETIC DATA (rehearsal): 1 of 2 attempts" in done.stdout
    assert figures(*words)["agents"]["aide"]["synthetic"] == 1
    assert csv.read_text().count(",synthetic,") == csv.read_text().count(",real,") == 1
    assert "rehearsal: synthetic data" in page.read_text()
    assert page.read_text().count("<td>synthetic</td>") == 1


def test_report_over_time_grades_what_was_kept(tmp_path: Path, data_dir: Path) -> None:
    group = make_group(tmp_path, "aide", ["spaceship-titanic"], outcomes=["gold"])
    words = ("report", group.path, "--over-time", "--data-dir", data_dir)
    done = call(*words)
    assert "graded 1 of 1 runs" in done.stderr
    found = figures(*words)["agents"]["aide"]["progress"]
    assert found["runs"] == 1
    # The copies are no submissions of this competition; the final file won gold.
    assert found["hours"]["any medal, as it was"][-1] == 100.0
    assert "graded" not in call(*words).stderr


def test_report_writes_page_and_csv(two_groups: tuple[Path, Path], tmp_path: Path) -> None:
    page, table = tmp_path / "out" / "r.html", tmp_path / "out" / "r.csv"
    done = call("report", *two_groups, "--html", page, "--csv", table, "--redact")
    assert done.exit_code == 0, done.output
    assert f"page: {page}" in done.stderr
    assert "<h1>weak, strong</h1>" in page.read_text()
    assert len(table.read_text().splitlines()) == 1 + 4 * len(IDS)
    assert done.stdout.splitlines()[0] == "weak"


def test_report_says_what_is_missing(tmp_path: Path) -> None:
    group = make_group(tmp_path, "aide", IDS[:3], outcomes=["gold"], slim=True)
    done = call("report", group.path, "--split", "dev")
    assert isinstance(done.exception, UsageError)
    assert f"{len(IDS) - 3} of {len(IDS)} reports of split 'dev' are missing" in str(done.exception)
    padded = call("report", group.path, "--split", "dev", "--pad-missing")
    assert f"{len(IDS) - 3} missing reports count as failures" in padded.stderr


def test_w06_an_agents_name_cannot_steer_the_terminal(tmp_path: Path) -> None:
    for number, agent in enumerate((HOSTILE[6], HOSTILE[9])):
        make_group(tmp_path, agent, IDS, number=number, outcomes=["gold"], slim=True)
    done = call("report", tmp_path)
    assert done.exit_code == 0
    assert "\x1b" not in done.output
    assert "\u202e" not in done.output


def test_compare_two_agents(two_groups: tuple[Path, Path]) -> None:
    found = figures("compare", *two_groups)
    assert found["difference"] == {"value": 100.0, "low": 100.0, "high": 100.0}
    assert (found["wins"], found["competitions"]) == (len(IDS), len(IDS))
    # All signs equal: 2 of 2^n flips are as extreme.
    assert found["p_value"] == pytest.approx(2 / 2 ** len(IDS))
    assert found["seeds_needed"] == 1
    # Two of two against none of two: Wilson's intervals are 34.2 to 100 and 0 to 65.8.
    assert found["intervals"][IDS[0]]["low"] == pytest.approx(100 - 100 * 2**0.5 * 0.65763, abs=0.1)
    ranks = figures("compare", *two_groups, "--measure", "human_rank")
    assert 0 < ranks["difference"]["value"] <= 100
    done = call("compare", *two_groups)
    assert "any_medal: +100.00 points" in done.stderr
    assert len(done.stdout.splitlines()) == 1 + len(IDS)
    same = call("compare", two_groups[0], two_groups[0])
    assert same.stdout.splitlines() == ["competition\tpoints\tfrom\tto"]


def test_compare_refuses_a_mixture(two_groups: tuple[Path, Path], tmp_path: Path) -> None:
    make_group(tmp_path / "mixed", "a", IDS, outcomes=["gold"], slim=True)
    make_group(tmp_path / "mixed", "b", IDS, number=1, outcomes=["gold"], slim=True)
    done = call("compare", tmp_path / "mixed", two_groups[0])
    assert "contains several agents" in str(done.exception)
    short = make_group(
        tmp_path / "short", "c", IDS, outcomes=["gold"], slim=True, settings={"hours": 1.0}
    )
    assert "differ in hours" in str(call("compare", short.path, two_groups[0]).exception)
    assert call("compare", short.path, two_groups[0], "--allow-mixed").exit_code == 0


def test_results_of_two_revisions_are_never_mixed(
    two_groups: tuple[Path, Path], tmp_path: Path
) -> None:
    revised = make_group(
        tmp_path / "new", "weak", IDS, outcomes=["gold"], slim=True, settings={"revision": "v1.1"}
    )
    for words in (
        ("report", two_groups[0], revised.path),
        ("compare", two_groups[0], revised.path),
    ):
        done = call(*words, "--allow-mixed")
        assert "differ in revision (revision: v1 and v1.1)" in str(done.exception)
    done = call("leaderboard", "--mine", revised.path)
    assert "results of revision v1 only" in str(done.exception), done.output


def test_bundle_make_and_check(tmp_path: Path) -> None:
    group = make_results(tmp_path / "runs")
    path = tmp_path / "mine.zip"
    made = call("bundle", "make", group.path, "--out", path, "--name", "mine")
    assert made.exit_code == 0, made.output
    checked = call("bundle", "check", path)
    assert checked.exit_code == 0, checked.output
    assert "all figures confirmed" in checked.stderr
    assert figures("bundle", "check", path)["ok"] is True

    group.ledger.unlink()
    call("bundle", "make", group.path, "--out", path)
    broken = call("bundle", "check", path)
    assert broken.exit_code == 1
    assert "has no ledger" in broken.stderr


def test_bundle_wants_whole_splits_of_one_agent(tmp_path: Path) -> None:
    part = make_group(tmp_path / "a", "a", IDS[:2], outcomes=["gold"], slim=True)
    done = call("bundle", "make", part.path, "--out", tmp_path / "x.zip")
    assert "cover no complete split" in str(done.exception)
    make_group(tmp_path / "a", "b", IDS[:2], number=1, outcomes=["gold"], slim=True)
    done = call("bundle", "make", tmp_path / "a", "--out", tmp_path / "x.zip")
    assert "a bundle contains one agent" in str(done.exception)
    assert not (tmp_path / "x.zip").exists()
