"""The mount plan: which host folders a sandbox shows, and which plans are refused."""

from __future__ import annotations

import functools
import os
import stat
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mlebench.errors import SandboxError
from mlebench.sandbox.base import Job, JobFolders, ResourceLimits

WRITABLE = ("submission", "logs", "code", "agent")
SYSTEM = ("/usr",)
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/ssl/certs", "/etc/alternatives")
LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
"""On most systems links into /usr."""

IN_IMAGES = ("/home/data", "/opt/agent", "/opt/packages", "/opt/program", "/run/sockets")
OWN_PACKAGE = Path(__file__).resolve().parent.parent
"""Our package, whose generators could recreate rehearsal answers."""


@dataclass(frozen=True)
class Mount:
    """One host path, and where the sandbox shows it."""

    source: Path
    target: str
    writable: bool = False
    inode: tuple[int, int] = (0, 0)
    is_folder: bool = True


def plan_mounts(job: Job) -> list[Mount]:
    """The mounts of a job.

    Raises:
        SandboxError: a folder is not safe to show.
    """
    folders = job.folders
    mounts = system_mounts(job.packages)
    if job.program is not None:
        mounts.append(_mount(job.program, "/opt/program"))
    mounts += [
        _mount(folders.public, "/home/data"),
        _mount(folders.package, "/opt/agent"),
        _mount(folders.sockets, "/run/sockets"),
    ]
    mounts += [_writable_mount(getattr(folders, name), f"/home/{name}") for name in WRITABLE]
    check_plan(mounts, secrets=job.secrets)
    return mounts


def system_mounts(packages: Path | None) -> list[Mount]:
    """The system's programs and libraries, the interpreter, and Python libraries."""
    folders = [path for path in LINKS if Path(path).is_dir() and not Path(path).is_symlink()]
    files = [path for path in SYSTEM_FILES if Path(path).exists()]
    mounts = [_mount(Path(path), path) for path in (*SYSTEM, *folders, *files)]
    mounts.append(_mount(Path(sys.base_prefix), "/opt/python"))
    if packages is not None:
        mounts.append(_mount(packages, "/opt/packages"))
    return mounts


def data_mounts(public: Path, packages: Path | None, secrets: Iterable[Path]) -> list[Mount]:
    """The mounts of a sandbox whose writable folders are in memory.

    Raises:
        SandboxError: a folder is not safe to show.
    """
    mounts = [*system_mounts(packages), _mount(public, "/home/data")]
    check_plan(mounts, secrets=secrets)
    return mounts


def image_mounts(job: Job) -> list[Mount]:
    """The mounts of a job whose interpreter and system libraries come from an image."""
    return [m for m in plan_mounts(job) if m.writable or m.target in IN_IMAGES]


def scratch_job(place: Path, command: Sequence[str], limits: ResourceLimits) -> Job:
    """A job with new empty folders in one place, for trials; the place's name is its id."""
    names = (*WRITABLE, "public", "package", "sockets")
    for name in names:
        (place / name).mkdir()
    return Job(
        run_id=place.name,
        command=command,
        folders=JobFolders(**{name: place / name for name in names}),
        limits=limits,
        instructions="",
        log=place / "log",
    )


def _mount(source: Path, target: str) -> Mount:
    """A read-only mount; links in its path are the operator's and are followed."""
    try:
        real = source.resolve(strict=True)
    except OSError as error:
        raise SandboxError(f"{source} cannot be mounted: {error.strerror}") from None
    found = real.stat()
    return Mount(real, target, False, (found.st_dev, found.st_ino), stat.S_ISDIR(found.st_mode))


def _writable_mount(source: Path, target: str) -> Mount:
    """A folder of the agent; a link in its place was made by an agent and is refused."""
    try:
        found = source.lstat()
    except OSError as error:
        raise SandboxError(f"{source} cannot be mounted: {error.strerror}") from None
    if not stat.S_ISDIR(found.st_mode):
        kind = "a symbolic link" if stat.S_ISLNK(found.st_mode) else "a special or plain file"
        raise SandboxError(f"{source} is not a folder but {kind}; not mounted")
    real = source.parent.resolve() / source.name
    return Mount(real, target, True, (found.st_dev, found.st_ino))


