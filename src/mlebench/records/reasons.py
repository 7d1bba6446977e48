"""Why something failed, in words that may leave this machine."""

from __future__ import annotations

import re

# The folders that an agent sees; every other absolute path is one of the host.
IN_SANDBOX = re.compile(
    r"/home/(?:data|submission|agent|code|logs|instructions\w*\.txt|\w*\.sh)(?![\w-])"
)
QUOTED = re.compile(r"""(?<=(['"`]))/[^'"`\n]*(?=\1)""")
PATHS = re.compile(r"(?<![\w./…~])/(?:[\w.@+~-]+/)*[\w.@+~-]+/?")


REMOVED = "[removed]"
KEYS = re.compile(
    r"(?:sk-(?:proj-|ant-|or-)?|gsk_|xai-|hf_|gh[pousr]_|github_pat_|glpat-|xox[abp]-|AIza|AKIA)"
    r"[A-Za-z0-9_\-]{12,}"
    r"|(?i:bearer|authorization:|api[_-]?key[\"']?\s*[=:])\s*[\"']?[A-Za-z0-9_\-.]{16,}"
)


def without_keys(text: str) -> str:
    """The text without anything that looks like a key of a provider."""
    return KEYS.sub(REMOVED, text)


def without_host_paths(text: str) -> str:
    """The text with `…/name` for every absolute path outside the sandbox."""
    return PATHS.sub(_name, QUOTED.sub(_name, text))


def _name(found: re.Match[str]) -> str:
    path = found[0]
    return path if IN_SANDBOX.match(path) else f"…/{path.rstrip('/').rpartition('/')[2]}"
