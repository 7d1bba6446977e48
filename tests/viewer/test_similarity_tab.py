"""The tab that shows matching lines of a run and a kernel or another run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlebench.records.folders import RunFolder
from mlebench.records.integrity import (
    IntegrityRecord,
    MatchedRange,
    SimilarReference,
    write_integrity,
)
from tests.browser import Watched, expect, fits
from tests.results.made_runs import HOSTILE, make_run
from tests.viewer.pages import viewing
from tests.viewer.running import Viewer, running_viewer

ID = "spaceship-titanic"
LEFT = [f"left = {n}" for n in range(1, 121)]
RIGHT = [f"right = {n}" for n in range(1, 91)]


def make_checked_run(tmp_path: Path) -> tuple[RunFolder, Path]:
    """A run that resembles a kernel, a hostile one, a notebook of another run; and the kernels."""
    folders = []
    for number, agent in enumerate(("one", "two")):
        folders.append(make_run(tmp_path / "runs", "below", agent=agent, number=number, slim=True))
        folders[-1].code.mkdir(exist_ok=True)
    run, other = folders
    (run.code / "a.py").write_text("\n".join([*LEFT, *HOSTILE]))
    cells = [{"cell_type": "code", "source": "%time\n" + "\n".join(RIGHT)}]
    (other.code / "b.ipynb").write_text(json.dumps({"cells": cells}))
    kernels = tmp_path / "kernels"
    (kernels / ID).mkdir(parents=True)
    (kernels / ID / "k.py").write_text("\n".join(RIGHT))
    (tmp_path / "secret.py").write_text("secret = 1")
    ranges = (MatchedRange("code/a.py", 60, 70, 40, 50), MatchedRange("code/a.py", 5, 9, 1, 5))
    across = MatchedRange("code/a.py", 3, 4, 2, 3, "code/b.ipynb")
    inner = MatchedRange("host/trajectory.jsonl#2", 3, 4, 2, 3)
    name = f"{other.path.parent.name}/{other.path.name}"
    entries = (
        SimilarReference(f"{ID}/k.py", 0.91, 0.95, ranges, longest=12),
        SimilarReference(name, 0.7, 0.6, (across,), relation="run"),
        SimilarReference(f"{ID}/{HOSTILE[0].replace('/', '')}", 0.5, 0.6, (inner,)),
        SimilarReference("../secret.py", 0.5, 0.6, ranges),
    )
    record = IntegrityRecord(run.path.name, ID, "v1", "2026-01-01", "0", similarity=entries)
    write_integrity(record, run.integrity)
    return run, kernels


def api(viewer: Viewer, agent: str = "one") -> str:
    index = viewer.get("/api/index")
    for place, group in enumerate(index["runs"]["group"]):
        if index["groups"][group]["agent"] == agent:
            key = index["runs"]["key"][place]
            return viewer.run_path(index["groups"][group]["id"], key, "/similarity")
    raise AssertionError(agent)


def test_both_sides_of_a_match(tmp_path: Path) -> None:
    _, kernels = make_checked_run(tmp_path)
    with running_viewer(tmp_path / "runs", tmp_path / "cache", kernels=kernels) as viewer:
        found = viewer.get(api(viewer))
        assert [entry["relation"] for entry in found["entries"]] == [
            "kernel",
            "run",
            *["kernel"] * 2,
        ]
        (pair,) = found["pairs"]
        assert pair["ranges"] == [[5, 9, 1, 5], [60, 70, 40, 50]]
        assert pair["left"]["lines"][:120] == LEFT
        assert pair["right"]["lines"] == RIGHT
        (notebook,) = viewer.get(api(viewer) + "?match=1")["pairs"]
        assert notebook["right"]["lines"] == ["pass", *RIGHT]
        (part,) = viewer.get(api(viewer) + "?match=2")["pairs"]
        assert part["left"]["lines"] is None and "trajectory" in part["left"]["note"]
        assert viewer.ask(api(viewer) + "?match=3").status == 404
        assert viewer.get(api(viewer) + "?match=9")["pairs"] == []


def test_without_the_folder_of_kernels(tmp_path: Path) -> None:
    make_checked_run(tmp_path)
    with running_viewer(tmp_path / "runs", tmp_path / "cache") as viewer:
        (pair,) = viewer.get(api(viewer))["pairs"]
        assert pair["right"]["lines"] is None and "--kernels" in pair["right"]["note"]
        unchecked = viewer.get(api(viewer, "two"))
        assert unchecked["entries"] == [] and "mlebench integrity" in unchecked["note"]


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_the_tab_in_a_browser(watched: Watched, tmp_path: Path, width: int, height: int) -> None:
    _, kernels = make_checked_run(tmp_path)
    page = watched.page
    page.set_viewport_size({"width": width, "height": height})
    with viewing(watched, tmp_path, kernels) as viewer:
        page.goto(viewer.url + api(viewer).removeprefix("/api"))
        sides = page.locator(".side")
        expect(sides).to_have_count(2)
        assert page.locator(".side >> nth=0 >> .line.current").count() == 16
        page.click("button:text('60–70 ↔ 40–50')")
        line = page.locator(".side >> nth=0 >> .line >> nth=59")
        box, inner = sides.first.bounding_box(), line.bounding_box()
        assert box and inner and abs(box["y"] - inner["y"]) < 30
        right = page.locator(".side >> nth=1 >> .line >> nth=39").bounding_box()
        other = sides.nth(1).bounding_box()
        assert right and other and other["y"] - 30 < right["y"] < other["y"] + other["height"]
        assert not watched.axe()
        assert fits(page)
        assert "<script>alert(1)</script>" in page.inner_text(".side >> nth=0")
        page.locator("table[aria-label='Similar code'] button").nth(1).click()
        expect(page.locator(".side >> nth=1")).to_contain_text("pass")