def check_plan(mounts: Sequence[Mount], secrets: Iterable[Path] = ()) -> None:
    """Refuse a plan that shows answers, other runs or our package, or has writable gaps."""
    hidden = [*(secret.resolve() for secret in secrets), OWN_PACKAGE]
    bound = _bound_sockets()
    for mount in mounts:
        for secret in hidden:
            _check_apart(mount, secret)
        if mount.target != "/run/sockets":
            _check_no_sockets(mount, bound)
    _check_nesting(mounts)


def _check_apart(mount: Mount, secret: Path) -> None:
    source = mount.source
    inside = _is_below(source, secret)
    around = _is_below(secret, source)
    if around and any(_is_below(secret, source / mask) for mask in masked_folders(mount)):
        return
    is_own_agent = secret == OWN_PACKAGE and source.parent == secret / "agents"
    # The agent's own folders are below the folder of the runs.
    if around or (inside and not mount.writable and not is_own_agent):
        raise SandboxError(
            f"{source}, which the agent would see at {mount.target}, overlaps {secret}, which no"
            " agent may see",
            hint="move one of the two folders",
        )


def masked_folders(mount: Mount) -> list[str]:
    """Installed packages of a mounted interpreter, which are hidden: agents bring their own."""
    if mount.target not in ("/opt/python", *SYSTEM):
        return []
    patterns = ("lib/python3*/*-packages", "local/lib/python3*/*-packages")
    found = (path for pattern in patterns for path in mount.source.glob(pattern))
    return sorted(os.path.relpath(path, mount.source) for path in found if path.is_dir())


def _check_nesting(mounts: Sequence[Mount]) -> None:
    """Refuse mounts below a writable folder and writable folders inside others."""
    writable = [mount for mount in mounts if mount.writable]
    for outer in writable:
        for other in mounts:
            if other is outer:
                continue
            if _is_below(other.target, outer.target):
                raise SandboxError(f"{other.target} is below the writable {outer.target}")
            if _is_below(other.source, outer.source):
                raise SandboxError(f"{other.source} is in {outer.source}, which agents can write")
            if _is_below(outer.source, other.source):
                raise SandboxError(f"{outer.source}, which agents can write, is in {other.source}")


def _is_below(path: Path | str, folder: Path | str) -> bool:
    """`is_relative_to` for hundreds of pairs in each run: ten times as fast, without parsing."""
    return f"{path}/".startswith(f"{folder}".rstrip("/") + "/")


def _check_no_sockets(mount: Mount, bound: Iterable[Path]) -> None:
    """Refuse sockets: they accept connections even through a read-only mount."""
    if mount.writable:
        return  # empty at the start, so that a socket in it is the agent's own
    if mount.target.startswith(("/home", "/opt/agent", "/opt/packages", "/opt/program")):
        found = _socket_below(mount.source, mount.inode)
    else:
        found = next((path for path in bound if _is_below(path, mount.source)), None)
    if found is not None:
        raise SandboxError(f"{found} is a socket in a folder that the agent would see")


@functools.cache
def _socket_below(folder: Path, inode: tuple[int, int]) -> Path | None:
    """Walked once per folder and process: public data can have millions of files."""
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            entries = os.scandir(waiting.pop())
        except OSError:
            continue
        with entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not entry.is_file(follow_symlinks=False) and stat.S_ISSOCK(
                    entry.stat(follow_symlinks=False).st_mode
                ):
                    return Path(entry.path)
    return None


def _bound_sockets() -> list[Path]:
    """File sockets that are open on this machine; faster than a walk over /usr.

    psutil's list names owners, too, and opens every process for it: 4 ms instead of 0.1 ms.
    """
    try:
        lines = Path("/proc/net/unix").read_text(errors="replace").splitlines()[1:]
    except OSError:
        return []
    paths = {fields[7] for line in lines if len(fields := line.split(maxsplit=7)) == 8}
    return [Path(path).resolve() for path in paths if path.startswith("/")]


@functools.cache
def system_links() -> tuple[tuple[str, str], ...]:
    """`/bin -> usr/bin` and the like, as on this machine."""
    targets = {link: Path(link).resolve() for link in LINKS if Path(link).is_symlink()}
    return tuple(
        (os.path.relpath(target, "/"), link)
        for link, target in targets.items()
        if target.is_relative_to("/usr")
    )
