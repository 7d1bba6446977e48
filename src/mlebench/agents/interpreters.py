"""Interpreters of this machine for programs that need another version of Python than ours."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.specifiers import SpecifierSet

from mlebench.errors import SandboxError

ASK = "import json, sys; print(json.dumps([sys.base_prefix, '%d.%d.%d' % sys.version_info[:3]]))"
NAME = re.compile(r"python3\.\d+")
LEFT_OUT = shutil.ignore_patterns(
    *"site-packages dist-packages test tests idlelib tkinter turtledemo config-*".split()
)


@dataclass(frozen=True)
class Interpreter:
    """A Python of this machine."""

    executable: Path
    prefix: Path
    version: str

    @property
    def short_version(self) -> str:
        return ".".join(self.version.split(".")[:2])


def find_interpreter(wanted: str) -> Interpreter:
    """The first interpreter of this machine with a wanted version, such as `==3.12.*`.

    Raises:
        SandboxError: there is none.
    """
    versions = SpecifierSet(wanted)
    for candidate in _candidates():
        found = _ask(candidate)
        if found and versions.contains(found.version, prereleases=True):
            return found
    raise SandboxError(
        f"it needs Python {wanted}, which is neither the running version nor on this machine",
        hint="install it, for example with uv python install 3.12, and try again",
    )


def copy_interpreter(found: Interpreter, goal: Path) -> None:
    """Copy an interpreter with only its standard library; the copy runs from any folder."""
    name = f"python{found.short_version}"
    (goal / "bin").mkdir(parents=True)
    real = found.prefix / "bin" / name
    shutil.copy2(real.resolve(), goal / "bin" / name)
    (goal / "bin" / "python3").symlink_to(name)
    shutil.copytree(
        found.prefix / "lib" / name, goal / "lib" / name, symlinks=False, ignore=LEFT_OUT
    )
    for library in (found.prefix / "lib").glob(f"libpython{found.short_version}*.so*"):
        shutil.copy2(library, goal / "lib" / library.name)


def _candidates() -> Iterator[Path]:
    """Programs called `python3.N` on the path and where version managers keep theirs."""
    home = Path.home()
    folders = [Path(place) for place in os.environ.get("PATH", "").split(os.pathsep) if place]
    pyenv = Path(os.environ.get("PYENV_ROOT") or home / ".pyenv")
    uv = Path(
        os.environ.get("UV_PYTHON_INSTALL_DIR") or home / ".local" / "share" / "uv" / "python"
    )
    managed = [*pyenv.glob("versions/*/bin"), *uv.glob("*/bin")]
    for folder in (*folders, *sorted(managed, reverse=True)):
        if folder.name == "shims":
            continue  # pyenv decides which version they start
        try:
            found = sorted(file for file in folder.iterdir() if NAME.fullmatch(file.name))
        except OSError:
            continue
        yield from found


def _ask(program: Path) -> Interpreter | None:
    try:
        done = subprocess.run(
            [program, "-I", "-c", ASK], capture_output=True, text=True, timeout=20, check=True
        )
        prefix, version = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return Interpreter(program, Path(prefix), version)
