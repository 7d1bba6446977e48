"""Source, docs and tests use the usual technical terms: see `docs/glossary.md`.

Each pattern is a word or phrase that was once used here for something with an established name. The
patterns match the odd sense only, as far as a pattern can.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("src", "docs", "tests", "benchmarks", "scripts", "images")
SUFFIXES = {".py", ".c", ".h", ".js", ".css", ".html", ".md", ".toml", ".sh"}

RETIRED = {
    r"(?i)\b(the|a|its|this|process) rooms?\b": "sandbox, container, or space",
    r"(?i)\b(the|a|its|this|no|two|both) doors?\b": "socket, endpoint or port",
    r"(?i)\bdrawers?\b": "row, record, or partition",
    r"(?i)\bstrangers?\b": "another user's process, or another run",
    r"(?i)\btwins?\b": "duplicate request, or reference implementation",
    r"(?i)\b(lays?|laid|laying) (it |them |the [\w' ]+ )?down\b": "release",
    r"(?i)\blies? (in|on|at|below|beside|beneath|there|here|inside|outside|where)\b": "is in",
    r"(?i)\b(lay|lain) (in|on|at|below|beside|there|here)\b": "was in",
    r"(?i)\bstands? (in|at|beside|below|there|alone|on)\b": "is in, contains",
    r"(?i)\bgives (the|a|an|its|back|their|each|one|no|none|all|every|back)\b": "returns",
    r"(?i)\b(words|something|anything|what) somebody\b": "say who",
    r"(?i)\bof what it (has|is|was)\b": "say what",
    r"(?i)\bwhoever\b": "anyone who, or say who",
    r"(?i)\bhands? (it|them|this|that|over|out)\b": "passes, serves",
    r"(?i)\bknocks? (at|on)\b": "connects to",
    r"(?i)\banew\b": "again",
}
"""Pattern → what to write instead."""

ALLOWED = {
    # Physics, medicine, hotels and games: the words of the competitions themselves.
    "src/mlebench/competitions/*/description*.md",
    "docs/catalogue.md",
    # This file names the words.
    "tests/test_words.py",
}


def files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", *FOLDERS, "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = [Path(name) for name in listed.stdout.splitlines()]
    return [
        path
        for path in found
        if path.suffix in SUFFIXES and not any(path.match(pattern) for pattern in ALLOWED)
    ]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs the list of files of a checkout")
def test_no_retired_words() -> None:
    patterns = [(re.compile(pattern), better) for pattern, better in RETIRED.items()]
    hits = []
    for path in files():
        text = (ROOT / path).read_text("utf-8")
        for pattern, better in patterns:
            for found in pattern.finditer(text):
                number = text.count("\n", 0, found.start()) + 1
                hits.append(f"{path}:{number}: {found[0]!r}; write: {better}")
    assert not hits, "\n".join(hits)
