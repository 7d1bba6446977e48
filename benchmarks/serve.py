"""Validations a second, compared with a plain Flask handler that reads both files with pandas.

32 clients send submissions of 100,000 rows (about 1 MB) over loopback, valid and invalid ones in
turn; no file is sent twice. Both servers run all the time and are measured in turn; the median
of the rounds counts. Budget: at least 1.5 times the requests a second of the handler, every verdict
right, less than 1 GB of memory.

    python benchmarks/serve.py [--seconds 2] [--rounds 5]
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROWS = 100_000
CLIENTS = 32
BUDGET = 1.5
MAX_MEMORY = 1e9
DIFFERENT = 8
MARK = b"0" * 16
"""Digits in the last row that a client overwrites, so that no file repeats."""

FLASK = """
import sys
import pandas as pd
from flask import Flask, jsonify, request
app = Flask(__name__)
answers, port, upload = sys.argv[1], int(sys.argv[2]), sys.argv[3]
options = {"float_precision": "round_trip"} if pd.__version__ < "3" else {}

@app.post("/validate")
def validate():
    request.files["file"].save(upload)
    submission = pd.read_csv(upload, **options)
    truth = pd.read_csv(answers, **options)
    same = len(submission) == len(truth) and (
        submission["id"].sort_values().to_numpy() == truth["id"].sort_values().to_numpy()).all()
    return jsonify(result="Submission is valid." if same else "Submission is invalid")

@app.get("/health")
def health():
    return jsonify(status="running")

app.run("127.0.0.1", port)
"""

REQUEST = (
    b"POST /validate HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: multipart/form-data; boundary=b\r\n"
    b"Content-Length: %d\r\n\r\n"
)

DECLARATION = """
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.metrics import root_mean_squared_error

competition = CompetitionDefinition(
    id="many-rows", title="", category="", complexity="dev", prepare=print,
    submission=RowPerId("id", "x"), metric=root_mean_squared_error)
