"""What the pages do with data that grows, is huge, or is hostile, in a real browser."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from PIL import Image

from tests.browser import Watched, expect
from tests.results.made_runs import HOSTILE, make_group, make_many, make_run, write_trajectory
from tests.viewer.pages import (
    MOST_NODES,
    group_address,
    group_named,
    run_address,
    viewing,
)
from tests.viewer.running import Viewer, running_viewer

pytestmark = pytest.mark.browser


@pytest.fixture
def growing(tmp_path: Path, watched: Watched) -> Iterator[tuple[Viewer, Path]]:
    """A viewer of one running run, and its log."""
    log = make_run(tmp_path / "runs", "running").agent_log
    with running_viewer(tmp_path / "runs", tmp_path / "cache") as viewer:
        viewer.sign_in(watched.page)
        yield viewer, log
        watched.page.goto("about:blank")


def test_live_log_is_followed(growing: tuple[Viewer, Path], watched: Watched) -> None:
    viewer, log = growing
    page = watched.page
    log.write_text("".join(f"line {k}\n" for k in range(500)))
    page.goto(run_address(viewer, "r"))
    expect(page.locator("[role=tab][aria-selected=true]")).to_have_text("log")
    expect(page.locator(".line .text").last).to_have_text("line 499")
    with log.open("a") as stream:
        stream.write("half a")
        stream.flush()
        expect(page.locator(".line .text").last).to_have_text("half a")
        stream.write(" line\nlast one\n")
    expect(page.locator(".line .text").last).to_have_text("last one")
    expect(page.locator(".line", has_text="half a line")).to_have_count(1)

    # Bursts that arrive while the page still scrolls do not end the following.
    for burst in range(5):
        with log.open("a") as stream:
            stream.writelines(f"burst {burst} {k}\n" for k in range(400))
        page.wait_for_timeout(300)
    expect(page.locator(".line .text").last).to_have_text("burst 4 399")
    expect(page.locator("button:text('Follow')")).to_have_attribute("aria-pressed", "true")
    page.evaluate("scrollTo(0, 0)")
    page.click("button:text('Follow')")
    page.click("button:text('Follow')")
    expect(page.locator(".line .text").last).to_be_in_viewport()

    page.locator(".lines").evaluate("box => { box.scrollTop = 0; }")
    expect(page.locator(".line .text").first).to_have_text("line 0")
    expect(page.locator("button:text('Follow')")).to_have_attribute("aria-pressed", "false")
    with log.open("a") as stream:
        stream.writelines(f"new {k}\n" for k in range(37))
    expect(page.locator(".fresh-lines")).to_have_text("37 new lines ↓")
    expect(page.locator(".line .text").first).to_have_text("line 0")
    page.click(".fresh-lines")
    expect(page.locator(".line .text").last).to_have_text("new 36")
    expect(page.locator("#live")).to_contain_text("updated")


def test_new_steps_of_a_running_run(growing: tuple[Viewer, Path], watched: Watched) -> None:
    viewer, log = growing
    page = watched.page
    page.goto(run_address(viewer, "r", tab="/trajectory"))
    expect(page.locator(".bar .muted")).to_contain_text("6 steps")
    write_trajectory(log.with_name("trajectory.jsonl"), 9)
    expect(page.locator(".bar .muted")).to_contain_text("9 steps")
    expect(page.locator(".tree-row")).to_have_count(9)


def test_new_runs_and_lost_connections(watched: Watched, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    page = watched.page
    with running_viewer(runs, tmp_path / "cache") as viewer:
        viewer.sign_in(page)
        page.goto(viewer.url)
        expect(page.locator("main")).to_contain_text("mlebench run --agent")
        make_group(runs, "aide", ["spaceship-titanic"], outcomes=["silver"], slim=True)
        expect(page.locator("table[aria-label=Runs]")).to_contain_text("silver")
        page.keyboard.press("j")
        expect(page.locator("tbody a:focus")).to_have_text("aide")
        make_group(runs, "tree", ["spaceship-titanic"], number=1, outcomes=["gold"], slim=True)
        expect(page.locator("table[aria-label=Runs]")).to_contain_text("gold")
        expect(page.locator("tbody a:focus")).to_have_text("aide")
    expect(page.locator("#live")).to_contain_text("connection lost")
    expect(page.locator("table[aria-label=Runs]")).to_contain_text("silver")
    assert all("ERR_" in error or "does not answer" in error for error in watched.errors)
    watched.errors.clear()


ELEMENTS = """() => [...new Set([...document.querySelectorAll("*")].map((e) =>
  e.localName + [...e.attributes].filter((a) => /^on|srcdoc|javascript:/i.test(a.name + a.value)
    && !["title", "aria-label", "value", "data-path", "alt", "href", "download"].includes(a.name))
    .map((a) => " " + a.name)))]"""
PLAIN = {
    *"html head meta title link script body a header nav ol li div main footer span button".split(),
    *"input ul h1 h2 h3 p b table caption colgroup col thead tbody tr th td section svg".split(),
    *"rect path text line circle g figure figcaption dl dt dd code pre kbd label select".split(),
    *"option details summary article em noscript form polyline polygon tspan desc".split(),
}


def test_hostile_text_stays_text(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    agent = HOSTILE[1]
    addresses = [
        viewer.url,
        group_address(viewer, group_named(viewer, agent)),
        *(run_address(viewer, "G", agent, f"/{tab}") for tab in ("trajectory", "log", "files")),
        *(run_address(viewer, "x", agent, f"/{tab}") for tab in ("submission", "grading")),
        f"{viewer.url}/compare?{_pair(agent, 'aide')}",
        f"{viewer.url}/search?q={quote('<script>')}",
        f"{viewer.url}/c/leaf-classification",
        f"{viewer.url}/?q={quote(HOSTILE[0])}",
    ]
    for address in addresses:
        page.goto(address)
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("main")).not_to_contain_text("Loading")
        assert set(page.evaluate(ELEMENTS)) <= PLAIN, address
        assert page.locator("script").count() == 1
        assert page.locator("img, iframe, object, embed").count() == 0
        assert not page.evaluate("[...document.links].some((a) => !a.href.startsWith('http:'))")
    page.goto(run_address(viewer, "G", agent, "/log"))
    expect(page.locator(".lines")).to_contain_text("<script>alert(1)</script>")
    page.goto(run_address(viewer, "G", agent, "/files?path=code%2Findex.html"))
    expect(page.locator(".file .lines")).to_contain_text("<script>alert(1)</script>")


def _pair(first: str, second: str) -> str:
    return f"a={quote(first)}&b={quote(second)}"


PICTURE = """async () => {
  const { picture, h } = await import("/static/dom.js");
  const evil = `<svg onload="alert(1)" class="plot" viewBox="0 0 9 9"><script>alert(2)</` + `script>
    <foreignObject><img src=x onerror="alert(3)"></foreignObject><style>*{color:red}</style>
    <a href="javascript:alert(4)"><text>in a link</text></a><image href="http://evil.example/x"/>
    <set attributeName="href" to="javascript:alert(5)"/><use href="#x"/>
    <g style="color:red" onclick="alert(6)"><rect x="1" data-step="3"/><title>&lt;b&gt;</title></g>
    </svg>`;
  const made = picture(evil);
  document.body.append(made);
  let refused = 0;
  for (const href of ["javascript:alert(7)", "//evil.example", "http://evil.example", "data:,x"]) {
    try { h("a", { href }); } catch { refused += 1; }
  }
  const all = [made, ...made.querySelectorAll("*")];
  return [all.map((one) => one.localName).join(" "),
    all.flatMap((one) => [...one.attributes].map((a) => a.name)).join(" "), refused];
}"""


def test_only_shapes_of_a_picture_pass(watched: Watched, viewer: Viewer) -> None:
    watched.page.goto(viewer.url)
    elements, attributes, refused = watched.page.evaluate(PICTURE)
    assert elements == "svg g rect title"
    assert attributes == "class viewBox x data-step"
    assert refused == 4
    # While it is parsed, before anything is taken from it, the policy refuses the handlers too.
    assert all("Content Security Policy" in error for error in watched.errors)
    watched.errors.clear()


def make_ten_thousand(runs: Path) -> None:
    """Five groups are made, the others are the same files under another name."""
    for made in make_many(runs, 1125):
        for copy in range(8):
            name = f"{made.path.name[:8]}{copy + 2}{made.path.name[9:]}"
            shutil.copytree(made.path, runs / name, copy_function=os.link)


@pytest.mark.long
@pytest.mark.timing
def test_ten_thousand_runs(watched: Watched, tmp_path: Path) -> None:
    make_ten_thousand(tmp_path / "runs")
    page = watched.page
    with viewing(watched, tmp_path) as viewer:
        viewer.get("/api/index")
        page.goto(viewer.url)
        expect(page.locator("table[aria-label=Groups] tbody a").first).to_be_visible()
        assert watched.nodes() < MOST_NODES
        # On an idle machine 0.3 s; this one may be busy.
        painted = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        assert page.evaluate(painted) < 5000
        page.evaluate("window.scrollTo(0, 200000)")
        expect(page.locator("table[aria-label=Runs] tbody a").first).to_be_visible()
        assert watched.nodes() < MOST_NODES
        milliseconds = page.evaluate(
            """() => {
              const box = document.getElementById("filter");
              const start = performance.now();
              box.value = "medal:gold hours>6";
              box.dispatchEvent(new Event("input"));
              return performance.now() - start;
            }"""
        )
        assert milliseconds < 2000
        expect(page.locator("main p.muted").first).to_contain_text("of 10,125 runs match")
        page.goto(group_address(viewer, group_named(viewer, "aide")))
        expect(page.locator("figure")).to_have_count(3)
        assert watched.nodes() < MOST_NODES


def test_long_log_and_trajectory(watched: Watched, tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs", steps=2000)
    with run.agent_log.open("w") as stream:
        stream.writelines(f"{k:07} {'x' * 60}\n" for k in range(600_000))
        stream.write("y" * 10_000_000 + "\n")
    page = watched.page
    with viewing(watched, tmp_path) as viewer:
        address = run_address(viewer, "G")
        page.goto(f"{address}/log")
        expect(page.locator(".line").last).to_contain_text("more")
        page.goto(f"{address}/log#L300001")
        expect(page.locator(".line.current .text")).to_have_text(re.compile("^0300000 x"))
        page.locator(".lines").press("g")
        expect(page.locator(".line .text").first).to_have_text(re.compile("^0000000 x"))
        assert watched.nodes() < MOST_NODES
        page.goto(f"{address}/trajectory#s1500")
        expect(page.locator(".step h3").first).to_have_text("Step 1500")
        page.locator(".steps").evaluate("box => { box.scrollTop = box.scrollHeight; }")
        expect(page.locator(".step h3:text-is('Step 1509')")).to_have_count(1)
        assert watched.nodes() < MOST_NODES


def test_token_pictures_and_the_copied_address(watched: Watched, tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs")
    Image.new("RGB", (40, 30), "red").save(run.code / "plot.png")
    page = watched.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    runs, cache = tmp_path / "runs", tmp_path / "cache"
    with running_viewer(runs, cache, token="secret" * 6) as viewer:
        page.goto(f"{viewer.url}/?token={'secret' * 6}")
        page.click("table[aria-label=Runs] tbody a >> nth=0")
        page.click("[role=tab]:text('files')")
        page.click(".tree-row:has-text('plot.png')")
        picture = page.locator(".file img")
        expect(picture).to_be_visible()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 40
        page.keyboard.press("y")
        expect(page.locator("#announce")).to_have_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == page.url and copied.endswith("/files?path=code%2Fplot.png")
        assert "token" not in copied
        page.goto("about:blank")
