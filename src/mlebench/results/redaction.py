"""Texts that leave the machine: no home folder, no place of the runs, no word like a key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

REMOVED = "[removed]"
KEYS = re.compile(
    r"(?:sk-(?:proj-|ant-|or-)?|gsk_|xai-|hf_|gh[pousr]_|github_pat_|glpat-|xox[abp]-|AIza|AKIA)"
    r"[A-Za-z0-9_\-]{12,}"
    r"|(?i:bearer|authorization:|api[_-]?key\s*[=:])\s*[\"']?[A-Za-z0-9_\-.]{16,}"
)
PATHS = re.compile(r"(?<![\w./])/(?:[\w.@+-]+/)+([\w.@+-]*)")


class Cleaner:
    """Cleans texts for a report made from these places."""

    def __init__(self, places: Iterable[Path | str], *, all_paths: bool = False) -> None:
        self.all_paths = all_paths
        folders = {str(Path(place).absolute()) for place in places}
        folders |= {str(place) for place in places if len(str(place)) > 2}
        # Longest first: a folder inside another goes before it.
        self._places = sorted((f for f in folders if f != "/"), key=len, reverse=True)
        self._home = str(Path.home())

    def __call__(self, text: str) -> str:
        for place in self._places:
            text = text.replace(place, Path(place).name)
        if len(self._home) > 1:
            text = text.replace(self._home, "~")
        text = KEYS.sub(REMOVED, text)
        return PATHS.sub(r"…/\1", text) if self.all_paths else text
