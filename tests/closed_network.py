"""Run a command in a network namespace without a way out, and record whom it tries to reach.

    python -m tests.closed_network REPORT COMMAND...

Every address is local there, so that packets to any host arrive at the loopback interface, where
they are recorded; nothing answers. Needs root and `ip`.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from ipaddress import ip_address
from pathlib import Path

ROOT = Path(__file__).parents[1]
CLONE_NEWNET = 1 << 30
ALL_PROTOCOLS = 3
UDP, TCP = 17, 6
ROUTES = (
    ["link", "set", "lo", "up"],
    ["route", "add", "local", "0.0.0.0/0", "dev", "lo"],
    ["-6", "route", "add", "local", "::/0", "dev", "lo"],
)


def why_not() -> str | None:
    """Why it cannot work here."""
    if os.geteuid() != 0:
        return "a network namespace with routes needs root"
    if shutil.which("ip") is None:
        return "needs the program ip (iproute2)"
    trial = subprocess.run(
        [sys.executable, "-c", "from tests.closed_network import enter; enter()"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    return f"no network namespace: {trial.stderr[-200:]}" if trial.returncode else None


def contacted(tmp_path: Path, *words: str, **variables: str) -> tuple[list[str], str]:
    """Whom a command tried to reach, and what it printed."""
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "tests.closed_network", str(report), *words]
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    environment = {
        **{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
        "HOME": str(home),
        "PYTHONPATH": str(ROOT / "src"),
        **variables,
    }
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(report.read_text()), done.stdout + done.stderr


def enter() -> None:
    """Leave the network of this machine for good."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "unshare")
    for words in ROUTES:
        done = subprocess.run(["ip", *words], capture_output=True, text=True)
        if done.returncode and "-6" not in words:
            raise OSError(done.stderr)


class Recorder:
    """Notes every packet to an address outside this machine, and every question for a name."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self._socket = socket.socket(
            socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ALL_PROTOCOLS)
        )
        self._socket.bind(("lo", 0))
        self._socket.settimeout(0.2)
        self._is_over = False
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def close(self) -> None:
        self._is_over = True
        self._thread.join()
        self._socket.close()

    def _listen(self) -> None:
        while True:
            try:
                self._note(self._socket.recv(65536))
            except TimeoutError:
                if self._is_over:
                    return

    def _note(self, packet: bytes) -> None:
        if packet[0] >> 4 == 4:
            protocol, start = packet[9], 4 * (packet[0] & 15)
            source, target = ip_address(packet[12:16]), ip_address(packet[16:20])
        else:
            protocol, start = packet[6], 40
            source, target = ip_address(packet[8:24]), ip_address(packet[24:40])
        if protocol not in (TCP, UDP):
            return
        port = int.from_bytes(packet[start + 2 : start + 4])
        if protocol == UDP and port == 53:
            self.found.add(f"name {_name(packet[start + 8 :])}")
        elif not target.is_loopback and not source.is_loopback:
            # An answer comes from the foreign address, which was its target before.
            self.found.add(f"address {target}:{port}")


def _name(question: bytes) -> str:
    parts, place = [], 12
    while place < len(question) and question[place]:
        parts.append(question[place + 1 : place + 1 + question[place]].decode("ascii", "replace"))
        place += 1 + question[place]
    return ".".join(parts)


def main(report: str, command: list[str]) -> int:
    enter()
    recorder = Recorder()
    try:
        code = subprocess.run(command).returncode
    finally:
        recorder.close()
    Path(report).write_text(json.dumps(sorted(recorder.found)))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
