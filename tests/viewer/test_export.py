"""The static copy: complete, without scripts from elsewhere, without keys, readable anywhere."""

from __future__ import annotations

import functools
import http.server
import json
import re
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from mlebench.catalogue import Catalogue
from mlebench.cli import cli
from mlebench.errors import UsageError
from mlebench.viewer.export import export_runs
from tests.browser import Watched, fits
from tests.results.made_runs import make_group, make_run

KEY = "sk-proj-abcdefghijklmnop1234"
OWN_KEY = "0123456789abcdef-own-format"


class Links(HTMLParser):
    """The addresses that a page points to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]


@pytest.fixture(scope="module")
def site(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("export") / "site"
    export_runs(made, Catalogue(), target)
    return target


def test_every_run_has_a_page_and_every_link_leads_to_one(made: Path, site: Path) -> None:
    pages = list(site.rglob("*.html"))
    runs = len(list(made.glob("*/*/run.json")))
    # One for each run, three groups, three competitions, the index.
    assert len(pages) == runs + 3 + 3 + 1
    for page in pages:
        links = Links()
        links.feed(page.read_text("utf-8"))
        assert len(links.found) > 3
        for link in links.found:
            assert not re.match(r"[a-z]+:|//", link), link
            assert (page.parent / unquote(link)).is_file(), (page, link)
    assert {file.suffix for file in site.rglob("*") if file.is_file()} == {".html", ".css", ".js"}


def test_w04_what_agents_wrote_is_text(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert text.count("<script") == text.count("</script>") == 1
        assert "<img" not in text
        assert "default-src 'none'" in text
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def test_w07_keys_and_places_stay_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_PROVIDER_API_KEY", OWN_KEY)
    run = make_run(tmp_path / "runs", "failed").path
    words = f'{KEY} {OWN_KEY} {Path.home()}/x {tmp_path}/runs {{"api_key": "abcdef0123456789xyz"}}'
    (run / "host" / "agent.log").write_text(f"{words}\n")
    (run / "code" / "notes.py").write_text(f"KEY = {words!r}\n")
    state = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(state | {"reason": words}))
    trajectory = run / "host" / "trajectory.jsonl"
    trajectory.write_text(trajectory.read_text().replace("You are", f"{words}".replace('"', "'")))
    export_runs(tmp_path / "runs", Catalogue(), tmp_path / "site")
    text = "".join(page.read_text("utf-8") for page in (tmp_path / "site").rglob("*.html"))
    assert text.count("[removed]") >= 6
    for canary in (KEY, OWN_KEY, "abcdef0123456789xyz", f"{Path.home()}/", str(tmp_path)):
        assert canary not in text


def test_the_command_and_its_refusals(made: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    words = ["view", str(made), "--export", str(target)]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    assert done.stdout.strip() == str(target / "index.html")
    assert "synthetic" not in (target / "index.html").read_text("utf-8")
    before = (target / "index.html").read_bytes()
    with pytest.raises(UsageError, match="not an empty folder"):
        export_runs(made, Catalogue(), target)
    with pytest.raises(UsageError, match="outside the runs folder"):
        export_runs(made, Catalogue(), made / "site")
    assert (target / "index.html").read_bytes() == before
    assert not list(tmp_path.glob(".*"))


@pytest.fixture(scope="module")
def hosted(site: Path) -> Iterator[str]:
    """The address of the copy on a plain web server."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is logged."""

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_pages_in_a_browser(
    hosted: str, watched: Watched, width: int, height: int, theme: Any
) -> None:
    page = watched.page
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{hosted}/index.html")
    steps = ["a:text-is('aide')", "a[aria-label*='seed 0: gold']", "nav a >> nth=0"]
    for step in [*steps, "a:text-is('leaf-classification')"]:
        assert fits(page)
        assert not watched.axe()
        page.click(step)
        page.wait_for_load_state()
    assert page.inner_text("h1") == "leaf-classification"
    assert page.locator("svg.plot circle").count() > 0
    assert not watched.faults()


def test_pages_name_the_revision_and_mark_uncertain_results(tmp_path: Path) -> None:
    ids = ["leaf-classification", "herbarium-2020-fgvc7"]
    group = make_group(
        tmp_path / "runs", "aide", ids, outcomes=["gold", "gold"], settings={"revision": "v1.1"}
    )
    site = tmp_path / "site"
    export_runs(tmp_path / "runs", Catalogue(), site)
    pages = {file: file.read_text() for file in site.rglob("*.html")}
    for file, page in pages.items():
        if file.parent.name != "competitions":
            assert "v1.1" in page, file
    own = site / group.path.name
    front = pages[own / "index.html"]
    assert "(1 of 1: 1 scored × 1, 0 not graded)" in front, "the other one is not scored"
    assert "1 scored competition × 1 seed, revision v1.1" in front
    assert ">G?</b>" in front
    assert "<b>?</b> uncertain: a medal cut is inside the 95 % interval" in front
    runs = [page for file, page in pages.items() if file.parent == own and file.stem != "index"]
    assert len(runs) == 2
    assert all('<span class="badge">revision v1.1</span>' in page for page in runs)
    assert any('<span class="badge">uncertain</span>' in page for page in runs)


def test_the_page_of_a_competition_names_the_revision_of_each_run(tmp_path: Path) -> None:
    for number, revision in enumerate(("v1", "v1.1")):
        settings = {"revision": revision}
        make_group(
            tmp_path / "runs",
            "aide",
            ["leaf-classification"],
            number=number,
            outcomes=["gold"],
            settings=settings,
        )
    export_runs(tmp_path / "runs", Catalogue(), tmp_path / "site")
    page = (tmp_path / "site/competitions/leaf-classification.html").read_text("utf-8")
    assert '<button type="button">revision</button>' in page
    for revision in ("v1", "v1.1"):
        assert f"<td>aide ({revision})</td><td>{revision}</td>" in page
    front = (tmp_path / "site/index.html").read_text("utf-8")
    assert "points" not in front, "two revisions are not compared"
