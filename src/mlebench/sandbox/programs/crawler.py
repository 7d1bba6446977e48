"""Search a sandbox as a curious agent would: read every file, write everywhere, try every socket.

`probe.py` runs this file inside a sandbox, with the standard library only. It writes what it found
to the file named by its last argument. It knows the form of a canary, never its value.

    python -I crawler.py ORDER.json RESULT.json
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import re
import socket
import stat
import sys
from typing import Any

SHAPE = re.compile(b"cana" + b"ry-[0-9a-f]{32}")
MOST_BYTES = 4 << 20
SKIPPED = ("/proc", "/sys", "/usr", "/opt/python", "/opt/packages", "/opt/program")
"""Kernel folders, which are read selectively, and system folders, where only writing is tried."""

PROC_FILES = ("environ", "cmdline", "maps", "mountinfo", "status", "comm", "cgroup")
PROC_TABLES = "net/unix net/tcp net/dev keys key-users sysvipc/shm sysvipc/msg mounts".split()

libc = ctypes.CDLL(None, use_errno=True)


class Crawl:
    """One search of a sandbox and what it found."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.order = order
        self.files_read = 0
        self.canaries: dict[str, str] = {}
        self.writable: set[str] = set()
        self.sockets: set[str] = set()
        self.text = b""

    def result(self) -> dict[str, Any]:
        self._walk()
        self._processes()
        self._descriptors()
        self._known_places()
        self._sockets()
        return {
            "files_read": self.files_read,
            "canaries": self.canaries,
            "writable": sorted(self.writable),
            "sockets": sorted(self.sockets),
            "descriptors": sorted(descriptors()),
            "status": status(),
            "surface": surface(),
            "interfaces": interfaces(),
            "words": [word for word in self.order.get("words", []) if word.encode() in self.text],
            "sizes": {place: size(place) for place in ("/", "/dev", "/tmp", "/dev/shm")},
            "repositories": self.repositories(),
        }

    def look(self, data: bytes, where: str) -> None:
        for found in SHAPE.findall(data):
            self.canaries.setdefault(found.decode(), where)

    def read(self, path: str) -> bytes:
        """Read a file without blocking; empty if it cannot be read."""
        with contextlib.suppress(OSError, ValueError):
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            try:
                data = os.read(descriptor, MOST_BYTES)
            finally:
                os.close(descriptor)
            self.files_read += 1
            self.look(data, path)
            return data
        return b""

    def _walk(self) -> None:
        for folder, folders, files in os.walk("/", topdown=True):
            if folder in ("/proc", "/sys"):
                folders.clear()
                continue
            self._try_to_write(folder)
            if folder.startswith(SKIPPED) and folder.count("/") > 3:
                folders.clear()
            for name in files:
                path = f"{folder.rstrip('/')}/{name}"
                self.look(os.fsencode(path), "a file name")
                self._judge(path)

    def _judge(self, path: str) -> None:
        try:
            mode = os.lstat(path).st_mode
        except OSError:
            return
        if stat.S_ISSOCK(mode):
            self.sockets.add(path)
        elif stat.S_ISREG(mode) and not path.startswith(SKIPPED):
            self.read(path)
            self._try_to_overwrite(path)

    def _try_to_write(self, folder: str) -> None:
        place = f"{folder.rstrip('/')}/.crawler-{os.getpid()}"
        with contextlib.suppress(OSError):
            os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            os.unlink(place)  # noqa: PTH108 (no pathlib)
            self._add_writable(folder)

    def _try_to_overwrite(self, path: str) -> None:
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            self._add_writable(path)

    def _add_writable(self, path: str) -> None:
        if not any(path.startswith(f"{known}/") for known in self.writable):
            self.writable.add(path)

    def _processes(self) -> None:
        for pid in [entry.name for entry in os.scandir("/proc") if entry.name.isdigit()]:
            for name in PROC_FILES:
                self.text += self.read(f"/proc/{pid}/{name}")
            for link in ("root", "cwd", "exe"):
                with contextlib.suppress(OSError):
                    self.look(os.fsencode(os.readlink(f"/proc/{pid}/{link}")), pid)  # noqa: PTH115 (no pathlib)
            with contextlib.suppress(OSError):
                for entry in os.scandir(f"/proc/{pid}/fd"):
                    if int(entry.name) > 2:
                        self.read(entry.path)
            for path in self.order.get("files", []):
                self.read(f"/proc/{pid}/root{path}")
        for table in PROC_TABLES:
            self.text += self.read(f"/proc/{table}")

    def _descriptors(self) -> None:
        """An inherited descriptor of a folder would lead out of the mount namespace."""
        for number in range(3, 256):
            with contextlib.suppress(OSError):
                os.fstat(number)
                self.look(os.pread(number, MOST_BYTES, 0), f"descriptor {number}")
            for path in ("answers.csv", *("../" * 20 + path for path in self.order["files"])):
                with contextlib.suppress(OSError):
                    inner = os.open(path, os.O_RDONLY | os.O_NONBLOCK, dir_fd=number)
                    self.files_read += 1
                    self.look(os.read(inner, MOST_BYTES), f"descriptor {number}")

    def _known_places(self) -> None:
        """The exact paths, keys and segments that contain canaries."""
        for path in self.order.get("files", []):
            self.read(path)
        for name in self.order.get("keys", []):
            self.look(read_key(name.encode()), "the session keyring")
        for key in self.order.get("segments", []):
            self.look(read_segment(key), "shared memory")

    def _sockets(self) -> None:
        targets: list[tuple[int, Any]] = [
            *((socket.AF_INET, ("127.0.0.1", port)) for port in self.order.get("ports", [])),
            *((socket.AF_UNIX, f"\0{name}") for name in self.order.get("abstract", [])),
        ]
        for family, address in targets:
            with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as opened:
                opened.settimeout(2)
                opened.connect(address)
                self.look(opened.recv(4096), f"the socket {address!r}")

    def repositories(self) -> list[str]:
        """Version control folders, whose history may contain more than the files show."""
        return [
            folder
            for top in ("/home", "/opt/agent", "/run", "/etc")
            for folder, folders, _ in os.walk(top)
            if ".git" in folders or ".hg" in folders
        ]


