"""Compiling the kernels: plain C, loaded without Python's headers, so any C compiler will do.

The file's name contains a hash of the sources, so a library is never used with other sources.
This module needs nothing but the standard library: it runs before the package is installed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
COMPETITIONS = HERE.parent / "competitions"
FLAGS = ["-std=c11", "-O3", "-shared", "-fPIC"]
# Numbers must come out as numpy computes them: no fused operations, and wrapping integers.
FLAGS += ["-ffp-contract=off", "-fwrapv"]


def sources() -> list[Path]:
    """All files in C: those of this package, and those that serve one competition only."""
    return sorted([*HERE.glob("*.[ch]"), *COMPETITIONS.glob("*/*.[ch]")])


def file_name() -> str:
    """The library that these sources make."""
    digest = hashlib.sha256(" ".join(FLAGS).encode())
    for source in sources():
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return f"kernels-{digest.hexdigest()[:16]}.so"


def compiler() -> list[str] | None:
    """The command of a C compiler: $CC, the system's, or the one in the package `ziglang`."""
    if os.environ.get("CC"):
        return shlex.split(os.environ["CC"])
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    return None


def compile_into(folder: Path, *flags: str) -> Path:
    """Make the library in a folder, where it appears complete or not at all."""
    command = compiler()
    if command is None:
        raise FileNotFoundError("no C compiler was found; install gcc or clang, or name one in $CC")
    folder.mkdir(parents=True, exist_ok=True)
    files = [str(source) for source in sources() if source.suffix == ".c"]
    with tempfile.TemporaryDirectory(dir=folder, prefix=".kernels-") as scratch:
        part = Path(scratch) / file_name()
        words = [*command, *FLAGS, *flags, *files, "-lm", "-o", str(part)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise OSError(f"the kernels do not compile: {done.stderr.strip()[-2000:]}")
        return part.replace(folder / part.name)
