"""Validations a second, beside a plain Flask handler that reads both files with pandas each time.

32 clients send a submission of 100,000 rows (about 1 MB), valid and invalid ones in turn, over
loopback. Budget: at least 30 times the requests a second of the handler in the same run, every
verdict right, memory bounded.

    python benchmarks/serve.py [--seconds 8]
"""

from __future__ import annotations

import argparse
import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROWS = 100_000
CLIENTS = 32
BUDGET = 30.0
DIFFERENT = 8

FLASK = """
import sys
import pandas as pd
from flask import Flask, jsonify, request
app = Flask(__name__)
answers, port = sys.argv[1], int(sys.argv[2])
options = {"float_precision": "round_trip"} if pd.__version__ < "3" else {}

@app.post("/validate")
def validate():
    request.files["file"].save("/tmp/mlebench-benchmark-upload.csv")
    submission = pd.read_csv("/tmp/mlebench-benchmark-upload.csv", **options)
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
from mlebench.competition import Competition
from mlebench.grading.formats import RowPerId
from mlebench.metrics import root_mean_squared_error

competition = Competition(id="many-rows", title="", category="", complexity="dev", prepare=print,
    submission=RowPerId("id", "x"), metric=root_mean_squared_error)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        answers, bodies = make_files(home)
        ours, memory, wrong = measure(our_server(home), bodies, seconds)
        theirs, _, mixed = measure(flask_server(home, answers), bodies, seconds)
    ratio = ours / theirs
    print(f"Flask handler   {theirs:8.1f} requests/s, {mixed} wrong verdicts (one fixed path)")
    print(
        f"mlebench serve  {ours:8.1f} requests/s, {wrong} wrong, {memory / 1e6:.0f} MB at its peak"
    )
    print(f"ratio {ratio:.1f} (budget {BUDGET})")
    return 0 if ratio >= BUDGET and memory < 1e9 and not wrong else 1


def make_files(home: Path) -> tuple[Path, list[tuple[bytes, bool]]]:
    """The prepared folder of a competition with many rows, and forms with their true verdicts."""
    private = home / "data" / "many-rows" / "prepared" / "private"
    private.mkdir(parents=True)
    rows = [f"{number},{number % 97 / 97:.4f}" for number in range(ROWS)]
    (private / "test.csv").write_text("id,x\n" + "\n".join(rows) + "\n")
    declared = home / "competitions" / "many_rows"
    declared.mkdir(parents=True)
    (declared / "competition.py").write_text(DECLARATION)
    bodies = []
    for k in range(DIFFERENT):
        is_good = k % 2 == 0
        lines = [*rows[k:], *rows[:k]]
        if not is_good:
            lines[k] = f"{ROWS + k},0.5"
        text = "id,x\n" + "\n".join(lines) + "\n"
        head = '--b\r\nContent-Disposition: form-data; name="file"; filename="s.csv"\r\n\r\n'
        form = (head + text + "\r\n--b--\r\n").encode()
        bodies.append((REQUEST % len(form) + form, is_good))
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
    return [sys.executable, str(home / "flask_server.py"), str(answers), str(port)], port


def measure(
    server: tuple[list[str], int], bodies: list[tuple[bytes, bool]], seconds: float
) -> tuple[float, int, int]:
    """Requests a second, the server's peak memory, wrong verdicts."""
    words, port = server
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        deadline = time.monotonic() + seconds
        with ThreadPoolExecutor(CLIENTS) as pool:
            done = list(pool.map(lambda k: client(port, bodies, k, deadline), range(CLIENTS)))
        requests, wrong = (sum(column) for column in zip(*done, strict=True))
        return requests / seconds, peak_memory(process.pid), wrong
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


def client(
    port: int, bodies: list[tuple[bytes, bool]], start: int, deadline: float
) -> tuple[int, int]:
    """Send forms until the time is over; gives how many, and how many verdicts were wrong."""
    done = wrong = 0
    connection: socket.socket | None = None
    while time.monotonic() < deadline:
        body, is_good = bodies[(start + done) % len(bodies)]
        connection = connection or socket.create_connection(("127.0.0.1", port), timeout=60)
        connection.sendall(body)
        head, reply = read_reply(connection)
        wrong += (b"is valid." in reply) != is_good
        done += 1
        if head.startswith(b"HTTP/1.0") or b"Connection: close" in head:
            connection.close()
            connection = None
    if connection:
        connection.close()
    return done, wrong


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
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    return 0


if __name__ == "__main__":
    os.environ.pop("FLASK_DEBUG", None)
    sys.exit(main())
