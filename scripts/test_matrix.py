"""Run the golden and drop-in tests in environments other than the one we develop in.

python scripts/test_matrix.py [--list] [--jobs N] [NAME ...]

Versions of Python, pandas and numpy are environments that uv builds around one wheel. Conditions
(a plain user, no compiler, no /dev/shm, read-only packages, the C locale) are ways to start the
tests in one such environment. What this machine cannot do is skipped with a sentence.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTED = (
    "competitions/test_goldens.py",
    "drop_in",
    "grading/test_column_types.py",
    "tables/test_reading.py",
)
TOOLS = ("hypothesis", "pytest", "pytest-rerunfailures", "pytest-timeout", "pytest-xdist")
COMPILERS = re.compile(r"(.*-)?(cc|c89|c99|gcc|g\+\+|c\+\+|clang|clang\+\+|tcc|zig)(-[\d.]+)?")
NOBODY = 65534
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


class CannotRun(Exception):
    """This machine lacks what an environment needs; the text says what."""


@dataclass(frozen=True)
class Environment:
    """Versions as uv understands them, and how the tests are started."""

    name: str
    python: str
    versions: tuple[str, ...]
    condition: str = "as it is"


def _versions(python: str, pandas: str, numpy: str) -> Environment:
    name = f"python{python}-pandas{pandas}-{f'numpy{numpy}' if numpy else 'newest'}"
    wanted = [f"pandas=={pandas}.*", f"numpy=={numpy}.*" if numpy else "numpy"]
    if numpy == "1.26":
        # From 26 on, pyarrow stops with numpy 1, and its metadata do not say so.
        wanted.append("pyarrow<26")
    return Environment(name, python, tuple(wanted))


MATRIX = [
    _versions("3.11", "2.2", "1.26"),
    _versions("3.11", "3.0", ""),
    _versions("3.11", "2.3", "2.0"),
    _versions("3.12", "2.2", "2.2"),
    _versions("3.12", "3.0", "1.26"),
    _versions("3.13", "2.3", "2.1"),
    _versions("3.13", "3.0", ""),
    _versions("3.13", "3.1", ""),
    *(
        Environment(name, "3.11", (), condition)
        for name, condition in (
            ("plain-user", "plain user"),
            ("no-compiler", "no compiler"),
            ("no-dev-shm", "no /dev/shm"),
            ("read-only", "read-only packages"),
            ("c-locale", "LC_ALL=C"),
        )
    ),
]


@dataclass
class Start:
    """How a program is started: words before its command, and its environment."""

    before: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=lambda: dict(os.environ))


@dataclass(frozen=True)
class Row:
    """What came out for one environment."""

    name: str
    versions: str
    verdict: str
    counts: str
    seconds: float


class Workshop:
    """A world-readable folder with the tests, the wheel and one virtual environment per row."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.folder = folder
        self.jobs = jobs
        self.checkout = folder / "checkout"
        self.checkout.mkdir()
        for name in ("src", "tests", "docs", "requirements"):
            ignored = shutil.ignore_patterns("__pycache__", "kernels-*", ".hypothesis")
            shutil.copytree(ROOT / name, self.checkout / name, ignore=ignored)
        for name in ("pyproject.toml", "README.md", "LICENSE", "hatch_build.py"):
            shutil.copy(ROOT / name, self.checkout / name)
        self.wheel = self.build_wheel("wheel", os.environ)
        # An editable or uninstalled copy must not hide the wheel.
        shutil.rmtree(self.checkout / "src")

    def build_wheel(self, name: str, variables: Mapping[str, str]) -> Path:
        folder = self.folder / name
        _call([uv(), "build", "--quiet", "--wheel", "-o", folder, self.checkout], variables)
        return next(folder.glob("*.whl"))

    def make(self, environment: Environment) -> Path:
        """The interpreter of a new virtual environment with the wheel and these versions."""
        home = self.folder / environment.name
        interpreter = find_interpreter(environment.python)
        _call([uv(), "venv", "--quiet", "--python", interpreter, home / "venv"])
        python = home / "venv/bin/python"
        wheel = self.wheel
        if environment.condition == "no compiler":
            wheel = self._wheel_without_compiler(home)
        packages = [f"mlebench[kaggle] @ file://{wheel}", *environment.versions, *TOOLS]
        install = [uv(), "pip", "install", "--quiet", "--only-binary", ":all:"]
        _call([*install, "--python", str(python), *packages])
        return python

    def _wheel_without_compiler(self, home: Path) -> Path:
        """Built as pip builds it on a machine that has none."""
        shutil.copytree(
            ROOT / "src", self.checkout / "src", ignore=shutil.ignore_patterns("kernels-*")
        )
        try:
            return self.build_wheel(f"{home.name}/wheel", without_compiler(home).variables)
        finally:
            shutil.rmtree(self.checkout / "src")

    def test(self, environment: Environment) -> Row:
        began = time.monotonic()
        log = self.folder / environment.name / "log.txt"
        versions, verdict, counts = "", "skipped", ""
        try:
            python = self.make(environment)
            versions = _call([python, "-c", VERSIONS]).strip()
            status, counts = self._run(environment, python, log)
            verdict = "ok" if status == 0 else f"failed: {log}"
        except CannotRun as error:
            counts = str(error)
        return Row(environment.name, versions, verdict, counts, time.monotonic() - began)

    def _run(self, environment: Environment, python: Path, log: Path) -> tuple[int, str]:
        start = CONDITIONS[environment.condition](log.parent)
        scratch = log.parent / "scratch"
        scratch.mkdir(mode=0o777)
        scratch.chmod(0o777)
        for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME"):
            start.variables[name] = str(scratch)
        start.variables |= {"PYTHONDONTWRITEBYTECODE": "1"}
        for name in ("PYTHONPATH", "PYTEST_DEBUG_TEMPROOT"):
            start.variables.pop(name, None)
        tests = self.checkout / "tests"
        files = [str(tests / name) for name in TESTED]
        words = [*start.before, str(python), "-m", "pytest", "-n", str(self.jobs)]
        words += ["-p", "no:cacheprovider", "-rfE", "-m", "not long", *files]
        with log.open("w") as output:
            done = subprocess.run(
                words,
                cwd=self.checkout,
                env=start.variables,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
            )
        return done.returncode, _counts(log.read_text("utf-8", "replace"))


