"""Contest: what the stand-in knows about one competition."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

LONGEST_PAGE = 50
"""The most rows of a leaderboard page, however many are requested."""


@lru_cache(maxsize=4)
def md5_of(data: bytes) -> bytes:
    return hashlib.md5(data).digest()


@dataclass
class Contest:
    """A competition as the server shows it; every field may be changed while the server runs."""

    id: str
    archive: bytes = b""
    """What is served as the archive, also when a test has altered or shortened it."""

    scores: list[str] = field(default_factory=list)
    """The private leaderboard, best first, as text."""

    pages: dict[str, str] = field(default_factory=dict)
    """Competition pages by name: description, evaluation, data-description, rules …"""

    kernels: dict[str, tuple[str, str] | None] = field(default_factory=dict)
    """Public kernels by `owner/slug`: `notebook` or `script`, and the source; None is refused."""

    rules_accepted: bool = True
    team_count: int | None = None
    """What the competition's record claims; as many as there are scores where nothing is said."""

    content_type: str = "application/zip"
    has_ranges: bool = True
    has_md5: bool = True
    """Whether the storage sends its own MD5 (`x-goog-hash`)."""

    @property
    def storage_headers(self) -> dict[str, str]:
        etag = f'"{md5_of(self.archive).hex()}"'
        headers = {"Content-Type": self.content_type, "ETag": etag}
        if self.has_ranges:
            headers["Accept-Ranges"] = "bytes"
        if self.has_md5:
            headers["x-goog-hash"] = f"md5={base64.b64encode(md5_of(self.archive)).decode()}"
        return headers

    def alter(self, offset: int) -> None:
        """Flip the bits of one byte of the archive."""
        changed = bytearray(self.archive)
        changed[offset] ^= 0xFF
        self.archive = bytes(changed)

    def truncate(self, size: int) -> None:
        """Serve the beginning of the archive as if it were all of it."""
        self.archive = self.archive[:size]

    def record(self) -> dict[str, Any]:
        """The competition's record in the API."""
        teams = len(self.scores) if self.team_count is None else self.team_count
        return {
            "id": 1,
            "ref": f"https://www.kaggle.com/competitions/{self.id}",
            "title": self.id,
            "teamCount": teams,
            "userHasEntered": self.rules_accepted,
        }

    def leaderboard_page(self, start: int, size: int) -> dict[str, Any]:
        """Rows from `start` on, and the token of the next page."""
        end = start + min(size, LONGEST_PAGE)
        rows = [
            {"teamId": 1000 + k, "teamName": f"team {k}", "score": self.scores[k]}
            for k in range(start, min(end, len(self.scores)))
        ]
        more = {"nextPageToken": f"row-{end}"} if end < len(self.scores) else {}
        return {"submissions": rows, **more}