"""


@dataclass
class Server:
    """A server that is up, and what was counted so far."""

    port: int
    pid: int
    wrong: int = 0

    def measure(self, bodies: list[Body], seconds: float) -> float:
        """Requests a second."""
        clients = [Client(self.port, bodies, number) for number in range(CLIENTS)]
        start = time.monotonic()
        with ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(lambda client: client.send_until(start + seconds), clients))
        self.wrong += sum(client.wrong for client in clients)
        return sum(client.done for client in clients) / (time.monotonic() - start)


@dataclass(frozen=True)
class Body:
    """A request, its true verdict, and where a client may write into it."""

    data: bytes
    is_good: bool
    mark: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        home = Path(name)
        answers, bodies = make_files(home)
        ours = stack.enter_context(running(*our_server(home)))
        flask = stack.enter_context(running(*flask_server(home, answers)))
        rounds = []
        for _ in range(asked.rounds):
            theirs = flask.measure(bodies, asked.seconds)
            rounds.append((theirs, ours.measure(bodies, asked.seconds)))
            print("{:8.1f} {:8.1f} requests/s".format(*rounds[-1]), file=sys.stderr)
        memory = peak_memory(ours.pid)
    theirs, our_rate = (statistics.median(column) for column in zip(*rounds, strict=True))
    ratio = statistics.median(own / other for other, own in rounds)
    print(f"Flask handler   {theirs:8.1f} requests/s, {flask.wrong} wrong verdicts")
    print(
        f"mlebench serve  {our_rate:8.1f} requests/s, {ours.wrong} wrong verdicts,"
        f" {memory / 1e6:.0f} MB peak"
    )
    print(f"ratio {ratio:.1f} (budget {BUDGET})")
    return 0 if ratio >= BUDGET and memory < MAX_MEMORY and not ours.wrong else 1


def make_files(home: Path) -> tuple[Path, list[Body]]:
    """The prepared folder of a competition with many rows, and forms with their true verdicts."""
    private = home / "data" / "many-rows" / "prepared" / "private"
    private.mkdir(parents=True)
    rows = [f"{number},{number % 97 / 97:.2f}" for number in range(ROWS)]
    (private / "test.csv").write_text("id,x\n" + "\n".join(rows) + "\n")
    public = private.with_name("public")
    public.mkdir()
    sample = "\n".join(f"{number},0.5" for number in range(ROWS))
    (public / "sample_submission.csv").write_text("id,x\n" + sample + "\n")
    declared = home / "competitions" / "many_rows"
    declared.mkdir(parents=True)
    (declared / "competition.py").write_text(DECLARATION)
    bodies = []
    for k in range(DIFFERENT):
        is_good = k % 2 == 0
        lines = [*rows[k:], *rows[:k]]
        if not is_good:
            lines[k] = f"{ROWS + k},0.5"
        lines[-1] += MARK.decode()
        text = "id,x\n" + "\n".join(lines) + "\n"
        head = '--b\r\nContent-Disposition: form-data; name="file"; filename="s.csv"\r\n\r\n'
        form = (head + text + "\r\n--b--\r\n").encode()
        data = REQUEST % len(form) + form
        bodies.append(Body(data, is_good, data.rindex(MARK)))
    return private / "test.csv", bodies


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def our_server(home: Path) -> tuple[list[str], int]:
    port = free_port()
    words = ["-m", "mlebench", "serve", "-c", "many-rows", "--port", str(port)]
    words += ["--data-dir", str(home / "data"), "--competitions-dir", str(home / "competitions")]
    return [sys.executable, *words], port


def flask_server(home: Path, answers: Path) -> tuple[list[str], int]:
    port = free_port()
    (home / "flask_server.py").write_text(FLASK)
    words = [str(home / "flask_server.py"), str(answers), str(port), str(home / "upload.csv")]
    return [sys.executable, *words], port


@contextlib.contextmanager
def running(words: list[str], port: int) -> Iterator[Server]:
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait()


def wait_for(port: int) -> None:
    for _ in range(200):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/health")
            connection.getresponse().read()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")


class Client:
    """Sends one file after the other, each different from all others."""

    def __init__(self, port: int, bodies: list[Body], number: int) -> None:
        self.port, self.bodies, self.number = port, bodies, number
        self.done = self.wrong = 0

    def send_until(self, deadline: float) -> None:
        connection: socket.socket | None = None
        while time.monotonic() < deadline:
            body = self.bodies[(self.number + self.done) % len(self.bodies)]
            connection = connection or self._connect()
            self._send_marked(connection, body)
            head, reply = read_reply(connection)
            self.wrong += (b"is valid." in reply) != body.is_good
            self.done += 1
            if head.startswith(b"HTTP/1.0") or b"Connection: close" in head:
                connection.close()
                connection = None
        if connection:
            connection.close()

    def _connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), 60)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def _send_marked(self, connection: socket.socket, body: Body) -> None:
        """Send with a unique mark; a copy of the whole body would take as long as sending it."""
        mine = b"%02d%014d" % (self.number, time.monotonic_ns() // 1000)
        connection.sendall(memoryview(body.data)[: body.mark])
        connection.sendall(mine + body.data[body.mark + len(MARK) :])


def read_reply(connection: socket.socket) -> tuple[bytes, bytes]:
    data = b""
    while b"\r\n\r\n" not in data or not data.rstrip().endswith(b"}"):
        block = connection.recv(65536)
        if not block:
            break
        data += block
    head, _, body = data.partition(b"\r\n\r\n")
    return head, body


def peak_memory(pid: int) -> int:
    """Of a process and its children, added up."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    total = sum(peak_memory(int(child)) for child in children)
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            total += int(line.split()[1]) * 1024
    return total


if __name__ == "__main__":
    os.environ.pop("FLASK_DEBUG", None)
    sys.exit(main())
