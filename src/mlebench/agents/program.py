"""The `[program]` table of `agent.toml`: which published program an agent starts, and how.

    [program]
    kind = "npm"                      or "pypi"
    package = "@maker/program"
    protocol = "chat"                 which of the gateway's protocols it speaks
    command = ["{program}/…", "{prompt}"]

Beside it is `package-lock.json` or `locked.txt`: everything that is installed, with its checksums.
`installing.py` installs it; `coding/run.py` starts it inside the sandbox.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from mlebench.errors import UsageError

KINDS = ("npm", "pypi")
PROTOCOLS = ("chat", "responses", "messages", "gemini")
LOCKS = {"npm": "package-lock.json", "pypi": "locked.txt"}
KeyTypes = Mapping[str, type | tuple[type, ...]]
"""The type or types of the value of each key."""

KEYS: KeyTypes = {
    "kind": str,
    "package": str,
    "protocol": str,
    "command": list,
    "needs_node": bool,
    "python": str,
    "speaks_mcp": bool,
    "note": str,
    "environment": dict,
    "files": list,
}
NEEDED = ("kind", "package", "protocol", "command")


@dataclass(frozen=True)
class AgentProgram:
    """A program from a package index that an agent package starts."""

    kind: str
    package: str
    protocol: str
    lock: Path
    """The file that pins everything that is installed, by version and checksum."""

    needs_node: bool = False
    python: str = ""
    """The versions of Python that it runs with; empty for all that mlebench supports."""

    speaks_mcp: bool = False


def read_program(facts: Mapping[str, Any], file: Path) -> AgentProgram:
    """Check the table `[program]` of an `agent.toml`.

    Raises:
        UsageError: a key is unknown, missing or wrong, or there is no lock file.
    """
    check_keys(facts, KEYS, f"[program] of {file}")
    for key in NEEDED:
        if not facts.get(key):
            raise UsageError(f"[program] in {file} has no {key}")
    for key, known in (("kind", KINDS), ("protocol", PROTOCOLS)):
        if facts[key] not in known:
            raise UsageError(f"{key} = {facts[key]!r} in {file}; expected {' or '.join(known)}")
    try:
        SpecifierSet(facts.get("python", ""))
    except InvalidSpecifier:
        raise UsageError(f"python = {facts['python']!r} in {file}; expected >=3.12") from None
    lock = file.parent / LOCKS[facts["kind"]]
    if not lock.is_file():
        raise UsageError(f"{file} has a [program] but no {lock.name} beside it")
    used = facts.keys() & {field.name for field in fields(AgentProgram)}
    return AgentProgram(lock=lock, **{key: facts[key] for key in used})


def check_keys(facts: Mapping[str, Any], known: KeyTypes, place: str | Path) -> None:
    """Raise `UsageError` for a key that is unknown or whose value has the wrong type."""
    for key, value in facts.items():
        if key not in known:
            names = ", ".join(sorted(known))
            raise UsageError(f"{place} has the unknown key {key!r}; expected {names}")
        kind = known[key]
        if not isinstance(value, kind):
            kinds = kind if isinstance(kind, tuple) else (kind,)
            expected = " or ".join(kind.__name__ for kind in kinds)
            raise UsageError(f"{key!r} in {place} is {value!r}, expected {expected}")
