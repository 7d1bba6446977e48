"""Previews of hostile files: a confined child parses them, and the viewer stays small and quick."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mlebench.viewer.previews import PreviewFailed, Previews
from mlebench.viewer.text import clean, cut_text, one_line, show_line, show_text
from tests.results.made_runs import make_run
from tests.viewer.running import Viewer, running_viewer

TOO_MUCH = "this cannot be shown: parsing it takes too much memory or time"


@pytest.fixture
def run(place: Path) -> Path:
    """A run folder that a viewer shows."""
    return make_run(place / "runs").path


@pytest.fixture
def viewer(place: Path, run: Path) -> Iterator[Viewer]:
    with running_viewer(place / "runs", place / "cache") as running:
        yield running


def peak_bytes() -> int:
    """The most memory that this process had since `forget_peak`."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def forget_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pytest.skip("the kernel does not reset the peak of resident memory here")


@pytest.mark.defence("preview-children")
def test_a_search_tree_that_needs_a_gigabyte_is_one_sentence(viewer: Viewer, run: Path) -> None:
    """30 MB of empty objects; the limit of the file is 32 MiB."""
    (run / "logs" / "tree.json").write_text('{"nodes": [' + "{}," * 10_000_000 + "{}]}")
    path = viewer.first_run("/tree")
    forget_peak()
    before = peak_bytes()
    answer = viewer.ask(path)
    assert answer.status == 404
    assert answer.data["error"]["message"] == TOO_MUCH
    assert peak_bytes() - before < 100 << 20
    assert viewer.ask(viewer.first_run("/log?tail=5")).status == 200


@pytest.mark.defence("preview-children")
@pytest.mark.parametrize("view", ["/tree", "/file?path=code/a.csv", "/trajectory?from=0"])
def test_a_child_that_dies_is_one_sentence(
    view: str, viewer: Viewer, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a hole in a parser would end it."""
    (run / "code" / "a.csv").write_text("a,b\n1,2\n")
    monkeypatch.setattr(Previews, "target", "tests.hostile.tasks:crash")
    answer = viewer.ask(viewer.first_run(view))
    assert answer.status == 404
    assert answer.data["error"]["message"] == TOO_MUCH


@pytest.mark.defence("preview-children")
def test_a_submission_whose_parser_dies_keeps_its_page(
    viewer: Viewer, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Previews, "target", "tests.hostile.tasks:crash")
    page = viewer.get(viewer.first_run("/submission"))
    assert page["exists"] and page["size"] > 0
    assert (page["columns"], page["problem"]) == ([], TOO_MUCH)


@pytest.mark.parametrize("target", ["flood", "babble"])
def test_a_child_that_was_taken_over_gets_one_sentence(
    target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It sends more than any preview has, or what is no JSON."""
    monkeypatch.setattr(Previews, "target", f"tests.hostile.tasks:{target}")
    shown = Previews()
    forget_peak()
    before = peak_bytes()
    with pytest.raises(PreviewFailed, match=TOO_MUCH):
        shown.ask("tree", {}, [])
    assert peak_bytes() - before < 100 << 20
    shown.stop()


@pytest.mark.defence("child-files")
def test_a_child_opens_no_file_but_those_it_was_handed(place: Path) -> None:
    """The task is honest; the folder that it is told to open is not the one it may read."""
    (place / "trajectory").mkdir()
    name = f"{'a' * 32}.txt"
    (place / "trajectory" / name).write_text("SECRET")
    reference = {"$file": f"trajectory/{name}", "bytes": 6}
    record = {"kind": "exchange", "time": "", "request": {"messages": [reference]}, "response": {}}
    file = place / "trajectory.jsonl"
    file.write_text(json.dumps(record) + "\n")
    shown = Previews()
    host, descriptor = os.open(place, os.O_RDONLY), os.open(file, os.O_RDONLY)
    try:
        steps = shown.ask("scan", {"position": 0, "most": 9}, [descriptor])["steps"]
        facts = {"steps": steps, "first": 0, "skipped": 0}
        texts = [
            shown.ask("messages", facts, [descriptor, host], readable)[0]["messages"][0]["text"]
            for readable in ([str(place / "trajectory")], [])
        ]
    finally:
        os.close(host)
        os.close(descriptor)
        shown.stop()
    assert texts == ["SECRET", "(this text is missing on disk)"]


HOSTILE_TEXTS = {
    "a carriage return at the end": "a" * 200_000 + "\r\n",
    "carriage returns": "\r" * 200_000,
    "alternating line ends": "\r\n\r" * 70_000,
    "colours that do not end": "\x1b[" + "1;" * 100_000,
    "beginnings of colours": "\x1b[" * 100_000,
    "direction marks": "\u202e" * 200_000,
    "blanks": " " * 200_000,
}


@pytest.mark.defence("linear-texts")
def test_text_that_the_viewer_escapes_itself_takes_linear_time() -> None:
    """Ten times the longest window that is ever escaped, in processor time."""
    for name, text in HOSTILE_TEXTS.items():
        data = text.encode()
        before = time.process_time()
        for shown in (
            show_text(text, len(text)).text,
            cut_text(data, len(data)).text,
            show_line(data, data, len(data)).text,
            one_line(text, len(text)),
            clean(text),
        ):
            assert not {"\u202e", "\x07", "\x9b"} & set(shown), name
        assert time.process_time() - before < 10, name


@pytest.mark.parametrize(
    "line",
    [b"x" * (64 << 20), b"\n" * (8 << 20), b"\r" * (32 << 20), b"\xff" * (32 << 20)],
    ids=["one-line", "newlines", "carriage-returns", "not-utf-8"],
)
def test_windows_of_hostile_logs_take_bounded_memory(
    line: bytes, viewer: Viewer, run: Path
) -> None:
    """Pages, searches and previews of text read windows by their offsets."""
    (run / "host" / "agent.log").write_bytes(line)
    (run / "code" / "a.txt").write_bytes(line)
    del line
    views = ["/log?tail=500", "/log?from=0", "/log?search=x", "/file?path=code/a.txt"]
    paths = [viewer.first_run(view) for view in views]
    forget_peak()
    before = peak_bytes()
    for path in paths:
        answer = viewer.ask(path)
        assert answer.status == 200 and len(answer.body) < 256 * 1024, path
    assert peak_bytes() - before < 100 << 20
