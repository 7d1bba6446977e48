"""What this machine offers for running agents: optional packages, sandboxes, GPUs."""

from __future__ import annotations

import re
import shutil
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from mlebench.doctor.check import Check
from mlebench.errors import UNFIT_LIBRARIES, SandboxError
from mlebench.sandbox.bubblewrap import BubblewrapSandbox
from mlebench.sandbox.engines.bubblewrap_program import WANTED, bwrap_version, find_bwrap
from mlebench.sandbox.gpus import describe_gpus
from mlebench.sandbox.probe import probe
from mlebench.system.commands import run_command

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
    try:
        is_old = bwrap_version(find_bwrap()) < WANTED
    except SandboxError as error:
        is_installed = shutil.which("bwrap") is not None
        return Check("sandbox", "fail" if is_installed else "warn", str(error), error.hint)
    tried = BubblewrapSandbox().availability()
    if not tried.works:
        return _not_working("bubblewrap", tried.reason, NO_NAMESPACES)
    name = f"bubblewrap {tried.version}"
    try:
        probed = probe("bubblewrap")
    except SandboxError as error:
        return Check("sandbox", "fail", f"{name}: {error}", error.hint)
    if not probed.passed:
        return Check("sandbox", "fail", f"{name}: {probed.reason}", "do not run agents here")
    reason = f"{name} works; {probed.reason}"
    if is_old:
        reason += "; before 0.12 it follows links in writable folders (CVE-2026-87766)"
        return Check("sandbox", "warn", reason, "nothing is mounted there; update it if you can")
    return Check("sandbox", "ok", reason)


def docker_check() -> Check:
    """Does the engine answer, and can it start a local image?"""
    program = shutil.which("docker") or shutil.which("podman")
    if program is None:
        return Check("sandbox", "warn", "docker: not installed", "only needed for that sandbox")
    name = Path(program).name
    engine = run_command(program, "version", "--format", "{{.Server.Version}}")
    if engine.returncode:
        return _not_working(name, engine.stderr, "start it, or ask for access to its socket")
    found = _version_in(engine.stdout)
    images = run_command(program, "image", "ls", "--quiet").stdout.split()
    if not images:
        return Check("sandbox", "warn", f"{name} {found} answers, but has no image")
    options = "--rm --pull never --network none --entrypoint true"
    tried = run_command(program, "run", *options.split(), images[0])
    if tried.returncode:
        return _not_working(name, tried.stderr, f"see: {name} run --rm {images[0]} true")
    if name == "docker" and re.match(r"(1\d|2[0-4])\.", found):  # below 10 it is Podman
        reason = f"docker {found} works, but before 25 read-only mounts are not recursive"
        return Check("sandbox", "warn", reason, "update it if you can")
    return Check("sandbox", "ok", f"{name} {found} runs a program")


def apptainer_check() -> Check:
    """Is it installed, and does `true` run with this machine's root as the image?"""
    program = shutil.which("apptainer") or shutil.which("singularity")
    if program is None:
        return Check("sandbox", "warn", "apptainer: not installed", "only needed on clusters")
    name = Path(program).name
    found = _version_in(run_command(program, "--version").stdout)
    tried = run_command(program, "exec", "--containall", "--no-home", "/", "true")
    if tried.returncode:
        return _not_working(name, tried.stderr, NO_NAMESPACES)
    return Check("sandbox", "ok", f"{name} {found} runs a program")


def gpu_check() -> Check:
    """The NVIDIA GPUs that the driver reports."""
    try:
        found = describe_gpus()
    except SandboxError as error:
        return Check("gpu", "warn", str(error), "see: nvidia-smi")
    if not found:
        return Check("gpu", "warn", "no NVIDIA GPU found; agents will train on CPUs only")
    return Check("gpu", "ok", f"{len(found)}: {'; '.join(found)}")


def _not_working(name: str, said: str, remedy: str) -> Check:
    return Check("sandbox", "warn", f"{name}: a trivial run fails: {_first_line(said)}", remedy)


def _first_line(text: str) -> str:
    return next(iter(text.strip().splitlines()), "no reason given").strip()[:200]


def _version_in(text: str) -> str:
    found = re.search(r"\d+(\.\d+)+", text)
    return found[0] if found else "(unknown version)"
