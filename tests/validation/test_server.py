"""The validation server: the published contract, nothing for slow, greedy or curious clients."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.errors import SandboxError
from mlebench.system.fork_server import ForkServer
from mlebench.validation import ValidationServer
from mlebench.validation.multipart import FormError, find_file
from tests.hostile.switches import without

BOUNDARY = b"part"


def serving(competition: LocatedCompetition, folder: Path, at_once: int = 1) -> ValidationServer:
    return ValidationServer(
        competition,
        socket=folder / "v.sock",
        log=folder / "calls.jsonl",
        last_valid=folder / "last.csv",
        per_minute=None,
        at_once=at_once,
    )


@pytest.fixture
def server(competition: LocatedCompetition, tmp_path: Path) -> Iterator[ValidationServer]:
    with serving(competition, tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def shared_server(
    prepared: Catalogue, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ValidationServer]:
    """For requests that must leave no trace in it."""
    competition = prepared.get_competition("spaceship-titanic")
    with serving(competition, tmp_path_factory.mktemp("shared")) as running:
        yield running


def part(data: bytes, name: bytes = b"file", filename: bytes = b"s.csv") -> bytes:
    head = b'Content-Disposition: form-data; name="%s"; filename="%s"' % (name, filename)
    return b"--" + BOUNDARY + b"\r\n" + head + b"\r\n\r\n" + data + b"\r\n"


def form(*parts: bytes) -> bytes:
    return b"".join(parts) + b"--" + BOUNDARY + b"--\r\n"


def post(
    body: bytes, *headers: bytes, path: bytes = b"/validate", length: int | None = None
) -> bytes:
    lines = [
        b"POST " + path + b" HTTP/1.1",
        b"Host: localhost",
        b"Content-Type: multipart/form-data; boundary=" + BOUNDARY,
        b"Content-Length: %d" % (len(body) if length is None else length),
        *headers,
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def send(server: ValidationServer, data: bytes, patience: float = 20) -> tuple[int, dict[str, str]]:
    """Status and JSON of the reply; 0 when the connection was closed without one."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(patience)
        client.connect(str(server.socket))
        reply = b""
        with contextlib.suppress(BrokenPipeError):
            client.sendall(data)
        with contextlib.suppress(ConnectionResetError):
            while b"\r\n\r\n" not in reply or not reply.endswith(b"}"):
                block = client.recv(65536)
                if not block:
                    break
                reply += block
    if not reply:
        return 0, {}
    head, _, body = reply.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def test_the_published_contract(server: ValidationServer, sample: bytes) -> None:
    assert send(server, post(form(part(sample)))) == (200, {"result": "Submission is valid."})
    status, reply = send(server, post(form(part(b"PassengerId,Transported\n1,True\n"))))
    assert status == 200
    assert "1 rows, expected" in reply["result"]
    assert send(server, b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n") == (200, {"status": "running"})
    assert send(server, b"GET /nope HTTP/1.1\r\nHost: x\r\n\r\n")[0] == 404
    assert server.calls == 2


def test_a01_a_reply_is_the_same_whatever_the_answers_are(
    server: ValidationServer, competition: LocatedCompetition, tmp_path: Path
) -> None:
    from mlebench.tables import read_table, write_table

    moved = Catalogue(tmp_path / "data").get_competition("spaceship-titanic")
    moved.private_dir.mkdir(parents=True)
    moved.public_dir.mkdir(parents=True)
    answers = read_table(competition.answers)
    write_table(answers.assign(Transported=~answers["Transported"]), moved.answers)
    sample = read_table(competition.sample_submission)
    write_table(sample, moved.sample_submission)
    with ValidationServer(moved, socket=tmp_path / "o.sock", per_minute=None) as other:
        for frame in (
            sample,
            sample.iloc[1:],
            sample.assign(Transported=None),
            sample[["PassengerId"]],
        ):
            request = post(form(part(frame.to_csv(index=False).encode())))
            assert send(server, request) == send(other, request)


@pytest.mark.parametrize(
    "fault", ["a validator that raises", "a judge that breaks", "a log that breaks"]
)
def test_a01_a_fault_of_ours_tells_nothing(
    fault: str, competition: LocatedCompetition, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with without(f"tool: {fault}"), serving(competition, tmp_path) as server:
        status, reply = send(server, post(form(part(b"x\n"))))
        assert send(server, post(form(part(b"x\n"))))[0] == 500
    assert status == 500
    assert set(reply) == {"error", "details"}
    assert "secret" not in json.dumps(reply) and "/home" not in json.dumps(reply)
    assert "secret label" in capfd.readouterr().err


def test_a02_fields_of_a_request_decide_nothing(server: ValidationServer, sample: bytes) -> None:
    body = form(part(b"leaf-classification", b"competition_id"), part(sample))
    target = b"/validate?submission_path=/etc/passwd&competition_id=other"
    expected = (200, {"result": "Submission is valid."})
    assert send(server, post(body, b"X-Competition: other", path=target)) == expected


@pytest.mark.timing
def test_v01_slow_clients_are_closed_and_others_served(
    competition: LocatedCompetition, sample: bytes, tmp_path: Path
) -> None:
    with without("tool: short deadlines"), serving(competition, tmp_path) as server:
        _slow_clients(server, sample)


def _slow_clients(server: ValidationServer, sample: bytes) -> None:
    stuck = []
    for start in (b"", b"POST /validate HT", post(b"x" * 10, length=1000)):
        for _ in range(10):
            client = socket.socket(socket.AF_UNIX)
            client.connect(str(server.socket))
            client.sendall(start)
            client.settimeout(10)
            stuck.append(client)
    begin = time.monotonic()
    assert send(server, post(form(part(sample))))[0] == 200
    assert time.monotonic() - begin < 2
    for client in stuck:
        assert client.recv(100) == b""
        client.close()


@pytest.mark.parametrize(
    ("request_bytes", "statuses"),
    [
        (post(b"", b"Transfer-Encoding: chunked"), {400, 411}),
        (post(b"", b"Content-Length: 7"), {400}),
        (post(b"", length=-5), {400}),
        (post(b"", length=10**15), {413}),
        (post(b"x", b"Content-Encoding: gzip"), {415}),
        (b"GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n", {400}),
        (b"GET /health HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 100_000 + b"\r\n\r\n", {400, 431}),
        (b"GET /health HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", {200, 400}),
        (b"\x16\x03\x01\x02\x00garbage\r\n\r\n", {400}),
    ],
    ids=["chunked", "two lengths", "negative", "huge", "gzip", "absolute", "header", "fold", "tls"],
)
def test_v02_unclear_framing_is_refused(
    request_bytes: bytes, statuses: set[int], shared_server: ValidationServer
) -> None:
    assert send(shared_server, request_bytes)[0] in statuses


@pytest.mark.parametrize(
    "body",
    [
        form(part(b"x", b"other")),
        form(part(b"x"), part(b"y")),
        form(*[part(b"x", b"f%d" % k) for k in range(5000)]),
        b"no boundary at all",
        b"\n" * (1 << 20) + form(part(b"x")),
        part(b"never closed"),
        b"",
    ],
    ids=["no file", "two files", "many parts", "no boundary", "newlines first", "open", "empty"],
)
def test_v03_odd_forms_are_refused(body: bytes, shared_server: ValidationServer) -> None:
    assert send(shared_server, post(body))[0] == 400
    assert shared_server.calls == 0


def test_v03_a_long_boundary_is_refused() -> None:
    with pytest.raises(FormError, match="boundary"):
        find_file(b"multipart/form-data; boundary=" + b"b" * 1000, b"")


def test_v04_the_file_name_is_never_used(
    server: ValidationServer, sample: bytes, tmp_path: Path
) -> None:
    before = set(tmp_path.rglob("*"))
    for name in (b"../../../../evil", b"a\0b", b"x" * 5000, b"submission.csv.zip"):
        assert send(server, post(form(part(sample, filename=name))))[0] == 200
    new = {path.name for path in set(tmp_path.rglob("*")) - before}
    assert new <= {"calls.jsonl", "last.csv"}


def test_v05_parallel_uploads_get_their_own_verdicts(
    server: ValidationServer, sample: bytes
) -> None:
    wrong = []

    def upload(number: int) -> None:
        is_good = number % 2 == 0
        data = sample if is_good else sample + b"extra-%d,True\n" % number
        _, reply = send(server, post(form(part(data))))
        if reply.get("result", "").endswith("is valid.") != is_good:
            wrong.append(number)

    threads = [threading.Thread(target=upload, args=(k,)) for k in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert server.calls == 40


def test_v05_files_of_changing_length_are_not_mixed_up(
    server: ValidationServer, sample: bytes
) -> None:
    for count in (5, 90, 4, 90, 40):
        long = sample.replace(b",False\n", b',"False"\n', count)
        assert send(server, post(form(part(long))))[1]["result"].endswith("is valid.")
        wrong = long.rstrip(b"\n").rpartition(b"\n")[0]
        assert "rows, expected" in send(server, post(form(part(wrong))))[1]["result"]


def test_v06_a_flood_is_told_to_wait(competition: LocatedCompetition, tmp_path: Path) -> None:
    with ValidationServer(competition, socket=tmp_path / "f.sock", per_minute=3) as limited:
        statuses = [send(limited, post(form(part(b"x\n"))))[0] for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]


def test_every_call_is_recorded_and_the_last_valid_file_kept(
    server: ValidationServer, sample: bytes, tmp_path: Path
) -> None:
    send(server, post(form(part(sample))))
    send(server, post(form(part(b"broken"))))
    calls = [json.loads(line) for line in (tmp_path / "calls.jsonl").read_text().splitlines()]
    assert [call["valid"] for call in calls] == [True, False]
    assert calls[1]["size"] == 6
    assert (tmp_path / "last.csv").read_bytes() == sample


def test_a_server_that_does_not_start_leaves_no_open_socket(
    competition: LocatedCompetition, tmp_path: Path
) -> None:
    broken = ForkServer(("no_such_module",))
    server = ValidationServer(competition, socket=tmp_path / "v.sock", forks=broken)
    with pytest.raises(SandboxError, match="does not start"):
        server.__enter__()
    with pytest.raises(ConnectionRefusedError):
        send(server, b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")


def test_the_last_valid_file_is_kept_without_a_log(
    competition: LocatedCompetition, sample: bytes, tmp_path: Path
) -> None:
    last = tmp_path / "last.csv"
    with ValidationServer(competition, socket=tmp_path / "v.sock", last_valid=last) as server:
        send(server, post(form(part(sample))))
    assert last.read_bytes() == sample
