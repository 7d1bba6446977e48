"""Take the screenshots of the guide: docs/images/*.png, in Debian's Chromium.

The viewer's pictures show made-up runs, the report's the demonstration on starter competitions.

    python scripts/make_screenshots.py
"""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from PIL import Image
from tests.browser import CHROMIUM, FLAGS
from tests.results.made_runs import make_group
from tests.viewer.running import running_viewer

from mlebench.catalogue import Catalogue

IMAGES = Path(__file__).parent.parent / "docs" / "images"
VIEWER = {"width": 1440, "height": 900}
REPORT = {"width": 1000, "height": 1760}
OUTCOMES = ("gold", "silver", "below", "bronze", "above", "invalid", "silver", "below", "failed")


def save(page: Any, name: str) -> None:
    """What is on the screen, in few colours."""
    picture = Image.open(io.BytesIO(page.screenshot()))
    picture.convert("RGB").quantize(64).save(IMAGES / name, optimize=True)


def take_viewer(page: Any, folder: Path) -> None:
    group = make_group(
        folder / "runs", "react", Catalogue().get_split("all"), seeds=3, outcomes=OUTCOMES, steps=60
    )
    page.set_viewport_size(VIEWER)
    with running_viewer(folder / "runs", folder / "cache") as viewer:
        viewer.sign_in(page)
        page.goto(f"{viewer.url}/g/{group.path.name}")
        page.wait_for_selector("figure svg")
        save(page, "viewer_group.png")
        runs = viewer.get("/api/index")["runs"]
        page.goto(f"{viewer.url}/g/{group.path.name}/r/{runs['key'][runs['outcome'].index('S')]}")
        page.wait_for_selector(".step")
        save(page, "viewer_run.png")
        page.goto("about:blank")


def take_report(page: Any, folder: Path) -> None:
    words = [sys.executable, "-m", "mlebench", "demo", "--dir", str(folder / "demo")]
    subprocess.run(words, check=True)
    page.set_viewport_size(REPORT)
    page.goto((folder / "demo" / "report.html").as_uri())
    save(page, "report.png")


def main() -> None:
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        take_viewer(page, Path(name))
        take_report(page, Path(name))
        browser.close()


if __name__ == "__main__":
    main()
