"""Why something failed, in words that may leave this machine."""

from __future__ import annotations

import re

# The folders that an agent sees; every other absolute path is one of the host.
IN_SANDBOX = re.compile(
    r"/home/(?:data|submission|agent|code|logs|instructions\w*\.txt|\w*\.sh)(?![\w-])"
)
QUOTED = re.compile(r"""(?<=(['"`]))/[^'"`\n]*(?=\1)""")
PATHS = re.compile(r"(?<![\w./…~])/(?:[\w.@+~-]+/)*[\w.@+~-]+/?")


def without_host_paths(text: str) -> str:
    """The text with `…/name` for every absolute path outside the sandbox."""
    return PATHS.sub(_name, QUOTED.sub(_name, text))


def _name(found: re.Match[str]) -> str:
    path = found[0]
    return path if IN_SANDBOX.match(path) else f"…/{path.rstrip('/').rpartition('/')[2]}"
