"""Pages of episodes: what is shown, and that nothing a policy writes becomes markup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mlebench.errors import DataError
from mlebench.records.episode import EndEntry, EpisodeWriter, ResetEntry, StepEntry
from mlebench.viewer.pages.episode import FOLDER, episode_reply
from mlebench.viewer.places import Absent
from tests.browser import Watched, expect, fits
from tests.viewer.pages import viewing

ATTACK = "<script>alert(1)</script>\x1b[31m\u202e"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    runs = tmp_path / "runs"
    log = EpisodeWriter(runs / FOLDER / "one.jsonl")
    log.write(ResetEntry("one", "starter-wine", "v1.1", "train", "medal@1", 7, text="Do it."))
    run = {"kind": "run", "code": f"print(1)  # {ATTACK}", "seconds": None}
    log.write(StepEntry(1, run, ATTACK, "failed", 0.25, validation="invalid", seconds=1.5))
    log.write(EndEntry("lost", 1, 0.25, blame="infrastructure", seconds=2.0))
    log.close()
    (runs / FOLDER / "ledger.jsonl").write_text("{}\n")
    (runs / FOLDER / "other.jsonl").write_text('{"a": 1}\n')
    (runs / "outside.jsonl").write_text("{}\n")
    return runs


def test_an_episode(runs: Path) -> None:
    reply = episode_reply(runs, ["one"])
    page = (reply.body or b"").decode()
    for text in ("starter-wine", "medal@1", "infrastructure", "Do it.", "0.250", "1.50 s"):
        assert text in page
    assert "<script" not in page and "&lt;script&gt;" in page
    assert "\x1b" not in page and "\u202e" not in page
    assert "script-src 'self'" in reply.headers["Content-Security-Policy"]


def test_the_list(runs: Path) -> None:
    page = (episode_reply(runs, []).body or b"").decode()
    assert 'href="/e/one"' in page and "ledger" not in page
    empty = (episode_reply(runs / "no", []).body or b"").decode()
    assert "There are no logs" in empty


@pytest.mark.parametrize("name", ["no", "../outside", "..", "a/b"])
def test_other_files_are_absent(runs: Path, name: str) -> None:
    with pytest.raises(Absent):
        episode_reply(runs, [name])


def test_a_file_of_another_kind(runs: Path) -> None:
    with pytest.raises(DataError, match="not the log of an episode"):
        episode_reply(runs, ["other"])


def test_a_link_is_not_followed(runs: Path) -> None:
    (runs / FOLDER / "link.jsonl").symlink_to(runs / FOLDER / "one.jsonl")
    with pytest.raises(Absent):
        episode_reply(runs, ["link"])


@pytest.mark.timing
@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_in_a_browser_on_a_phone(watched: Watched, runs: Path, theme: Any) -> None:
    """From the first page to a step: nothing runs, nothing is too wide, axe finds nothing."""
    page = watched.page
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": 390, "height": 844})
    with viewing(watched, runs.parent) as viewer:
        page.goto(f"{viewer.url}/e")
        assert not watched.axe()
        page.click("text=one")
        expect(page.locator("h1")).to_have_text("one")
        expect(page.locator("#step-1")).to_contain_text("<script>alert(1)</script>")
        expect(page.locator("#step-1")).to_contain_text("failed · submission invalid")
        assert fits(page)
        assert not watched.axe()
        page.click("text=episodes")
        expect(page).to_have_url(f"{viewer.url}/e")
