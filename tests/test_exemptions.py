"""Every exemption from lint or types in the package says why it exists."""

from __future__ import annotations

import re
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"
EXEMPTION = re.compile(r"#\s*(?:noqa\b:?[ A-Z0-9,]*|type:\s*ignore(?:\[[\w, -]*\])?)(.*)")


def test_exemptions_are_explained() -> None:
    """By words after the code, or by a comment on the line above."""
    bare = []
    for path in sorted(SOURCE.rglob("*.py")):
        lines = path.read_text("utf-8").splitlines()
        for number, line in enumerate(lines):
            found = EXEMPTION.search(line)
            above = lines[number - 1].strip() if number else ""
            if found and not found[1].strip() and not above.startswith("#"):
                bare.append(f"{path.relative_to(SOURCE)}:{number + 1}: {found[0]}")
    assert bare == []