def descriptors() -> list[int]:
    found = []
    for number in [int(entry.name) for entry in os.scandir("/proc/self/fd")]:
        with contextlib.suppress(OSError):  # the descriptor of the listing itself is gone
            os.fstat(number)
            found.append(number)
    return found


def status() -> dict[str, str]:
    wanted = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp", "Uid")
    with open("/proc/self/status") as file:
        lines = (line.partition(":") for line in file)
        return {name: value.strip() for name, _, value in lines if name in wanted}


def interfaces() -> list[str]:
    with open("/proc/net/dev") as file:
        return [line.split(":")[0].strip() for line in file.readlines()[2:]]


def size(place: str) -> int:
    found = os.statvfs(place)
    return found.f_blocks * found.f_frsize


def read_key(name: bytes) -> bytes:
    if os.uname().machine != "x86_64":
        return b""
    key = libc.syscall(249, b"user", name, None, 0)
    buffer = ctypes.create_string_buffer(4096)
    count = libc.syscall(250, 11, key, buffer, 4096, 0) if key > 0 else 0
    return buffer.raw[: max(0, count)]


def read_segment(key: int) -> bytes:
    libc.shmat.restype = ctypes.c_void_p
    segment = libc.shmget(key, 0, 0)
    if segment < 0:
        return b""
    place = libc.shmat(segment, None, 0o10000)
    return ctypes.string_at(place, 64) if place and place != ctypes.c_void_p(-1).value else b""


def surface() -> dict[str, str]:
    """The name of the error for each call that should fail; `ok` where it did not."""
    zeros = ctypes.create_string_buffer(256)
    calls = {
        "mount": lambda: libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None),
        "sethostname": lambda: libc.sethostname(b"x", 1),
        "mknod": lambda: libc.mknod(b"/tmp/node", stat.S_IFBLK | 0o600, os.makedev(254, 0)),
        "unshare_user": lambda: libc.unshare(0x10000000),
        "chroot": lambda: libc.chroot(b"/tmp"),
        "kill_outside": lambda: libc.kill(os.getppid() + 100000, 0),
        "vsock": lambda: libc.socket(40, socket.SOCK_STREAM, 0),
        "packet": lambda: libc.socket(17, socket.SOCK_RAW, 0),
        "tiocsti": lambda: libc.ioctl(0, ctypes.c_ulong(0x5412), b"x"),
        "tiocsti_high": lambda: libc.ioctl(0, ctypes.c_ulong(0x5412 + (1 << 32)), b"x"),
        "tioclinux": lambda: libc.ioctl(0, ctypes.c_ulong(0x541C), b"\x03"),
        "setuid": lambda: libc.setuid(0),
    }
    if os.uname().machine == "x86_64":
        calls |= {
            "request_key": lambda: libc.syscall(249, b"user", b"nothing", None, 0),
            "keyctl": lambda: libc.syscall(250, 0, -3, 0),
            "io_uring": lambda: libc.syscall(425, 1, zeros),
            "bpf": lambda: libc.syscall(321, 0, zeros, 48),
            "perf": lambda: libc.syscall(298, zeros, 0, -1, -1, 0),
            "x32": lambda: libc.syscall(0x40000000 | 39),
        }
    return {name: _tried(call) for name, call in calls.items()}


def _tried(call: Any) -> str:
    ctypes.set_errno(0)
    if call() != -1:
        return "ok"
    return errno.errorcode.get(ctypes.get_errno(), str(ctypes.get_errno()))


if __name__ == "__main__":
    with open(sys.argv[1]) as given:
        order = json.load(given)
    found = Crawl(order).result()
    with open(sys.argv[2], "w") as target:
        json.dump(found, target)
