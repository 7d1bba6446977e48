"""Links from findings open a file at the bytes of the evidence, in files of any size."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path
from urllib.parse import quote

import pytest

from mlebench.records.folders import RunFolder
from mlebench.records.integrity import (
    EvidenceItem,
    IntegrityFinding,
    IntegrityRecord,
    write_integrity,
)
from mlebench.viewer.passages import MAX_EXCERPT
from tests.browser import Watched, expect
from tests.results.made_runs import HOSTILE, make_run
from tests.viewer.pages import viewing
from tests.viewer.running import Viewer, running_viewer

ID = "spaceship-titanic"
EVIL = HOSTILE[0]
LINES = 40_000


def make_empty_run(tmp_path: Path) -> RunFolder:
    run = make_run(tmp_path / "runs", "below", slim=True)
    run.code.mkdir(exist_ok=True)
    return run


def address(viewer: Viewer, path: str, offset: int, length: int) -> str:
    query = f"path={quote(path)}&offset={offset}&length={length}"
    return viewer.first_run(f"/file?{query}")


def test_lines_and_columns_of_bytes(tmp_path: Path) -> None:
    run = make_empty_run(tmp_path)
    text = "one\nzwei \U0001f600 täter = 1\nthree\n".encode()
    (run.code / "a.py").write_bytes(text)
    (run.code / "b.csv").write_bytes(b"id,y\n1,2\n3,4\n")
    with running_viewer(tmp_path / "runs", tmp_path / "cache") as viewer:
        start, stop = text.index("täter".encode()), text.index(b" = 1")
        found = viewer.get(address(viewer, "code/a.py", start, stop - start))
        # The smiley is two characters for JavaScript.
        assert found["passage"] == {
            "first": 1,
            "last": 1,
            "columns": [8, 13],
            "before": "one\nzwei \U0001f600 ",
            "text": "täter",
            "cut": 0,
            "after": " = 1\nthree\n",
        }
        assert found["lines"][1]["text"] == "zwei \U0001f600 täter = 1"
        both = viewer.get(address(viewer, "code/a.py", 2, len(text) - 6))["passage"]
        assert (both["first"], both["last"], both["columns"]) == (0, 2, [2, 2])
        table = viewer.get(address(viewer, "code/b.csv", 7, 1))
        assert table["kind"] == "csv" and table["passage"]["text"] == "2"
        assert viewer.get(address(viewer, "code/a.py", 9999, 3))["passage"] is None
        plain = viewer.get(address(viewer, "code/a.py", 0, 1).split("&offset")[0])
        assert "passage" not in plain


@pytest.mark.timing
def test_evidence_in_huge_lines_and_files(tmp_path: Path) -> None:
    run = make_empty_run(tmp_path)
    filler = b"epoch 1 loss 0.5\n" * 1_000_000
    hidden = b"x" * (8 << 20) + b"KEY\x1b]0;t\x07" + EVIL.encode() + b"y" * (8 << 20)
    log = run.code / "a.log"
    log.write_bytes(filler + hidden + b"\n" + filler)
    with running_viewer(tmp_path / "runs", tmp_path / "cache") as viewer:
        viewer.get(address(viewer, "code/a.log", 0, 1))
        began = time.monotonic()
        place = len(filler) + (8 << 20)
        found = viewer.get(address(viewer, "code/a.log", place, 3 + 6 + len(EVIL)))["passage"]
        whole = viewer.get(address(viewer, "code/a.log", len(filler), len(hidden)))["passage"]
        assert time.monotonic() - began < 5
    assert (found["first"], found["last"]) == (1_000_000, 1_000_000)
    assert found["columns"] == [None, None]
    # Control characters are escaped; markup is text, which the page never parses.
    assert found["text"] == f"KEY\\u001b]0;t\\u0007{EVIL}"
    assert len(whole["text"]) == MAX_EXCERPT and whole["cut"] == len(hidden) - MAX_EXCERPT


def item(run: RunFolder, name: str, place: bytes, quote: str = "") -> EvidenceItem:
    data = (run.path / name).read_bytes()
    digest = hashlib.sha256(place).hexdigest()
    return EvidenceItem(name, data.index(place), len(place), digest, quote or place.decode())


@pytest.mark.browser
def test_a_finding_opens_its_bytes(watched: Watched, tmp_path: Path) -> None:
    run = make_empty_run(tmp_path)
    rows = [f"value_{n} = {n}" for n in range(LINES)]
    rows[30_000] = f"before {EVIL} after"
    (run.code / "a.py").write_text("\n".join(rows))
    said = json.dumps({"said": "read the\nanswers", "rest": "z" * 9000}) + "\n"
    (run.code / "t.jsonl").write_text("{}\n" * 5 + said)
    evidence = (
        item(run, "code/a.py", EVIL.encode()),
        item(run, "code/t.jsonl", said.encode(), quote="read the answers"),
    )
    finding = IntegrityFinding("I1-0", "I1", "review", True, "found", evidence)
    record = IntegrityRecord(run.path.name, ID, "v1", "2026-01-01", "0", findings=(finding,))
    write_integrity(record, run.integrity)
    page = watched.page
    with viewing(watched, tmp_path) as viewer:
        page.goto(viewer.url + viewer.first_run("/grading").removeprefix("/api"))
        page.click("a:text('code/a.py')")
        marked = page.locator(".line.marked")
        expect(marked).to_have_count(1)
        expect(marked.locator("mark")).to_have_text(EVIL)
        expect(marked.locator(".number")).to_have_text("30001")
        expect(marked).to_be_in_viewport()
        expect(page.locator(".evidence mark")).to_have_text(EVIL)
        expect(page.locator(".evidence")).to_contain_text("line 30,001")
        assert not watched.axe()
        page.reload()
        expect(page.locator(".line.marked mark")).to_have_text(EVIL)

        # A record is quoted as the finding does, without the escapes of JSON.
        page.goto(viewer.url + viewer.first_run("/grading").removeprefix("/api"))
        page.click("a:text('code/t.jsonl')")
        expect(page.locator(".evidence mark")).to_have_text("read the answers")
        expect(page.locator(".line.marked .number")).to_have_text("6")

        # Another file has no such place.
        page.locator(".tree-row", has_text="a.py").click()
        expect(page.locator(".line").first).to_contain_text("value_0")
        expect(page.locator(".evidence")).to_have_count(0)
        assert "offset" not in page.url
