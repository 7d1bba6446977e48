"""The viewer's pages in a real browser: what they show, keys, addresses, access, paper."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from tests.browser import Watched, expect, fits
from tests.results.made_runs import make_group, make_run
from tests.viewer.pages import (
    MOST_NODES,
    group_address,
    group_named,
    run_address,
    texts,
    viewing,
)
from tests.viewer.running import Viewer

pytestmark = pytest.mark.browser


def test_groups_sort_filter_and_address(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    page.goto(viewer.url)
    runs = page.locator("table[aria-label=Runs] tbody tr:not(.spacer)")
    expect(runs.first).to_be_visible()
    assert page.title() == "Runs · mlebench"
    assert "any medal" in page.inner_text("table[aria-label=Groups] thead")
    groups = page.inner_text("table[aria-label=Groups]")
    assert re.search(r"\(2 of 9: 3 scored × 3, \d not graded\)", groups)

    page.click("table[aria-label=Runs] th button:text('score')")
    expect(page.locator("table[aria-label=Runs] th[aria-sort=descending]")).to_have_text("score")
    shown = [float(text.split()[0]) for text in texts(page, "td.n:nth-child(5)") if "." in text]
    assert shown == sorted(shown, reverse=True) and len(shown) > 3
    assert "sort=-score" in page.url

    page.fill("#filter", "medal:gold agent:aide")
    expect(page.locator("main p.muted").first).to_contain_text("1 of 21 runs match")
    assert re.search(r"medal=gold&agent=aide", page.url)
    page.reload()
    expect(page.locator("main p.muted").first).to_contain_text("1 of 21 runs match")
    assert page.input_value("#filter") == "medal:gold agent:aide"

    page.fill("#filter", "agent:nobody")
    expect(page.locator("main")).to_contain_text("No run matches agent:nobody")
    page.click("button:text('Clear the filter')")
    expect(runs.first).to_be_visible()
    page.fill("#filter", "colour:red hours>x")
    expect(page.locator("main .problem")).to_contain_text("unknown field “colour”")


def test_filter_completes(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    page.goto(viewer.url)
    # Before the page has its data nothing listens to keys.
    expect(page.locator("table[aria-label=Groups] tbody a").first).to_be_visible()
    page.press("body", "/")
    expect(page.locator("#filter")).to_be_focused()
    page.keyboard.type("med")
    expect(page.locator("#filter-list [role=option]")).to_have_text(["medal:"])
    page.keyboard.press("Tab")
    page.keyboard.type("si")
    expect(page.locator("#filter-list [role=option]")).to_have_text(["medal:silver"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.input_value("#filter") == "medal:silver "
    expect(page.locator("main p.muted").first).to_contain_text("1 of 21 runs match")


@pytest.mark.timing
def test_keyboard_alone_reaches_everything(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    page.goto(viewer.url)
    expect(page.locator("table[aria-label=Groups] tbody a").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    row = page.evaluate("document.activeElement.closest('tr').getAttribute('aria-rowindex')")
    assert row == "3"
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("tree")
    page.keyboard.press("m")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".matrix .status")).to_contain_text("seed 1")
    page.keyboard.press("Enter")
    expect(page.locator("[role=tab][aria-selected=true]")).to_have_text("trajectory")
    expect(page).to_have_title(re.compile(r"^\S (\S+ )?\S+ · tree · seed 1 · mlebench$"))
    title = page.title()
    for number, name in enumerate(
        ["trajectory", "log", "files", "submission", "grading", "similarity", "provenance"], 1
    ):
        page.keyboard.press(str(number))
        expect(page.locator("[role=tab][aria-selected=true]")).to_have_text(name)
        assert page.url.endswith(f"/{name}") or "#" in page.url or "?" in page.url
        expect(page.locator("#tab-panel")).not_to_contain_text("Loading")
    page.keyboard.press("ArrowLeft")
    expect(page).not_to_have_title(title)
    assert page.url.endswith("/provenance")
    # The second press comes while the page of the first one is still being opened.
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("h1")).to_have_text("Run groups")

    page.keyboard.press("?")
    expect(page.locator("dialog h2")).to_have_text("Keys")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("Control+k")
    expect(page.locator("dialog input")).to_be_focused()
    page.keyboard.type("leaf-class")
    expect(page.locator("dialog [role=option]").first).to_contain_text("leaf-classification")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("leaf-classification")
    page.keyboard.press("d")
    expect(page.locator("figure table").first).to_be_visible()
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.keyboard.press("t")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(15, 19, 24)"


def test_run_page(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    page.goto(run_address(viewer, "G"))
    strip = page.locator(".strip")
    expect(strip).to_contain_text("gold")
    expect(strip).to_contain_text(re.compile(r"rank\s*\d+ of [\d,]+"))
    expect(strip).to_contain_text("mlebench run --agent aide")
    assert page.locator("figure svg.plot").count() == 2
    page.click("figure button >> nth=0")
    expect(page.locator("figure table").first).to_contain_text("last gold")

    expect(page.locator(".step").first).to_contain_text("Step 1")
    expect(page.locator(".kind-reasoning").first).to_be_visible()
    page.uncheck("label:has-text('reasoning') input")
    expect(page.locator(".kind-reasoning").first).to_be_hidden()
    assert "hide=reasoning" in page.url
    page.keyboard.press("j")
    page.wait_for_url("**#s2")
    assert page.evaluate("CSS.highlights.size") > 0

    page.click("[role=tab]:text('files')")
    expect(page.locator(".file .lines")).to_contain_text("import pandas as pd")
    page.click(".tree-row:has-text('training.log')")
    expect(page.locator(".file")).to_contain_text("logs/training.log")
    page.click("[role=tab]:text('submission')")
    expect(page.locator("#tab-panel")).to_contain_text("id_0")
    page.click("[role=tab]:text('grading')")
    expect(page.locator("#tab-panel")).to_contain_text("gold from")
    assert watched.nodes() < MOST_NODES


def test_log_search_errors_colours_and_links(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    address = run_address(viewer, "G", tab="/log")
    page.goto(address)
    lines = page.locator(".line .text")
    expect(lines.last).to_contain_text("epoch 39: 100 %")
    assert page.locator(".line .f2").count() > 3
    expect(page.locator(".lines")).not_to_contain_text("\x1b")
    page.keyboard.press("e")
    expect(page.locator(".line.current")).to_contain_text("Traceback")
    page.keyboard.press("/")
    page.keyboard.type("VALUEERROR")
    page.keyboard.press("Enter")
    expect(page.locator(".line.current")).to_contain_text("ValueError")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(page.locator(".log [role=status]")).to_contain_text("of 2")
    page.click(".number:text-is('20')")
    page.click(".number:text-is('22')", modifiers=["Shift"])
    assert page.url.endswith("#L20-22")
    page.goto(f"{address}#L3-4")
    expect(page.locator(".line.marked")).to_have_count(2)


def test_compare(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    page.goto(viewer.url)
    for agent in ("aide", "tree"):
        page.check(f"tr:has(a:text-is('{agent}')) input[type=checkbox]")
    page.click("button:text('Compare 2')")
    expect(page.locator("h1")).to_have_text("Compare")
    assert page.url.count("run-group") == 2
    expect(page.locator("main")).to_contain_text("Any medal, paired by competition")
    expect(page.locator(".matrix .names a")).to_have_count(3)
    groups = [group_named(viewer, agent) for agent in ("aide", "tree")]
    for name in groups:
        expect(page.locator(".side-names").first).to_contain_text(name)
    runs = viewer.get("/api/index")["runs"]
    index = viewer.get("/api/index")
    for measure, form in (("score", "{:.5f}"), ("rank", "{:,g}"), ("cost", "${:,.2f}")):
        name = "cost" if measure == "cost" else f"{measure}s"
        page.click(f"[role=group][aria-label=compare] button:text('{name}')")
        assert f"measure={name}" in page.url
        values = [
            runs[measure][k]
            for k in range(len(runs["outcome"]))
            if index["groups"][runs["group"][k]]["id"] == groups[1]
            and index["competitions"][runs["competition"][k]]["id"] == "leaf-classification"
            and runs[measure][k] is not None
        ]
        mean = round(sum(values) / len(values), 1 if measure == "rank" else 9)
        row = page.locator("table.virtual tr", has_text="leaf-classification")
        expect(row).to_contain_text(f"{form.format(mean)} ({len(values)})")
    page.goto(f"{viewer.url}/compare?a=aide&b=aide")
    expect(page.locator("main")).to_contain_text("All outcomes are equal.")


def test_two_revisions_are_shown_apart(watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    ids = ["leaf-classification", "spaceship-titanic"]
    for number, revision in enumerate(("v1", "v1.1")):
        settings = {"revision": revision}
        outcomes = ["below", "gold"][number:]
        make_group(
            tmp_path / "runs", "aide", ids, number=number, outcomes=outcomes, settings=settings
        )
    with viewing(watched, tmp_path) as viewer:
        page.goto(f"{viewer.url}/compare?a=aide (v1)&b=aide (v1.1)")
        expect(page.locator("main .problem")).to_contain_text("revision (v1 and v1.1)")
        assert texts(page, ".side-names >> nth=0") == [
            "a aide (v1), revision v1\nb aide (v1.1), revision v1.1"
        ]
        row = page.locator("table.virtual tr", has_text="leaf-classification")
        expect(row).to_contain_text("(1)")
        assert row.locator("b").count() == 0, "no side is better"
        assert "paired by competition" not in page.inner_text("main")
        assert page.locator("figure").count() == 0
        page.goto(f"{viewer.url}/c/leaf-classification")
        expect(page.locator("table.virtual th", has_text="revision")).to_have_count(1)
        for revision in ("v1", "v1.1"):
            cell = page.locator("table.virtual td", has_text=re.compile(f"^{revision}$"))
            expect(cell).to_have_count(1)


def test_search(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    page.goto(f"{viewer.url}/search?q=could not convert")
    expect(page.locator(".hits").first).to_contain_text("ValueError: could not convert string")
    page.click(".hits li a >> nth=0")
    expect(page.locator(".line.marked")).to_contain_text("could not convert")


def test_dead_links(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    group = group_named(viewer, "aide")
    for address, words in (
        (f"{viewer.url}/g/{group[:-1]}x", group),
        (f"{group_address(viewer, group)}/r/00000000", "no run '00000000' in group"),
        (f"{viewer.url}/c/spaceship-titanc", "spaceship-titanic"),
        (f"{viewer.url}/nothing/here", "There is no page /nothing/here"),
    ):
        page.goto(address)
        expect(page.locator("h1")).to_have_text("Not found")
        expect(page.locator("main")).to_contain_text(words)
    assert all("404" in error for error in watched.errors)
    watched.errors.clear()


def test_damaged_run_keeps_its_place(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    page.goto(group_address(viewer, group_named(viewer, "aide")))
    expect(page.locator("table.virtual")).to_contain_text("run.json is damaged")
    page.click("tr:has-text('run.json is damaged') a")
    expect(page.locator(".strip .problem")).to_contain_text("run.json")
    page.keyboard.press("3")
    expect(page.locator(".tree-row").first).to_be_visible()


FILTER = """async (texts) => {
  const { parse, toQuery, fromQuery } = await import("/static/filter.js");
  const { store } = await import("/static/store.js");
  return texts.map((text) => {
    const again = fromQuery(new URLSearchParams(toQuery(text).toString()));
    const count = (words) => store.runs.filter(parse(words).matches).length;
    return [count(text), count(again)];
  });
}"""


def test_what_filters_mean(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    page.goto(viewer.url)
    expect(page.locator("table[aria-label=Groups] tbody a").first).to_be_visible()
    runs = viewer.get("/api/index")["runs"]
    letters, seeds = runs["outcome"], runs["seed"]
    hours = [(seconds or 0) / 3600 for seconds in runs["seconds"]]
    wanted = {
        "": len(letters),
        "medal:gold,silver": sum(letter in "GS" for letter in letters),
        "medal:any": sum(letter in "GSB" for letter in letters),
        "-medal:any": sum(letter not in "GSB" for letter in letters),
        "state:running": letters.count("r"),
        "outcome:invalid seed:0": sum(
            letter == "x" and seed == 0 for letter, seed in zip(letters, seeds, strict=True)
        ),
        "hours>6": sum(found > 6 for found in hours),
        "hours>6 hours<=12": sum(6 < found <= 12 for found in hours),
        'error:"run.json is damaged"': runs["state"].count("damaged"),
        "LEAF agent:tree": 3,
        "-leaf agent:tree": 6,
        "seed>x": 0,
    }
    found = page.evaluate(FILTER, list(wanted))
    assert found == [[count, count] for count in wanted.values()]


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_axe_finds_nothing_and_nothing_is_too_wide(
    watched: Watched, viewer: Viewer, width: int, height: int, theme: Any
) -> None:
    page = watched.page
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": height})
    tabs = ("trajectory", "log", "files", "submission", "grading", "similarity", "provenance")
    addresses = [
        viewer.url,
        group_address(viewer, group_named(viewer, "aide")),
        *(run_address(viewer, "G", tab=f"/{tab}") for tab in tabs),
        f"{viewer.url}/c/leaf-classification",
        f"{viewer.url}/compare?a=aide&b=tree",
        f"{viewer.url}/search?q=loss",
    ]
    found = []
    for address in addresses:
        page.goto(address)
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("main")).not_to_contain_text("Loading")
        # What does not depend on colours is looked at once.
        faults = watched.axe(*(["color-contrast"] if theme == "dark" else []))
        if not fits(page):
            faults.append("it is wider than the screen")
        found += [f"{address[-40:]} {fault}" for fault in faults]
    assert not found, "\n".join(found)


def test_narrow_and_printed(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    page.set_viewport_size({"width": 700, "height": 900})
    page.goto(f"{viewer.url}/?agent=aide")
    cells = page.locator("table[aria-label=Runs] td a")
    expect(cells.first).to_be_visible()
    cut = cells.evaluate_all(
        "all => all.filter((a) => a.offsetWidth > a.parentElement.clientWidth).length"
    )
    assert cut == 0
    assert "score" in page.inner_text("table[aria-label=Runs] thead")
    assert fits(page)
    page.set_viewport_size({"width": 390, "height": 844})
    outcome = page.locator("table[aria-label=Runs] tbody tr:not(.spacer) td:first-child .outcome")
    expect(outcome.first).to_be_in_viewport()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator(".top")).to_be_hidden()


def test_paper_has_all_rows(watched: Watched, viewer: Viewer) -> None:
    page = watched.page
    page.set_viewport_size({"width": 900, "height": 200})
    page.goto(viewer.url)
    rows = "document.querySelectorAll('table[aria-label=Runs] tbody tr:not(.spacer)').length"
    expect(page.locator("table[aria-label=Groups] tbody a").first).to_be_visible()
    assert page.evaluate(rows) < 21
    page.evaluate(f"addEventListener('beforeprint', () => {{ window.printed = {rows}; }})")
    assert page.pdf(format="A4")[:5] == b"%PDF-"
    assert page.evaluate("window.printed") == 21


def test_filter_by_error_and_back_again(watched: Watched, tmp_path: Path) -> None:
    make_group(
        tmp_path / "runs",
        "aide",
        ["spaceship-titanic", "leaf-classification"],
        outcomes=["gold", "timeout"],
        seeds=60,
        slim=True,
    )
    page = watched.page
    with viewing(watched, tmp_path) as viewer:
        page.goto(f"{viewer.url}/?error=timeout&q=hours>6")
        expect(page.locator("main p.muted").first).to_contain_text("60 of 120 runs match")
        assert page.input_value("#filter") == "error:timeout hours>6"
        page.evaluate("window.scrollTo(0, 500)")
        link = page.locator("table[aria-label=Runs] tbody a >> nth=20")
        link.click()
        expect(page.locator(".strip")).to_contain_text("leaf-classification")
        page.go_back()
        expect(page.locator("main p.muted").first).to_contain_text("60 of 120 runs match")
        assert page.evaluate("window.scrollY") == 500


def test_settings_that_differ_are_named(watched: Watched, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    for number, hours in enumerate((12.0, 24.0)):
        make_group(
            runs,
            f"agent{number}",
            ["spaceship-titanic"],
            number=number,
            outcomes=["gold" if number else "below"],
            settings={"hours": hours},
        )
    with viewing(watched, tmp_path) as viewer:
        page = watched.page
        page.goto(f"{viewer.url}/compare?a=agent0&b=agent1")
        row = page.locator("tr", has=page.locator("td:text-is('hours')"))
        expect(row).to_have_text(re.compile(r"hours\s*12\s*24"))
        expect(page.locator("figure .names a")).to_have_text(["spaceship-titanic"])
        assert json.loads(page.evaluate("JSON.stringify([...CSS.highlights.keys()])")) == []


@pytest.mark.parametrize(
    ("theme", "width", "height", "columns"), [("light", 1440, 900, 3), ("dark", 390, 844, 1)]
)
def test_the_matrix_uses_the_width(
    watched: Watched, tmp_path: Path, width: int, height: int, columns: int, theme: Any
) -> None:
    ids = Catalogue().get_split("all")
    make_group(tmp_path / "runs", "aide", ids, seeds=3, slim=True)
    page = watched.page
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": height})
    with viewing(watched, tmp_path) as viewer:
        page.goto(group_address(viewer, group_named(viewer, "aide")))
        expect(page.locator(".matrix .column")).to_have_count(columns)
        expect(page.locator("figure")).to_have_count(3)
        assert sorted(texts(page, ".matrix .names a")) == sorted(ids)
        assert texts(page, ".matrix .names .level")[0] == "low (22)"
        assert fits(page)
        box = page.locator(".cells-box")
        assert box.evaluate("(box) => box.scrollWidth <= box.clientWidth")
        cut = page.locator(".matrix .names a").evaluate_all(
            "all => all.filter((a) => a.getBoundingClientRect().right > innerWidth).length"
        )
        assert cut == 0
        assert watched.nodes() < MOST_NODES
        assert not watched.axe()
        page.click("button:text('category')")
        expect(page.locator(".matrix .names .level").first).to_have_text("Audio Classification (4)")
        assert page.url.endswith("?by=category")
        page.keyboard.press("m")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(page.locator(".matrix .status")).to_contain_text(texts(page, ".names a")[1])


def test_synthetic_scores_say_so(watched: Watched, tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs", settings={"is_rehearsal": True})
    facts = json.loads(run.report.read_text()) | {"is_rehearsal": True}
    run.report.write_text(json.dumps(facts))
    group = run.path.parent.name
    page = watched.page
    with viewing(watched, tmp_path) as viewer:
        page.goto(viewer.url)
        expect(page.locator("table[aria-label=Groups] tbody")).to_contain_text("synthetic")
        score = page.locator("table[aria-label=Runs] tbody tr", has_text="spaceship-titanic")
        expect(score).to_contain_text(re.compile(r"0\.\d{5} ↑ synthetic"))
        page.goto(group_address(viewer, group))
        expect(page.locator("main header")).to_contain_text("rehearsal: synthetic data")
        expect(page.locator(".sentence")).to_contain_text("synthetic")
        page.goto(run_address(viewer, "G"))
        expect(page.locator(".strip .badge")).to_contain_text("rehearsal: synthetic data")
        expect(page.locator(".facts-row")).to_contain_text(re.compile(r"0\.\d{5} ↑ synthetic"))
        page.goto(f"{viewer.url}/compare?a=aide&b={group}")
        expect(page.locator("main")).to_contain_text("rehearsal: synthetic data")


FORMAT = """async () => {
  const { duration, money } = await import("/static/format.js");
  return [...[0.07, 9.99, 59.9, 119.9, 3599.9, 7199].map(duration), money(null), money(0)];
}"""


def test_times_are_not_rounded_up_and_unknown_prices_are_no_zero(
    watched: Watched, viewer: Viewer
) -> None:
    page = watched.page
    page.goto(viewer.url)
    assert page.evaluate(FORMAT) == [
        *("0 s", "9.9 s", "59 s", "1 m 59 s", "59 m 59 s", "1 h 59 m"),
        *("—", "$0.00"),
    ]


def test_a_run_without_a_price(watched: Watched, tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs")
    facts = json.loads(run.state.read_text())
    facts["model"]["cost"] = None
    run.state.write_text(json.dumps(facts))
    lines = [json.loads(line) | {"cost": None} for line in run.trajectory.read_text().splitlines()]
    run.trajectory.write_text("".join(json.dumps(line) + "\n" for line in lines))
    page = watched.page
    with viewing(watched, tmp_path) as viewer:
        page.goto(viewer.url)
        expect(page.locator("table[aria-label=Runs] tbody")).to_contain_text("—")
        page.goto(run_address(viewer, "G"))
        expect(page.locator(".facts-row .fact", has_text="cost")).to_have_text("cost—")
        expect(page.locator(".step").first).to_be_visible()
        expect(page.locator("#tab-panel .bar")).to_contain_text("out, —")
        assert "$0.00" not in page.inner_text("main")
