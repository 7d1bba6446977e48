"""`docs/security.md` names an existing test, or a reason, for each threat."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "security.md"
COUNTS = dict(S=17, D=9, H=10, A=13, Z=11, C=12, V=6, G=13, P=7, F=8, R=7, W=7)


def test_every_threat_has_a_test_that_exists() -> None:
    rows = re.findall(r"^\| ([A-Z]\d\d) \| .+? \| (.+) \|$", PAGE.read_text(), re.M)
    assert [name for name, _ in rows] == [
        f"{letter}{number:02}" for letter, count in COUNTS.items() for number in range(1, count + 1)
    ]
    for name, text in rows:
        named = re.findall(r"`(\S+?\.py)(?:::(\w+))?`", text)
        assert named, name
        for file, test in named:
            assert f"def {test}" in (TESTS / file).read_text(), f"{name}: {file} has no {test}"
