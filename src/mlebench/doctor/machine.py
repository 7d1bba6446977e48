"""What this machine offers for running agents: optional packages, sandboxes, GPUs."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from mlebench.doctor.check import Check
from mlebench.errors import UNFIT_LIBRARIES

SECONDS = 20
NO_NAMESPACES = (
    "unprivileged user namespaces are forbidden here: set"
    " kernel.apparmor_restrict_unprivileged_userns=0 or kernel.unprivileged_userns_clone=1,"
    " or use docker or apptainer"
)


def machine_checks() -> list[Check]:
    """Checks of packages, sandboxes and GPUs; nothing is downloaded or stored."""
    return [
        *library_checks(),
        *package_checks(),
        bubblewrap_check(),
        docker_check(),
        apptainer_check(),
        gpu_check(),
    ]


def library_checks() -> list[Check]:
    """A check for each compiled library that does not load, such as pyarrow 26 with numpy 1."""
    checks = []
    for name in ("numpy", "pandas", "pyarrow", "scipy", "sklearn"):
        try:
            import_module(name)
        except ImportError as error:
            reason = f"{name} cannot be loaded: {_first_line(str(error))}"
            checks.append(Check("package", "fail", reason, UNFIT_LIBRARIES))
    return checks


def package_checks() -> list[Check]:
    """One check for each extra that the package declares."""
    extras: dict[str, list[str]] = {}
    for line in requires("mlebench") or []:
        found = re.match(r"""([A-Za-z0-9_.-]+).*;.*extra == ['"]([a-z-]+)['"]""", line)
        if found:
            extras.setdefault(found[2], []).append(found[1])
    return [_extra_check(extra, names) for extra, names in sorted(extras.items())]


def _extra_check(extra: str, names: list[str]) -> Check:
    found, missing = [], []
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        remedy = f"if you need it: pip install 'mlebench[{extra}]'"
        return Check("package", "warn", f"{extra}: {', '.join(missing)} not installed", remedy)
    return Check("package", "ok", f"{extra}: {', '.join(found)}")


def bubblewrap_check() -> Check:
    """Is it installed, not setuid and recent; does a sandbox start, and does it isolate?"""
    from mlebench.sandbox.bubblewrap import BubblewrapSandbox

    program = shutil.which("bwrap")
    if program is None:
        return Check("sandbox", "warn", "bubblewrap: not installed", "apt install bubblewrap")
    if Path(program).stat().st_mode & stat.S_ISUID:
        remedy = f"remove the bit: chmod u-s {program}"
        return Check("sandbox", "fail", f"bubblewrap: {program} is setuid and is not used", remedy)
    found = _version_in(_run(program, "--version").stdout)
    if found < (0, 8):
        return Check("sandbox", "fail", f"bubblewrap {_dotted(found)} is older than 0.8", "update")
    tried = BubblewrapSandbox(program).availability()
    if not tried.works:
        return _not_working("bubblewrap", tried.reason, NO_NAMESPACES)
    return _walls_check(found)


def _walls_check(found: tuple[int, ...]) -> Check:
    """Run the crawler inside and check that it finds no canary."""
    from mlebench.errors import SandboxError
    from mlebench.sandbox.probe import probe

    name = f"bubblewrap {_dotted(found)}"
    try:
        walls = probe("bubblewrap")
    except SandboxError as error:
        return Check("sandbox", "fail", f"{name}: {error}", error.hint)
    if not walls.passed:
        return Check("sandbox", "fail", f"{name}: {walls.reason}", "do not run agents here")
    reason = f"{name} works; {walls.reason}"
    if found < (0, 12):
        reason += "; before 0.12 it follows links in writable folders (CVE-2026-87766)"
        return Check("sandbox", "warn", reason, "nothing is mounted there; update it if you can")
    return Check("sandbox", "ok", reason)


def docker_check() -> Check:
    """Does the engine answer, and can it start a local image?"""
    program = shutil.which("docker") or shutil.which("podman")
    if program is None:
        return Check("sandbox", "warn", "docker: not installed", "only needed for that sandbox")
    name = Path(program).name
    engine = _run(program, "version", "--format", "{{.Server.Version}}")
    if engine.returncode:
        return _not_working(name, engine.stderr, "start it, or ask for access to its socket")
    found = _version_in(engine.stdout)
    images = _run(program, "image", "ls", "--quiet").stdout.split()
    if not images:
        return Check("sandbox", "warn", f"{name} {_dotted(found)} answers, but has no image")
    options = "--rm --pull never --network none --entrypoint true"
    tried = _run(program, "run", *options.split(), images[0])
    if tried.returncode:
        return _not_working(name, tried.stderr, f"see: {name} run --rm {images[0]} true")
    if name == "docker" and (10,) <= found < (25,):  # versions below 10 are Podman's
        reason = f"docker {_dotted(found)} works, but before 25 read-only mounts are not recursive"
        return Check("sandbox", "warn", reason, "update it if you can")
    return Check("sandbox", "ok", f"{name} {_dotted(found)} runs a program")


def apptainer_check() -> Check:
    """Is it installed, and does `true` run with this machine's root as the image?"""
    program = shutil.which("apptainer") or shutil.which("singularity")
    if program is None:
        return Check("sandbox", "warn", "apptainer: not installed", "only needed on clusters")
    name = Path(program).name
    found = _version_in(_run(program, "--version").stdout)
    tried = _run(program, "exec", "--containall", "--no-home", "/", "true")
    if tried.returncode:
        return _not_working(name, tried.stderr, NO_NAMESPACES)
    return Check("sandbox", "ok", f"{name} {_dotted(found)} runs a program")


def gpu_check() -> Check:
    """The NVIDIA GPUs that the driver reports."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return Check("gpu", "warn", "no NVIDIA driver found; agents will train on CPUs only")
    fields = "--query-gpu=name,memory.total,driver_version"
    asked = _run(program, fields, "--format=csv,noheader")
    lines = [line.strip() for line in asked.stdout.splitlines() if line.strip()]
    if asked.returncode or not lines:
        said = _first_line(asked.stderr or asked.stdout)
        return Check("gpu", "warn", f"nvidia-smi finds no GPU: {said}", "see: nvidia-smi")
    return Check("gpu", "ok", f"{len(lines)}: {'; '.join(lines)}")


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a short program; one that hangs or cannot start counts as failed."""
    try:
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            env={**os.environ, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        said = f"no answer within {SECONDS} s"
    except OSError as error:
        said = str(error)
    return subprocess.CompletedProcess(command, 1, "", said)


def _not_working(name: str, said: str, remedy: str) -> Check:
    return Check("sandbox", "warn", f"{name}: a trivial run fails: {_first_line(said)}", remedy)


def _first_line(text: str) -> str:
    return next(iter(text.strip().splitlines()), "no reason given").strip()[:200]


def _version_in(text: str) -> tuple[int, ...]:
    found = re.search(r"\d+(\.\d+)+", text)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def _dotted(found: tuple[int, ...]) -> str:
    return ".".join(map(str, found)) or "(unknown version)"
