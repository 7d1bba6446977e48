"""Rates name their denominator and revision; what is not scored is shown and not counted."""

from __future__ import annotations

import csv
import json
import zipfile
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mlebench.catalogue import Catalogue
from mlebench.catalogue.catalogue import chance_of
from mlebench.cli import cli
from mlebench.results import load
from mlebench.results.attempts import load_attempts
from mlebench.results.notes import WITHOUT_LEARNING, notes_on, uncertain_note
from tests.results.made_runs import make_group

SCORED = ["spaceship-titanic", "leaf-classification"]
REPORTED, WITHDRAWN = "herbarium-2020-fgvc7", "cdiscount-image-classification-challenge"
IDS = [*SCORED, REPORTED, WITHDRAWN]


def call(*words: object) -> Result:
    done = CliRunner().invoke(cli, list(map(str, words)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture(params=["v1", "v1.1"])
def revision(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def group(tmp_path: Path, revision: str) -> Path:
    """Gold at what is scored in v1.1, nothing at the other two; two seeds."""
    outcomes = ["gold", "gold", "below", "below"] * 2
    made = make_group(
        tmp_path / "runs", "aide", IDS, seeds=2, outcomes=outcomes, settings={"revision": revision}
    )
    return made.path


def denominator(revision: str) -> str:
    return f"{4 if revision == 'v1' else 2} scored competitions × 2 seeds, revision {revision}"


def test_the_catalogue_says_what_a_revision_scores() -> None:
    catalogue = Catalogue()
    assert catalogue.unscored("v1") == {}
    assert catalogue.unscored("v1.1") == {REPORTED: "reported", WITHDRAWN: "withdrawn"}


def test_text_and_json(group: Path, revision: str) -> None:
    text = call("report", group).output
    assert f"these: percent of {denominator(revision)}" in text
    assert ("not part of any rate" in text) is (revision == "v1.1")
    assert (WITHOUT_LEARNING in text) is (revision == "v1")
    assert "uncertain: " in text
    found = json.loads(call("report", group, "--json").stdout)
    split = found["splits"]["these"]
    assert (found["revision"], split["revision"]) == (revision, revision)
    assert split["denominator"] == denominator(revision)
    assert split["left_out"] == ([] if revision == "v1" else sorted([REPORTED, WITHDRAWN]))
    assert split["measures"]["any_medal"]["mean"] == (50 if revision == "v1" else 100)
    (agent,) = found["agents"].values()
    shown = {own["competition_id"]: own for own in agent["competitions"]}
    assert set(shown) == set(IDS), "what is not scored is still shown"
    assert any("easy bronze" in flag for flag in shown[REPORTED]["flags"])
    assert agent["uncertain"] == sum(own["uncertain"] for own in agent["competitions"])


def test_page_and_table_of_runs(group: Path, revision: str, tmp_path: Path) -> None:
    page, table = tmp_path / "report.html", tmp_path / "runs.csv"
    call("report", group, "--html", page, "--csv", table)
    html = unescape(page.read_text())
    assert f'<span class="badge">revision {revision}</span>' in html
    assert html.count(denominator(revision)) >= 2
    assert "easy bronze" in html
    assert "uncertain: a medal cut is inside the 95 % interval of the score" in html
    assert (WITHOUT_LEARNING in html) is (revision == "v1")
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert {row["revision"] for row in rows} == {revision}
    reports = load(group).reports
    marked = sum(row["uncertain"] == "yes" for row in rows)
    assert html.count("?</b>") == marked + 1, "a mark for each of them and one in the legend"
    assert marked == int(reports["uncertain"].sum())


def test_frames_have_the_interval(group: Path, revision: str) -> None:
    reports = load(group).reports
    scored = reports[reports["score"].notna()]
    assert set(reports["revision"]) == {revision}
    assert scored["standard_error"].notna().all()
    assert (scored["best_rank"] <= scored["rank"]).all()
    assert (scored["worst_rank"] >= scored["rank"]).all()


def test_compare_counts_what_is_scored(group: Path, revision: str) -> None:
    text = call("compare", group, group).output
    count = 4 if revision == "v1" else 2
    assert f"over {count} scored competitions, revision {revision}" in " ".join(text.split())
    found = json.loads(call("compare", group, group, "--json").stdout)
    assert (found["revision"], found["competitions"]) == (revision, count)


def test_only_unscored_competitions_are_shown_as_that(tmp_path: Path) -> None:
    made = make_group(
        tmp_path, "aide", [REPORTED], outcomes=["gold"], settings={"revision": "v1.1"}
    )
    text = call("report", made.path).output
    assert "percent of 1 not scored competition × 1 seed, revision v1.1" in text


def test_bundles_name_their_revision(tmp_path: Path, revision: str) -> None:
    dev = Catalogue().get_split("dev")
    made = make_group(
        tmp_path, "aide", dev, outcomes=["gold"], slim=True, settings={"revision": revision}
    )
    bundle = tmp_path / "mine.zip"
    call("bundle", "make", made.path, "--out", bundle)
    with zipfile.ZipFile(bundle) as archive:
        claim = json.loads(archive.read("bundle.json"))["claim"]
        (report, *_) = [name for name in archive.namelist() if name.endswith("report.json")]
        facts: dict[str, Any] = json.loads(archive.read(report))
    assert claim["splits"]["dev"]["revision"] == revision
    assert claim["splits"]["dev"]["denominator"].endswith(f"revision {revision}")
    assert facts["revision"] == revision
    assert set(facts["uncertainty"]) >= {"standard_error", "rank_interval", "uncertain"}


def test_the_table_of_agents_says_of_what() -> None:
    found = json.loads(call("leaderboard", "--json").stdout)
    assert "all 75" in found["denominator"]
    assert found["revision"] == "v1"
    text = " ".join(call("leaderboard").output.split())
    assert "percent of the scored competitions of each split (low 22, medium 38" in text
    assert WITHOUT_LEARNING in text


def test_nothing_is_said_about_reports_of_other_tools(group: Path) -> None:
    attempts = [a for a in load_attempts([group]) if a.report is None]
    assert uncertain_note(attempts) == []


def test_only_scored_results_count_as_uncertain_or_not(group: Path, revision: str) -> None:
    known = [a for a in load_attempts([group]) if a.report and a.report.uncertainty]
    scored = IDS if revision == "v1" else SCORED
    missed = sum(a.competition_id in scored and not a.has("any_medal") for a in known)
    assert missed == (4 if revision == "v1" else 0)
    (note,) = [text for text in notes_on(Catalogue(), known) if text.startswith("uncertain")]
    assert f" of {missed} results without one" in note


def test_lists_show_flags_and_status() -> None:
    text = " ".join(call("list", "--revision", "v1.1").output.split())
    assert f"{REPORTED} is reported" in text
    shown = call("show", REPORTED, "--revision", "v1.1").output
    assert "flag of v1.1: easy bronze" in shown
    facts = json.loads(call("show", REPORTED, "--revision", "v1.1", "--json").stdout)
    assert (facts["revision"], facts["scoring"]) == ("v1.1", "reported")
    assert json.loads(call("show", REPORTED, "--json").stdout)["scoring"] == "scored"


def test_facts_are_those_of_the_revision() -> None:
    listed = {
        revision: {
            facts["id"]: facts
            for facts in json.loads(call("list", "--revision", revision, "--json").stdout)[
                "competitions"
            ]
        }
        for revision in ("v1", "v1.1")
    }
    for revision, found in listed.items():
        assert {facts["revision"] for facts in found.values()} == {revision}
    changed = "3d-object-detection-for-autonomous-vehicles"
    assert listed["v1"][changed]["metric"] == "mean_average_precision_3d"
    assert listed["v1.1"][changed]["metric"] == "mean_hit_share_3d"
    mistyped = (changed, "uw-madison-gi-tract-image-segmentation")
    for name in (*mistyped, "us-patent-phrase-to-phrase-matching"):
        prizes = [listed[revision][name]["prize_usd"] for revision in listed]
        assert prizes == [1_200 + 8_000 + 5_000, 12_000 + 8_000 + 5_000], name
    champs = "champs-scalar-coupling"
    assert "known fault: #70" in call("show", champs).output
    text = call("show", champs, "--revision", "v1.1").output
    assert "known fault" not in text
    assert "fixed: structures.csv and structures/ lack the test molecules" in text
    assert listed["v1"][champs]["faults"] and not listed["v1.1"][champs]["faults"]
    facts = json.loads(call("show", champs, "--revision", "v1.1", "--json").stdout)
    assert facts["faults"] == [] and facts["fixes"][0]["issue"] == "#70"


def test_chance_wins_where_the_test_set_is_tiny() -> None:
    """59 cases: the standard error of a random AUC is √(60 / (12·31·28)) = 0.0759."""
    found = json.loads(
        call("show", "rsna-miccai-brain-tumor-radiogenomic-classification", "--json").stdout
    )["chance_medal"]
    shares = [found[name] for name in ("any_medal", "silver", "gold", "above_median")]
    assert shares == pytest.approx([0.16, 0.14, 0.09, 0.37], abs=0.005)
    text = call("show", "rsna-miccai-brain-tumor-radiogenomic-classification").output
    assert "medal by chance: 16.3%" in text


def test_every_competition_has_a_chance_or_a_reason() -> None:
    for name in (*Catalogue().get_split("all"), *Catalogue().get_split("dev")):
        found = chance_of(name)
        assert (found["any_medal"] is None) is bool(found.get("reason")), name
        if found["any_medal"] is not None:
            assert found["gold"] <= found["silver"] <= found["any_medal"] <= 1, name
