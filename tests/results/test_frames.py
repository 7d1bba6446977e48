"""Results from Python: typed frames, pages and plots that a notebook shows."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mlebench.results
from mlebench.errors import UsageError
from mlebench.records.report import read_report
from mlebench.records.run import read_run
from tests.browser import Watched, expect
from tests.drop_in.test_notebook import execute, jupyter
from tests.results.made_runs import HOSTILE, make_group

__all__ = ["jupyter"]
IDS = ["spaceship-titanic", "leaf-classification", "dog-breed-identification"]
OUTCOMES = ["gold", "failed", "running", "invalid", "below", "silver"]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    make_group(tmp_path / "runs", "aide", IDS, seeds=2, outcomes=OUTCOMES)
    make_group(tmp_path / "runs", HOSTILE[0], IDS, number=1, outcomes=["bronze"], slim=True)
    return tmp_path / "runs"


def test_frames_say_what_the_records_say(runs: Path) -> None:
    found = mlebench.results.load(runs)
    table = found.runs.set_index("run_id")
    assert len(table) == 9
    assert found.runs["outcome"].value_counts().to_dict() == {
        "bronze": 3,
        "failed": 2,  # a run that goes on has no report yet
        "gold": 1,
        "invalid": 1,
        "below median": 1,
        "silver": 1,
    }
    reports, costs = found.reports.set_index("run_id"), found.costs.set_index("run_id")
    for folder in runs.glob("*/*/"):
        run = read_run(folder / "run.json")
        row = table.loc[run.run_id]
        assert (row["group"], row["competition_id"]) == (run.group, run.competition_id)
        assert (row["state"], row["seed"]) == (run.state, run.seed)
        assert str(row["started_at"].isoformat()) == run.started_at
        if run.seconds is not None:
            assert row["seconds"] == run.seconds
        if (folder / "host" / "report.json").is_file():
            report = read_report(folder / "host" / "report.json")
            assert reports.loc[run.run_id]["valid_submission"] == report.valid_submission
            if report.score is not None:
                assert reports.loc[run.run_id]["score"] == row["score"] == report.score
                assert reports.loc[run.run_id]["rank"] == report.rank
        if run.model is not None:
            assert costs.loc[run.run_id]["cost"] == run.model.cost
            assert costs.loc[run.run_id]["input_tokens"] == run.model.input_tokens
    assert len(reports) == 7


def test_types_do_not_depend_on_what_is_missing(runs: Path, tmp_path: Path) -> None:
    make_group(tmp_path / "empty", "aide", IDS, outcomes=["planned"])
    full, empty = mlebench.results.load(runs), mlebench.results.load(tmp_path / "empty")
    assert len(empty.reports) == len(empty.costs) == 0
    for name in ("runs", "reports", "costs"):
        assert getattr(full, name).dtypes.equals(getattr(empty, name).dtypes)
    assert full.runs["seed"].dtype == "Int64"
    assert full.runs["score"].dtype == "Float64"
    assert str(full.runs["started_at"].dtype) == "datetime64[ns, UTC]"


def test_nothing_to_load_is_a_sentence(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(UsageError, match="neither run groups nor grading reports"):
        mlebench.results.load(tmp_path / "none")
    with pytest.raises(
        UsageError, match=r"no attempt at 'x' has a score; those with scores are: .*spaceship"
    ):
        mlebench.results.load(runs).rank_plot("x")


def test_pandas_and_jinja_are_loaded_when_they_are_needed(runs: Path) -> None:
    code = (
        "import sys, mlebench.results; found = mlebench.results.load(sys.argv[1]);"
        "assert not {'pandas', 'jinja2'} & set(sys.modules), 'too early';"
        "found.runs; assert 'pandas' in sys.modules and 'jinja2' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(runs)], check=True)


def test_the_code_of_the_guide_runs(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guide = Path(__file__).parents[2] / "docs" / "results.md"
    (block,) = re.findall(r"```python\n(.*?)```", guide.read_text("utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "results.md", "exec"), {})


@pytest.mark.browser
def test_plot_and_page_show_in_a_cell(runs: Path, tmp_path: Path, watched: Watched) -> None:
    found = mlebench.results.load(runs)
    plot = found.rank_plot("spaceship-titanic")._repr_html_()
    # A notebook puts the output into its own page.
    cell = tmp_path / "notebook.html"
    cell.write_text(f"<!doctype html><p>before</p>{plot}{found._repr_html_()}<p>after</p>")
    page = watched.page
    page.goto(cell.as_uri())
    frames = page.frame_locator("iframe >> nth=0"), page.frame_locator("iframe >> nth=1")
    expect(frames[0].locator("svg.plot circle.dot").first).to_be_visible()
    assert frames[0].locator("body").evaluate("(b) => b.scrollHeight <= innerHeight")
    expect(frames[1].locator("h1")).to_contain_text("aide")
    frames[1].locator("table.sortable th button").first.click()
    assert page.locator("script").count() == 0
    # The style of the page does not reach the notebook.
    assert page.locator("p").first.evaluate("(p) => getComputedStyle(p).maxWidth") == "none"
    watched.errors.clear()  # a sandboxed frame says that it is one


@pytest.mark.long
def test_a_notebook_renders_them(runs: Path, jupyter: Path, tmp_path: Path) -> None:
    notebook = Path(shutil.copy(Path(__file__).with_name("results.ipynb"), tmp_path))
    assert execute(notebook, jupyter, RUNS=str(runs)) == "9 7 8\n"
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    plot, page = (cells[k]["outputs"][0]["data"]["text/html"] for k in (1, 2))
    shown = [html.unescape("".join(found)) for found in (plot, page)]
    assert re.search(r'srcdoc="<!doctype html>.*<svg viewBox', shown[0], re.DOTALL)
    assert '<h2 id="on-the-leaderboards">' in shown[1]
