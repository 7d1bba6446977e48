"""The Python libraries of an agent, in a folder of their own.

If the running environment satisfies the agent's requirements, its files are linked, which takes a
second and no network. Otherwise the libraries are installed into the cache. Our own package is
never included: its rehearsal generators could reveal answers.
"""

from __future__ import annotations

import hashlib
import importlib.metadata as metadata
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import cache_from_source
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from mlebench.agents.base import AgentPackage
from mlebench.errors import SandboxError, UsageError
from mlebench.system.files import atomic_folder

NEVER = {"mlebench"}
COMPLETE = "# complete"
"""A line of a requirements file that lists everything: dependencies are not added to it."""


def default_cache() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir()) / "mle-bench" / "environments"


def packages_for(
    agent: AgentPackage, on_install: Callable[[str], None] = lambda message: None
) -> Path | None:
    """A folder to put on the agent's path; None if the agent requires no library.

    Args:
        on_install: called before and after an installation, which may take minutes.
    """
    if agent.requirements is None:
        return None
    wanted = read_requirements(agent.requirements)
    if not wanted:
        return None
    installed = closure(wanted)
    if installed is not None:
        key = sorted(f"{d.name}=={d.version}" for d in installed)
        return _make_once("compiled", key, lambda goal: link_distributions(installed, goal))
    key = agent.requirements.read_text("utf-8").splitlines()
    requirements = agent.requirements

    def make(goal: Path) -> None:
        start = time.monotonic()
        names = ", ".join(requirement.name for requirement in wanted[:5])
        on_install(f"installing {len(wanted)} libraries for {agent.name} ({names} …), only once")
        install(requirements, goal)
        on_install(f"installed in {time.monotonic() - start:.0f} s")

    return _make_once("installed", key, make)


def read_requirements(file: Path) -> list[Requirement]:
    """The requirements whose markers match this Python."""
    found = []
    for line in file.read_text("utf-8").splitlines():
        text = line.split(" #", 1)[0].strip()
        if not text or text.startswith(("#", "-")):
            continue
        try:
            requirement = Requirement(text)
        except InvalidRequirement as error:
            raise UsageError(f"{text!r} in {file} is not a requirement: {error}") from None
        if requirement.marker is None or requirement.marker.evaluate():
            found.append(requirement)
    return found


def closure(wanted: list[Requirement]) -> list[metadata.Distribution] | None:
    """The installed distributions that satisfy all requirements; None if one is missing."""
    found: dict[str, metadata.Distribution] = {}
    todo = list(wanted)
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        try:
            distribution = found.get(name) or metadata.distribution(name)
        except metadata.PackageNotFoundError:
            return None
        if not requirement.specifier.contains(distribution.version, prereleases=True):
            return None
        if name in found or name in NEVER:
            continue
        found[name] = distribution
        todo += list(_needs(distribution, requirement.extras))
    return list(found.values())


def _needs(distribution: metadata.Distribution, extras: set[str]) -> Iterator[Requirement]:
    for text in distribution.requires or ():
        needed = Requirement(text)
        if needed.marker is None or any(
            needed.marker.evaluate({"extra": extra}) for extra in (*extras, "")
        ):
            yield needed


def link_distributions(distributions: list[metadata.Distribution], goal: Path) -> None:
    """Hard-link all files of the distributions, with their compiled files where they exist."""
    for distribution in distributions:
        for file in distribution.files or ():
            source = Path(str(distribution.locate_file(file)))
            if ".." in file.parts or "__pycache__" in file.parts or not source.is_file():
                continue
            link_file(source, goal / file)
            # In the sandbox the folder is read-only, so Python cannot store compiled files there.
            if source.suffix == ".py":
                compiled = Path(cache_from_source(str(source)))
                if compiled.is_file():
                    link_file(compiled, goal / file.parent / "__pycache__" / compiled.name)


def link_file(source: Path, target: Path) -> None:
    """Hard-link a file, or copy it to another disk; an existing target stays."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except FileExistsError:
        return
    except OSError:
        # With its time, by which Python checks whether the compiled file belongs to the source.
        shutil.copy2(source, target)


def install(requirements: Path, goal: Path) -> None:
    """Install the libraries of an agent."""
    is_complete = COMPLETE in requirements.read_text("utf-8").splitlines()
    words = install_command(
        sys.executable, requirements, goal, *(["--no-deps"] if is_complete else [])
    )
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        tail = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise SandboxError(f"the libraries in {requirements} cannot be installed: {tail[0]}")


def install_command(python: str, requirements: Path, goal: Path, *options: str) -> list[str]:
    """The command that installs libraries for an interpreter: with uv if possible, else pip."""
    words = [sys.executable, "-m", "pip", "--python", python, "install"]
    words.append("--disable-pip-version-check")
    if uv := shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"):
        words = [uv, "pip", "install", "--compile-bytecode", "--python", python]
    return [*words, "--quiet", *options, "--target", str(goal), "-r", str(requirements)]


def _make_once(kind: str, key: list[str], make: Callable[[Path], None]) -> Path:
    """The folder for a key, which is made if it does not exist yet."""
    digest = hashlib.sha256("\n".join([sys.version, *key]).encode()).hexdigest()[:16]
    goal = default_cache() / f"{kind}-{digest}"
    if goal.is_dir():
        return goal
    with atomic_folder(goal) as staging:
        make(staging)
    return goal
