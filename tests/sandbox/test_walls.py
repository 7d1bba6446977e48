"""S01-S09, S13, S16, A07, A10: what an agent finds when it looks around, as root and as a user."""

from __future__ import annotations

import hashlib
import os
import pty
import re
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from mlebench.errors import SandboxError
from mlebench.sandbox.probe import OWNED, Probe, probe
from tests.sandbox.conftest import (
    OTHER_USER,
    SYSTEM_PYTHON,
    World,
    packages_for_others,
    require_sandbox,
    why_no_other_user,
)
from tests.waiting import wait_for


@cache
def crawled(user: str) -> Probe:
    if user == "other":
        packages = [packages_for_others()]
        return probe("bubblewrap", python=SYSTEM_PYTHON, wrapper=OTHER_USER, packages=packages)
    return probe("bubblewrap")


@pytest.fixture(params=["self", "other"])
def crawl(request: pytest.FixtureRequest) -> Probe:
    require_sandbox("bubblewrap")
    if request.param == "other" and (reason := why_no_other_user()):
        pytest.skip(reason)
    return crawled(request.param)


def test_no_canary_comes_back_and_only_own_folders_are_writable(crawl: Probe) -> None:
    assert crawl.passed, crawl.reason
    assert set(crawl.writable) == OWNED
    assert crawl.files_read > 30


def test_probe_refuses_a_sandbox_without_walls() -> None:
    with pytest.raises(SandboxError, match="isolates nothing"):
        probe("process")


def test_S01_no_privilege_is_left(crawl: Probe) -> None:
    status = crawl.found["status"]
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name], 16) == 0
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    surface = crawl.found["surface"]
    assert {surface[name] for name in ("mount", "mknod", "sethostname", "chroot")} == {"EPERM"}
    assert surface["setuid"] != "ok"


def test_S01_root_becomes_somebody_else_on_the_host(world: World) -> None:
    outcome = world.shell("touch /home/submission/mine")
    owner = (world.place / "submission" / "mine").stat().st_uid
    assert owner == outcome.facts["uid"] != 0


