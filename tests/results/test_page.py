"""The one-file report: order, counts, escaping, size, the same bytes, nothing personal."""

from __future__ import annotations

import base64
import gzip
import json
import re
import resource
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.records.audit import AuditRecord, write_audit
from mlebench.records.folders import CompetitionFolder
from mlebench.results.aggregate import SPLITS, summarize_agents
from mlebench.results.attempts import load_attempts
from mlebench.results.failures import find_causes, read_tail
from mlebench.results.figures import Results, all_figures
from mlebench.results.page import render_page, write_page
from mlebench.results.process import measure_process
from mlebench.results.redaction import Cleaner
from mlebench.results.runs_table import COLUMNS, write_csv
from tests.results.made_runs import HOSTILE, make_group, make_many

IDS = ["spaceship-titanic", "leaf-classification", "dog-breed-identification"]
SECTIONS = (
    "what-was-run",
    "outcomes",
    "on-the-leaderboards",
    "medal-rate",
    "medals-by-complexity-and-category",
    "seeds",
    "other-statistics",
    "time-and-cost",
    "progress-over-time",
    "how-the-agents-worked",
    "failures",
    "equal-submissions",
    "known-faults-of-the-competitions",
    "flags-of-the-boards",
    "audit-of-the-data",
    "runs",
    "method",
    "how-to-repeat",
)


def results_of(*sources: Path, pad_missing: bool = False) -> Results:
    attempts = load_attempts(sources)
    known = {name: Catalogue().get_split(name) for name in (*SPLITS, "dev")}
    summaries = summarize_agents(attempts, known, pad_missing=pad_missing)
    return Results(attempts, summaries, Catalogue())


def test_the_page_shows_stored_audits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLEBENCH_DATA_DIR", str(tmp_path / "data"))
    made = [
        AuditRecord(IDS[0], "v1", check, status, None, None, (f"evidence of {check}",), 0.1)
        for check, status in (("order", "fail"), ("board", "warn"), ("groups", "pass"))
    ]
    folder = CompetitionFolder(tmp_path / "data", IDS[0])
    folder.prepared.mkdir(parents=True)
    write_audit(made, folder)
    make_group(tmp_path / "runs", "aide", IDS, seeds=1, outcomes=["gold"] * 3)
    page = render_page(results_of(tmp_path / "runs"))
    assert "1 of 3 competitions are audited" in page
    shown = [f"evidence of {check}" in page for check in ("order", "board", "groups")]
    assert shown == [True, True, False]


def test_the_page_answers_in_order_and_with_counts(tmp_path: Path) -> None:
    outcomes = [
        "gold",
        "silver",
        "bronze",
        "above",
        "below",
        "invalid",
        "failed",
        "missing",
        "gold",
    ]
    make_group(tmp_path, "aide", IDS, seeds=3, outcomes=outcomes)
    page = render_page(results_of(tmp_path))
    assert re.findall(r'<h2 id="([^"]+)"', page) == list(SECTIONS)
    links = page.partition("<nav")[2].partition("</nav>")[0]
    assert re.findall(r'href="#([^"]+)"', links) == list(SECTIONS)
    # The seeds have 3, 0 and 1 medals of 3: 100, 0, 33.3; deviation 50.9, error 29.4.
    assert "any medal 44.4 ± 29.4 %" in page
    assert "(4 of 9, 1 not graded)" in page
    assert "2 gold, 1 silver, 1 bronze, 1 above median, 1 below median, 2 invalid, 1 failed" in page
    assert "mlebench run --agent aide -c dog-breed-identification" in page
    for letter in ("G", "S", "B", "above", "below", "invalid", "failed"):
        assert f'<b class="{letter}" title="aide, seed ' in page


def test_two_agents_stand_side_by_side(tmp_path: Path) -> None:
    make_group(tmp_path, "aide", IDS, outcomes=["gold"])
    make_group(tmp_path, "tree", IDS, number=1, outcomes=["below"])
    results = results_of(tmp_path)
    page = render_page(results)
    assert "aide: </span>any medal 100.0 %" in page
    assert "tree: </span>any medal 0.0 %" in page
    figures = all_figures(results)
    assert figures["agents"]["aide"]["pass_at_k"] == {"1": 100.0}
    assert figures["agents"]["tree"]["spending"]["cost_per_medal"] is None
    assert figures["agents"]["aide"]["spending"]["cost_per_medal"] > 0
    assert figures["agents"]["aide"]["competitions"][0]["human_rank"] > 0.8
    assert "splits" not in figures


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    make_group(tmp_path / "runs", "aide", IDS, seeds=2)
    for name in ("a.html", "b.html"):
        assert write_page(results_of(tmp_path / "runs"), tmp_path / name) == []
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_w01_hostile_runs_are_text(tmp_path: Path) -> None:
    group = make_group(
        tmp_path, HOSTILE[0], IDS, seeds=3, hostile=True, outcomes=["failed", "gold"]
    )
    results = results_of(group.path)
    measured = Results(
        results.attempts, results.summaries, Catalogue(), (), measure_process(results.attempts)
    )
    page = render_page(measured)
    assert page.count("<script") == page.count("</script>") == 1
    for tag in (
        "<img",
        "<iframe",
        "<svg onload",
        "<a href=&quot;javascript",
        "javascript:alert(4)<",
    ):
        assert tag not in page
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)
    assert "default-src 'none'" in page
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert " style=" not in page