VERSIONS = (
    "import sys, pandas, numpy, mlebench;"
    "assert 'site-packages' in mlebench.__file__, mlebench.__file__;"
    "print('Python', sys.version.split()[0] + ', pandas', pandas.__version__ + ', numpy',"
    " numpy.__version__)"
)


def uv() -> str:
    beside = Path(sys.executable).parent / "uv"
    found = str(beside) if beside.is_file() else shutil.which("uv")
    if found is None:
        raise CannotRun("uv is not installed; install requirements/dev.txt")
    return found


def find_interpreter(version: str) -> str:
    """An interpreter that every user may start, if there is one; pyenv's are looked at, too."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [Path(f"/usr/bin/python{version}"), Path(f"/usr/local/bin/python{version}")]
    candidates += sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"))
    for candidate in candidates:
        if candidate.is_file():
            return str(candidate)
    done = subprocess.run(
        [uv(), "python", "find", version], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CannotRun(f"no interpreter of Python {version} was found")
    return done.stdout.strip()


def as_it_is(home: Path) -> Start:
    return Start()


def plain_user(home: Path) -> Start:
    if os.getuid():
        return Start()
    if not shutil.which("setpriv"):
        raise CannotRun("setpriv (util-linux) is needed to become another user")
    ids = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs"]
    start = Start(["setpriv", *ids])
    probe = subprocess.run([*start.before, home / "venv/bin/python", "-c", ""], check=False)
    if probe.returncode:
        raise CannotRun("no interpreter that a plain user may start was found")
    return start


def without_compiler(home: Path) -> Start:
    """Every program on the path but compilers."""
    folder = home / "bin"
    if not folder.is_dir():
        folder.mkdir(parents=True)
        for place in reversed(os.environ["PATH"].split(os.pathsep)):
            for program in sorted(Path(place).glob("*")):
                if not COMPILERS.fullmatch(program.name):
                    (folder / program.name).unlink(missing_ok=True)
                    (folder / program.name).symlink_to(program)
    start = Start()
    start.variables["PATH"] = str(folder)
    start.variables.pop("CC", None)
    return start


def _bubblewrap(*words: str) -> Start:
    start = Start(["bwrap", "--dev-bind", "/", "/", *words, "--die-with-parent"])
    if not shutil.which("bwrap"):
        raise CannotRun("bubblewrap is not installed")
    if subprocess.run([*start.before, "true"], capture_output=True, check=False).returncode:
        raise CannotRun("bubblewrap may not make namespaces here")
    return start


def without_shared_memory(home: Path) -> Start:
    devices = [word for name in DEVICES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")]
    return _bubblewrap("--tmpfs", "/dev", *devices, "--symlink", "/proc/self/fd", "/dev/fd")


def with_read_only_packages(home: Path) -> Start:
    return _bubblewrap("--ro-bind", str(home / "venv"), str(home / "venv"))


def in_the_c_locale(home: Path) -> Start:
    """Without the UTF-8 mode into which Python would go by itself."""
    start = Start()
    start.variables |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    return start


CONDITIONS: dict[str, Callable[[Path], Start]] = {
    "as it is": as_it_is,
    "plain user": plain_user,
    "no compiler": without_compiler,
    "no /dev/shm": without_shared_memory,
    "read-only packages": with_read_only_packages,
    "LC_ALL=C": in_the_c_locale,
}


def _call(words: Sequence[str | Path], variables: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=variables)
    if done.returncode:
        raise CannotRun(f"{words[0]} failed: {done.stderr.strip()[-300:]}")
    return done.stdout


def _counts(output: str) -> str:
    """pytest's last line; with -q it has only dots and failures."""
    letters = "".join(re.findall(r"^([.FEsxXR]+) +\[ *\d+%\]$", output, re.M))
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", output, re.M)
    shown = f"{letters.count('.')} passed, {len(failed)} failed"
    return ", ".join([shown, *(name.rpartition("::")[2] for name in failed[:8])])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows to run; all by default")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chosen = [row for row in MATRIX if not options.names or row.name in options.names]
    unknown = set(options.names) - {row.name for row in chosen}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; --list prints the names")
    if options.list:
        print("\n".join(row.name for row in chosen))
        return 0
    return _run_all(chosen, options.jobs)


def _run_all(chosen: Sequence[Environment], jobs: int) -> int:
    folder = Path(tempfile.mkdtemp(prefix="mlebench-matrix-"))
    folder.chmod(0o755)
    rows = []
    workshop = Workshop(folder, jobs)
    for environment in chosen:
        row = workshop.test(environment)
        rows.append(row)
        print(f"{row.name:36} {row.versions:42} {row.seconds:5.0f} s  {row.verdict}  {row.counts}")
        sys.stdout.flush()
        shutil.rmtree(folder / environment.name / "venv", ignore_errors=True)
    has_failed = any(row.verdict.startswith("failed") for row in rows)
    if not has_failed:
        shutil.rmtree(folder)
    return 1 if has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