def test_S02_the_operators_environment_is_nowhere(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-operator")
    world.shell("cat /proc/*/environ | tr '\\0' '\\n'")
    assert "sk-operator" not in world.printed()
    assert "COMPETITION_ID=competition" in world.printed()


def test_S02_first_process_shows_a_fixed_path_only(world: World) -> None:
    world.shell("tr '\\0' '\\n' </proc/1/environ")
    assert world.printed().split() == ["PATH=/usr/local/bin:/usr/bin:/bin"]


def test_S03_command_lines_tell_no_host_path(world: World) -> None:
    world.shell("cat /proc/*/cmdline | tr '\\0' ' '")
    assert str(world.place) not in world.printed()
    assert "bwrap --args" in world.printed()


def test_S03_nothing_tells_where_the_package_lies(world: World) -> None:
    world.shell("cat /proc/*/mountinfo /proc/*/environ /proc/*/cmdline | tr '\\0' ' '")
    assert str(Path(__file__).parents[2]) not in world.printed()


def test_S04_open_descriptors_stay_outside(world: World) -> None:
    held = [os.open(path, os.O_RDONLY) for path in (world.answers, world.answers.parent)]
    try:
        for descriptor in held:
            os.set_inheritable(descriptor, True)
        world.python(
            """
            import os
            print(sorted(int(n) for n in os.listdir("/proc/self/fd")))
            for n in range(3, 100):
                try: print(os.read(os.open("answers.csv", os.O_RDONLY, dir_fd=n), 99))
                except OSError: pass
            """
        )
    finally:
        for descriptor in held:
            os.close(descriptor)
    assert world.printed().strip() == "[0, 1, 2, 3]"  # 3 is the listing itself


def test_S05_nothing_is_typed_into_the_operators_terminal(world: World, tmp_path: Path) -> None:
    child, terminal = pty.fork()
    if child == 0:
        code = "import fcntl\nfor fd in (0, 1, 2):\n"
        for request in (0x5412, 0x541C):
            code += f" try: fcntl.ioctl(fd, {request}, b'x'); print('typed')\n"
            code += " except OSError as e: print(e.errno)\n"
        try:
            world.python(code)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.set_blocking(terminal, False)
    try:
        typed = os.read(terminal, 100)
    except OSError:
        typed = b""
    os.close(terminal)
    assert typed == b""
    assert set(world.printed().split()) == {"1"}  # EPERM


def test_S06_kernel_surface_is_closed(crawl: Probe) -> None:
    surface = crawl.found["surface"]
    expected = {
        "request_key": "EPERM",
        "keyctl": "EPERM",
        "vsock": "EAFNOSUPPORT",
        "packet": "EAFNOSUPPORT",
        "io_uring": "ENOSYS",
        "unshare_user": "ENOSPC",
        "bpf": "EPERM",
        "perf": "EPERM",
        "x32": "ENOSYS",
        "tiocsti": "EPERM",
        "tiocsti_high": "EPERM",
        "tioclinux": "EPERM",
    }
    assert {name: surface[name] for name in expected if name in surface} == {
        name: value for name, value in expected.items() if name in surface
    }


def test_S06_ordinary_programs_still_work(world: World) -> None:
    outcome = world.python(
        """
        import multiprocessing, pty, socket, subprocess, tempfile
        with multiprocessing.Pool(2) as pool:
            print(sum(pool.map(abs, range(-3, 4))))
        server = socket.create_server(("127.0.0.1", 0))
        socket.create_connection(server.getsockname()).close()
        print(subprocess.check_output(["echo", "child"]).decode(), pty.openpty())
        tempfile.NamedTemporaryFile().write(b"x")
        """
    )
    assert outcome.exit_code == 0, world.printed()
    assert "12" in world.printed()


def test_S07_only_the_two_sockets_are_there(crawl: Probe) -> None:
    assert crawl.found["sockets"] == []


@pytest.mark.parametrize("place", ["prepared/public", "package"])
def test_S07_socket_in_a_shown_folder_is_refused(world: World, place: str) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        previous = Path.cwd()
        os.chdir(world.place / place)  # the whole path may be too long for a socket
        try:
            listener.bind("docker.sock")
        finally:
            os.chdir(previous)
        with pytest.raises(SandboxError, match=r"docker\.sock is a socket"):
            world.shell("true")


def test_S08_only_loopback_and_nobody_on_it(crawl: Probe) -> None:
    assert crawl.found["interfaces"] == ["lo"]


@pytest.fixture
def validation(world: World) -> Iterator[socket.socket]:
    """A server on the validation socket that answers in capitals."""
    with _listening(world.place / "sockets", b"HELLO") as listener:
        yield listener


def _listening(folder: Path, answer: bytes) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    address = f"/proc/self/fd/{os.open(folder, os.O_PATH)}/validation.sock"
    listener.bind(address)
    (folder / "validation.sock").chmod(0o666)
    listener.listen()

    def serve() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            with client:
                client.recv(100)
                client.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    return listener


CALL = """
import socket
with socket.create_connection(("localhost", 5000), 5) as s:
    s.sendall(b"hello"); s.shutdown(socket.SHUT_WR); print(s.recv(100).decode())
"""


def test_S08_the_socket_is_reachable(world: World, validation: socket.socket) -> None:
    world.python(CALL)
    assert world.printed().strip() == "HELLO"


def test_S08_closed_socket_closes_the_connection(world: World) -> None:
    outcome = world.python(CALL)
    assert outcome.ended_by == "exit"
    assert "HELLO" not in world.printed()


def test_F08_long_paths_and_restarted_servers(world: World, validation: socket.socket) -> None:
    """The folder is mounted, so that a new socket of the old name is found."""
    again = threading.Event()

    def restart() -> None:
        (world.place / "submission" / "first").exists()
        while not (world.place / "submission" / "first").exists() and not again.wait(0.05):
            pass
        validation.close()
        (world.place / "sockets" / "validation.sock").unlink()
        _listening(world.place / "sockets", b"AGAIN")
        (world.place / "sockets" / "ready").touch()

    helper = threading.Thread(target=restart)
    helper.start()
    waiting = "import os, time\nopen('/home/submission/first', 'w')\n"
    waiting += "while not os.path.exists('/run/sockets/ready'): time.sleep(0.05)\n"
    try:
        world.python(textwrap.dedent(CALL) + waiting + textwrap.dedent(CALL))
    finally:
        again.set()
        helper.join()
    assert world.printed().split() == ["HELLO", "AGAIN"]


def test_S13_memory_file_systems_have_a_size(world: World) -> None:
    world.python(
        """
        import os, errno
        for place in ("/tmp/fill", "/dev/shm/fill"):
            written = 0
            try:
                with open(place, "wb", buffering=0) as file:
                    while True: written += file.write(bytes(1 << 20))
            except OSError as error: print(errno.errorcode[error.errno], written >> 20)
        for place in ("/fill", "/dev/fill", "/home/fill", "/etc/fill", "/run/fill"):
            try: open(place, "wb"); print("written", place)
            except OSError as error: print(errno.errorcode[error.errno])
        """,
        memory_bytes=64 << 20,
        shm_bytes=16 << 20,
    )
    lines = world.printed().split("\n")
    assert lines[1:2] == ["ENOSPC 16"]
    assert re.fullmatch(r"ENOSPC \d+", lines[0])
    assert int(lines[0].split()[1]) <= 32
    assert set(lines[2:7]) == {"EROFS"}


LEAVE = """
import os, pathlib, ctypes
for place in ("/tmp/left", "/dev/shm/left"): pathlib.Path(place).write_text("canary-of-run-a")
libc = ctypes.CDLL(None)
print(libc.shmget(0x4711, 4096, 0o1666) >= 0)
"""
LOOK = """
import os, ctypes
libc = ctypes.CDLL(None)
print([p for p in ("/tmp/left", "/dev/shm/left") if os.path.exists(p)], libc.shmget(0x4711, 0, 0))
print(os.listdir("/home/agent"))
"""


def test_S16_the_next_run_finds_nothing_of_this_one(world: World, tmp_path: Path) -> None:
    world.python(LEAVE)
    assert world.printed().split() == ["True"]
    (tmp_path / "next").mkdir()
    following = World(tmp_path / "next", world.sandbox)
    following.python(LOOK)
    assert following.printed() == "[] -1\n[]\n"


def test_S16_two_runs_at_once_do_not_meet(world: World, tmp_path: Path) -> None:
    (tmp_path / "beside").mkdir()
    beside = World(tmp_path / "beside", world.sandbox)
    go_on = world.place / "submission" / "go"
    waiting = "import time\nprint(flush=True)\n"
    waiting += "while not os.path.exists('/home/submission/go'): time.sleep(0.05)\n"
    first = threading.Thread(target=world.python, args=(LEAVE + waiting,))
    first.start()
    wait_for(lambda: world.log.exists() and "True" in world.printed())
    beside.python(LOOK)
    go_on.touch()
    first.join()
    assert beside.printed() == "[] -1\n[]\n"


def test_A07_no_trace_of_private_files(world: World) -> None:
    content = world.answers.read_bytes()
    words = [hashlib.new(kind, content).hexdigest() for kind in ("md5", "sha1", "sha256")]
    (world.public.parent / "manifest.json").write_text(" ".join(words))
    code = f"""
    import os
    for top in ("/home", "/opt/agent", "/run", "/etc"):
        for folder, _, names in os.walk(top):
            for name in names:
                try: data = open(os.path.join(folder, name), "rb").read()
                except OSError: continue
                for word in {words!r} + ["answers.csv", "the-answer"]:
                    if word.encode() in data and "python" not in folder: print("found", name, word)
    """
    world.python(code)
    assert "found" not in world.printed()


def test_A10_no_history_inside(crawl: Probe) -> None:
    assert crawl.found["repositories"] == []


def test_packages_of_the_harness_are_covered(world: World) -> None:
    world.shell("python3 -c 'import mlebench' 2>&1; ls /opt/python/lib/python3*/site-packages")
    assert "No module named 'mlebench'" in world.printed()
    assert "pandas" not in world.printed()


def test_process_sandbox_says_loudly_that_it_has_no_walls(tmp_path: Path) -> None:
    from mlebench.sandbox.registry import get_sandbox

    world = World(tmp_path, get_sandbox("process"))
    outcome = world.shell(
        'cat /home/data/train.csv; cd "$MLEBENCH_ROOT/home"; cat instructions.txt; touch code/x'
    )
    assert (tmp_path / "code" / "x").exists()
    assert world.printed().startswith("NO ISOLATION")
    assert "NO ISOLATION" in str(outcome.facts["isolation"])
    assert "1,2" in world.printed()
    assert "Do something." in world.printed()


def test_launcher_dies_when_its_parent_is_another(tmp_path: Path) -> None:
    launcher = Path(__file__).parents[2] / "src/mlebench/sandbox/programs/launcher.py"
    order = tmp_path / "order"
    order.write_text('{"keep": [], "parent": 1}')
    with order.open() as file:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(launcher), str(file.fileno())],
            pass_fds=(file.fileno(),),
        )
    assert done.returncode == 125