def test_the_tail_of_a_log_is_read_fast_and_safe(tmp_path: Path) -> None:
    log = tmp_path / "agent.log"
    with log.open("wb") as stream:
        stream.seek(100 << 20)
        stream.write(
            b"x" * 5000 + b"\n50 %\r100 %\n\x1b[31mred\x1b[0m \x1b]52;c;ZXZpbA==\x07\xff\xfe end\n"
        )
    text = read_tail(log)
    assert len(text) < 13_000
    assert text.splitlines()[-2:] == ["100 %", "red \ufffd\ufffd end"]
    assert "more)" in text
    (tmp_path / "link.log").symlink_to(log)
    assert read_tail(tmp_path / "link.log") == ""
    many = tmp_path / "many.log"
    many.write_text("".join(f"{k}\n" for k in range(1000)))
    assert read_tail(many).split("\n") == [str(k) for k in range(800, 1000)]


def test_failures_are_grouped_by_cause(tmp_path: Path) -> None:
    make_group(tmp_path, "aide", IDS, seeds=3, outcomes=["invalid", "gold", "timeout"])
    attempts = load_attempts([tmp_path])
    causes = find_causes(attempts, str)
    assert [(c.blame, len(c.attempts), c.competitions) for c in causes] == [("agent", 3, 1)]
    assert causes[0].example.startswith("submission has 98 rows")


def test_a11_equal_submissions_are_named(tmp_path: Path) -> None:
    group = make_group(tmp_path, "aide", IDS, seeds=3, outcomes=["gold"])
    own = [a for a in load_attempts([group.path]) if a.competition_id == IDS[0]]
    same, second, _ = own
    assert same.folder is not None
    assert second.folder is not None
    assert same.report is not None
    facts = json.loads(second.folder.report.read_text())
    facts["submission_sha256"] = same.report.submission_sha256
    second.folder.report.write_text(json.dumps(facts))
    page = render_page(results_of(group.path))
    assert "<td>aide seed 0, aide seed 1</td>" in page


def test_the_page_says_what_was_closed_open_and_counted(tmp_path: Path) -> None:
    group = make_group(
        tmp_path, "aide", ["google-research-identify-contrails-reduce-global-warming"]
    )
    page = render_page(results_of(group.path))
    assert "isolation: strong" in page or "isolation: not recorded" in page
    assert "model calls to made-up-model-1" in page
    assert "gradings no ledger" in page


def test_w07_nothing_personal_leaves(tmp_path: Path) -> None:
    home = str(Path.home())
    key = "sk-proj-abcdefghijklmnop1234"
    group = make_group(tmp_path / "runs", "aide", IDS, outcomes=["failed"])
    for attempt in load_attempts([group.path]):
        assert attempt.folder is not None
        state = json.loads(attempt.folder.state.read_text())
        state["reason"] = f"{attempt.folder.path} and {home}/notes: {key}"
        attempt.folder.state.write_text(json.dumps(state))
        attempt.folder.agent_log.write_text(f"{home}/x {tmp_path}/runs {key} Bearer {key}\n")
    page = render_page(results_of(group.path))
    assert "output" not in page.split('id="failures"')[0]
    for canary in (str(tmp_path), key, f"{home}/"):
        assert canary not in page
    redacted = render_page(results_of(group.path), with_logs=False)
    assert "<details>" in page
    assert "<details>" not in redacted
    assert Cleaner([], all_paths=True)("see /srv/data/of/bob.txt now") == "see …/bob.txt now"


def test_w07_csv_cells_are_no_formulas(tmp_path: Path) -> None:
    make_group(tmp_path / "runs", HOSTILE[10], IDS, outcomes=["gold"], slim=True)
    write_csv(results_of(tmp_path / "runs"), tmp_path / "runs.csv")
    lines = (tmp_path / "runs.csv").read_text().splitlines()
    assert lines[0] == ",".join(COLUMNS)
    assert "\"'=HYPERLINK(" in lines[1]


def test_sizes_stay_within_their_bounds(tmp_path: Path) -> None:
    """225 runs with logs in 1 MB; thousands as data that a script unpacks."""
    group = make_group(tmp_path / "a", "aide", Catalogue().get_split("all"), seeds=3, steps=1)
    assert len(render_page(results_of(group.path)).encode()) < 1_000_000
    make_many(tmp_path / "b", 900)
    page = render_page(results_of(tmp_path / "b", pad_missing=True))
    assert len(page.encode()) < 1_000_000
    found = re.search(r'<script type="text/plain" id="data">([^<]+)</script>', page)
    assert found is not None
    data = json.loads(gzip.decompress(base64.b64decode(found[1])))
    assert len(data["columns"]["score"]) == 900
    cells = page.split('class="cells matrix"')[1].split("</table>")[0]
    letters = re.findall(r"<b [^>]*>(.)\??</b>", cells)
    # Hovering takes its words from the data: the cells must be in the same order.
    assert letters == data["columns"]["outcome"]
    assert "<noscript>" in page


@pytest.mark.parametrize("outcome", ["failed", "planned", "invalid", "missing", "damaged"])
def test_a_page_of_nothing_but_failures(tmp_path: Path, outcome: str) -> None:
    make_group(tmp_path, "aide", IDS, outcomes=[outcome])
    page = render_page(results_of(tmp_path))
    assert "any medal 0.0 %" in page


def test_f01_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    make_group(tmp_path / "runs", "aide", IDS, outcomes=["gold"], slim=True)
    results = results_of(tmp_path / "runs")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # A limit on the size of files fails as a full disk does, in the middle of the writing.
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    with pytest.raises(UsageError, match="cannot be written: File too large"):
        try:
            write_page(results, tmp_path / "r.html")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.glob("*r.html*")) == []
