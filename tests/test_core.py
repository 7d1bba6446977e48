"""The core installation stays small."""

from __future__ import annotations

import re
from pathlib import Path

LOCK = Path(__file__).parent.parent / "requirements" / "core.txt"
EXTRAS = {"torch", "tensorflow", "docker", "ray", "kaggle", "httpx", "litellm", "openai"}


def test_no_extra_is_in_the_core() -> None:
    names = set(re.findall(r"^([A-Za-z0-9_.-]+)==", LOCK.read_text("utf-8"), re.MULTILINE))
    assert "numpy" in names
    assert names & EXTRAS == set()
