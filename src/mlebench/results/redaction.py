"""Remove the home folder, the path of the runs and everything that looks like a key from texts."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from mlebench.records.reasons import without_host_paths, without_keys

# Control and direction characters could change how the text around them is displayed.
UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    """The text with escapes such as `\\u202e` for control and direction characters."""
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class Cleaner:
    """Redacts texts for a report that was made from these paths."""

    def __init__(self, places: Collection[Path | str], *, all_paths: bool = False) -> None:
        self.all_paths = all_paths
        known = {str(place) for place in places} | {str(Path(p).absolute()) for p in places}
        names = {place: Path(place).name for place in known if len(place) > 2}
        home = str(Path.home())
        if len(home) > 1:
            names.setdefault(home, "~")
        self._names = names
        # Longest first, so that a folder is matched before its parent.
        words = sorted(names, key=len, reverse=True)
        self._places = re.compile("|".join(map(re.escape, words)) or r"(?!)")

    def __call__(self, text: str) -> str:
        text = self._places.sub(lambda found: self._names[found[0]], text)
        text = without_keys(text)
        return without_host_paths(text) if self.all_paths else text
