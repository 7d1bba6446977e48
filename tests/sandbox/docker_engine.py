"""Engines of our own for tests, started by hand, with an image made of host files."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

DEFAULT_IMAGE = "mlebench-agent:latest"
IMAGE = "mlebench-test:latest"
PASSWD = b"agent:x:1000:1000::/home/agent:/bin/sh\n"
LIBRARIES = ("libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libdl.so.2", "libpthread.so.0")
"""That programs need which are mounted or added in layers."""

PROGRAMS = (
    "sh",
    "bash",
    "cp",
    "cat",
    "ls",
    "sleep",
    "id",
    "env",
    "chmod",
    "ln",
    "mkdir",
    "rm",
    "dd",
    "true",
)

FOLDERS = "usr usr/bin usr/lib usr/lib64 usr/lib/x86_64-linux-gnu tmp home run opt proc dev sys etc"


class NoEngine(Exception):
    """Why no engine can run here."""


@contextmanager
def engine(folder: Path) -> Iterator[str]:
    """The address of a running engine that has the test image."""
    program = shutil.which("dockerd")
    if program is None:
        raise NoEngine("dockerd is not installed")
    if os.geteuid() != 0:
        raise NoEngine("starting an engine needs root")
    address = f"unix://{folder}/docker.sock"
    words = [program, "--iptables=false", "--ip6tables=false", "--bridge=none"]
    words += ["--storage-driver=vfs", "-H", address, "--data-root", f"{folder}/root"]
    words += ["--exec-root", f"{folder}/exec", "--pidfile", f"{folder}/pid"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log)
    try:
        client = ["docker", "-H", address]
        _wait([*client, "version"], process, folder / "log")
        _load(client, folder)
        yield address
    finally:
        _end(process)


@contextmanager
def podman() -> Iterator[str]:
    """The address of a running Podman service that has the test image."""
    program = shutil.which("podman")
    if program is None:
        raise NoEngine("podman is not installed")
    if os.geteuid() != 0:
        raise NoEngine("starting an engine needs root")
    # Podman takes no longer path than 50 characters.
    with TemporaryDirectory(prefix="podman-", dir="/tmp") as place:
        yield from _podman(program, Path(place))


def _podman(program: str, folder: Path) -> Iterator[str]:
    # Podman 4 asks for more open files than a root without CAP_SYS_RESOURCE may give; its locks
    # would be shared with every other Podman of this machine.
    settings = (
        '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\n'
        '[engine]\nlock_type = "file"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n'
    )
    (folder / "containers.conf").write_text(settings)
    environment = {**os.environ, "CONTAINERS_CONF": str(folder / "containers.conf")}
    address = f"unix://{folder}/podman.sock"
    words = [program, "--storage-driver", "vfs", "--tmpdir", f"{folder}/tmp"]
    words += ["--root", f"{folder}/root", "--runroot", f"{folder}/run"]
    words += ["system", "service", "--time", "0", address]
    with (folder / "log").open("wb") as log:
        # Podman's monitors leave notes where the service was started.
        process = subprocess.Popen(words, stdout=log, stderr=log, env=environment, cwd=folder)
    client = [program, "--url", address]
    try:
        _wait([*client, "version"], process, folder / "log")
        _load(client, folder)
        trial = [*client, "run", "--rm", "--network", "none", IMAGE, "true"]
        tried = subprocess.run(trial, capture_output=True, text=True)
        if tried.returncode:
            raise NoEngine(f"no container starts: {tried.stderr[-300:]}")
        yield address
        subprocess.run([*client, "rm", "--all", "--force", "--time", "0"], check=True)
    finally:
        _end(process)


def _wait(question: list[str], process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(150):
        if subprocess.run(question, capture_output=True).returncode == 0:
            return
        if process.poll() is not None:
            break
        time.sleep(0.2)
    raise NoEngine(f"it did not start: {log.read_text(errors='replace')[-300:]}")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _load(client: list[str], folder: Path) -> None:
    """The image, under a name for tests and under the one that is used if none is named."""
    for words in (["import", _archive(folder), IMAGE], ["tag", IMAGE, DEFAULT_IMAGE]):
        subprocess.run([*client, *words], check=True, capture_output=True)


def _archive(folder: Path) -> str:
    """Python and a few programs of this machine, with the libraries they need."""
    python = next(
        (p for p in ("/usr/bin/python3.11", "/usr/bin/python3") if Path(p).exists()), None
    )
    if python is None:
        raise NoEngine("there is no system Python to make an image of")
    found = {"usr/bin/python3": Path(python).resolve()}
    for name in PROGRAMS:
        path = shutil.which(name, path="/usr/bin:/bin")
        if path:
            found[f"usr/bin/{name}"] = Path(path).resolve()
    archive = folder / "image.tar"
    with tarfile.open(archive, "w") as tar:
        for name in FOLDERS.split():
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if name == "tmp" else 0o755
            tar.addfile(entry)
        # As the recipe of the image does: Node wants to know its user.
        entry = tarfile.TarInfo("etc/passwd")
        entry.size = len(PASSWD)
        tar.addfile(entry, io.BytesIO(PASSWD))
        for target, source in found.items():
            tar.add(source, target)
        words = [python, "-c", "import os, _ctypes; print(os.__file__, _ctypes.__file__)"]
        home, extension = map(Path, subprocess.check_output(words, text=True).split())
        programs = [*found.values(), extension]
        needed = {lib for program in programs for lib in _libraries(program)}
        system = Path("/usr/lib/x86_64-linux-gnu")
        needed |= {str(system / name) for name in LIBRARIES if (system / name).exists()}
        for library in sorted(needed):
            tar.add(Path(library).resolve(), library.lstrip("/"))
        tar.add(home.parent, str(home.parent).lstrip("/"), filter=_without_caches)
        for name in ("bin", "lib", "lib64"):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, f"usr/{name}"
            tar.addfile(link)
    return str(archive)


def _libraries(program: Path) -> list[str]:
    listed = subprocess.run(["ldd", str(program)], capture_output=True, text=True).stdout
    paths = [word for line in listed.splitlines() for word in line.split() if word.startswith("/")]
    # The merged /usr: /lib/x and /usr/lib/x are one place.
    return [path if path.startswith("/usr") else f"/usr{path}" for path in paths]


def _without_caches(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    skipped = ("__pycache__", "/test/", "/idlelib", "/lib2to3", "dist-packages", "site-packages")
    return None if any(part in entry.name for part in skipped) else entry
