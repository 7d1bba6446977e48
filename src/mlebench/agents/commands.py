"""Agents that are given as one command line."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator
from pathlib import Path

import tomli_w

from mlebench.agents.base import AgentPackage, load_agent
from mlebench.agents.environments import default_cache
from mlebench.agents.program_files import copy_files, program_files
from mlebench.errors import UsageError
from mlebench.system.files import atomic_folder

PLACES = {
    "data": "/home/data",
    "submission": "/home/submission/submission.csv",
    "code": "/home/code",
    "logs": "/home/logs",
}
LEFT_OUT = {"data", "runs"}
MAX_COMMAND_BYTES = 64 << 20


def command_agent(
    command: str, source: Path, cache: Path | None = None, *, excluded: tuple[Path, ...] = ()
) -> AgentPackage:
    """An agent that is one command line, with a copy of the folder it is called from.

    Args:
        command: may name `{data}`, `{submission}`, `{code}` and `{logs}`.
        excluded: folders that are not copied: the data and runs folders.
    """
    try:
        line = command.format(**PLACES)
    except (KeyError, ValueError, IndexError) as error:
        known = ", ".join(f"{{{place}}}" for place in PLACES)
        raise UsageError(
            f"the command {command!r} cannot be read ({error}); known: {known}"
        ) from None
    if not shlex.split(line):
        raise UsageError("the command is empty")
    files = list(own_files(source, excluded))
    digest = hashlib.sha256(line.encode())
    for file in files:
        digest.update(file.relative_to(source).as_posix().encode() + b"\0" + file.read_bytes())
    folder = (cache or default_cache().parent / "commands") / digest.hexdigest()[:16]
    if not (folder / "agent.toml").is_file():
        words = ["sh", "-c", f"cd /opt/agent && exec {line}"]
        text = tomli_w.dumps({"name": "command", "version": "0", "command": words})
        with atomic_folder(folder) as staging:
            copy_files(files, source, staging)
            (staging / "agent.toml").write_text(text, "utf-8")
    return load_agent(folder)


def own_files(source: Path, excluded: tuple[Path, ...] = ()) -> Iterator[Path]:
    """The files that a command may need: no hidden files, runs, data or environments."""
    left = MAX_COMMAND_BYTES
    for file in program_files(source, excluded):
        parts = file.relative_to(source).parts
        if LEFT_OUT.intersection(parts) or any(part.startswith(".") for part in parts):
            continue
        left -= file.stat().st_size
        if left < 0:
            raise UsageError(
                f"{source} contains more than {MAX_COMMAND_BYTES >> 20} MB, which is too much to"
                " copy; call the command from a folder with the program alone"
            )
        yield file
