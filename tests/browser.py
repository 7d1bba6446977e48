"""Chromium for tests of pages, and a page that notes what no page of ours may do."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]
PATIENCE = 60_000
# WCAG 2.2 AA, and what axe-core calls best practice.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
NODES = """() => {
  let count = 0;
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
  while (walker.nextNode()) count += 1;
  return count;
}"""


def expect(found: Any) -> Any:
    """Playwright's assertions, which wait; a busy machine gets its time."""
    from playwright.sync_api import expect as waiting

    waiting.set_options(timeout=PATIENCE)
    return waiting(found)


@dataclass
class Watched:
    """What a page did beside showing itself."""

    page: Any
    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    foreign_requests: list[str] = field(default_factory=list)
    """Requests to anything but loopback and the file itself."""

    def watch(self) -> None:
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._asked)
        self.page.on("dialog", self._opened)

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _asked(self, request: Any) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "file", "blob") and address.hostname != "127.0.0.1":
            self.foreign_requests.append(request.url)

    def _opened(self, dialog: Any) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def faults(self) -> list[str]:
        """Everything that must not have happened."""
        return self.errors + self.dialogs + self.foreign_requests

    def nodes(self) -> int:
        return int(self.page.evaluate(NODES))

    def axe(self, *rules: str) -> list[str]:
        """What axe-core has against the page; all that matters, or these rules."""
        from axe_playwright_python.sync_playwright import Axe

        self.page.wait_for_load_state()
        only = {"type": "rule", "values": rules} if rules else RULES
        options = {"runOnly": only, "resultTypes": ["violations"]}
        found = Axe().run(self.page, options=options).response["violations"]
        return [
            f"{rule['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
            for rule in found
            for node in rule["nodes"][:3]
        ]


def fits(page: Any) -> bool:
    """Whether a page does not scroll sideways; it has its style sheets only when it is loaded."""
    page.wait_for_load_state()
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


# One for each module: while Playwright lives, its loop would be in the way of other tests' own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium that resolves no name."""
    if CHROMIUM is None:
        pytest.skip("needs Debian's chromium")
    api = pytest.importorskip("playwright.sync_api", reason="needs the group of packages `test`")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def watched(browser: Any) -> Iterator[Watched]:
    """A fresh page; at the end it must have done nothing but show itself."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    found = Watched(context.new_page())
    found.watch()
    yield found
    context.close()
    assert not found.faults(), found.faults()
