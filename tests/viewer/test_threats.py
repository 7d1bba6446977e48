"""W01 to W05 on the server's side: nothing that acts, nothing from elsewhere, nothing unbounded."""

from __future__ import annotations

import json
import os
import re
import resource
import socket
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from tests.results.made_runs import HOSTILE, make_run
from tests.viewer.running import Viewer, running_viewer

UNSAFE = re.compile("[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
ESCAPE = re.compile("\x1b(?!\\[[0-9;:]*m)")


def texts(value: Any) -> list[str]:
    """Every string of a reply."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for name, part in value.items() if name != "plots" for text in texts(part)]
    return [text for part in value for text in texts(part)] if isinstance(value, list) else []


def hostile_group(viewer: Viewer) -> tuple[str, list[str]]:
    index = viewer.get("/api/index")
    place = next(k for k, g in enumerate(index["groups"]) if "onerror" in g["agent"])
    runs = index["runs"]
    keys = [key for key, group in zip(runs["key"], runs["group"], strict=True) if group == place]
    return index["groups"][place]["id"], keys


def views(group: str, key: str) -> list[str]:
    base = f"/api/g/{quote(group, safe='')}/r/{key}"
    listed = ["", "/log?tail=500", "/trajectory?from=0", "/trajectory?outline=1", "/tree", "/files"]
    listed += ["/submission", "/file?path=code/solution.py", "/file?path=submission/submission.csv"]
    return [base + view for view in listed]


def test_w01_hostile_strings_stay_data(viewer: Viewer) -> None:
    group, keys = hostile_group(viewer)
    for path in [*views(group, keys[0]), f"/api/g/{quote(group, safe='')}", "/api/index"]:
        answer = viewer.ask(path)
        assert answer.status == 200, path
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        for name, plot in answer.data.get("plots", {}).items():
            check_picture(name, plot)


def check_picture(name: str, plot: str) -> None:
    """A picture is the only markup that is inserted: drawing elements, no address, no script."""
    allowed = {"svg", "g", "title", "rect", "line", "circle", "path", "text", "desc"}
    for element in ElementTree.fromstring(plot).iter():
        assert element.tag in allowed, (name, element.tag)
        assert not any(a.startswith("on") or "href" in a for a in element.attrib), name


def test_w01_control_and_direction_marks_are_spelled_out(viewer: Viewer) -> None:
    group, keys = hostile_group(viewer)
    for path in views(group, keys[0]):
        data = viewer.get(path)
        for entry in data.get("entries", ()):
            # Paths are asked for again as they are.
            entry["path"] = entry.get("shown", entry["path"])
        for text in texts(data):
            assert not UNSAFE.search(text), (path, text)
            assert not ESCAPE.search(text), (path, text)
    lines = [line["text"] for line in viewer.get(views(group, keys[0])[1])["lines"]]
    assert "\\u001b]52;c;ZXZpbA==\\u0007\\u001b]0;title\\u0007" in lines
    assert "abc\\u202etxt.exe\\u2066 \\u200f" in lines
    assert "ALL PASSED" in lines, "a carriage return leaves the last state"
    assert any("broken \ufffd( " in line for line in lines)
    assert any(line.startswith("\x1b[32m") for line in lines), "colours stay"


def test_w01_the_shell_holds_no_data(viewer: Viewer) -> None:
    class Shell(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert not any(name.startswith("on") for name, _ in attrs)
            for name, value in attrs:
                assert name not in ("src", "href") or (value or "").startswith(("/", "#", "data:"))

    group, _ = hostile_group(viewer)
    body = viewer.ask("/").body
    Shell().feed(body.decode())
    for path in (f"/g/{quote(group)}", f"/search?q={quote(HOSTILE[0])}", f"/{quote(HOSTILE[1])}"):
        assert viewer.ask(path).body == body


OUTSIDE = [
    "/etc/passwd",
    "//etc/passwd",
    "../../../etc/passwd",
    "code/../../../../etc/passwd",
    "code/../run.json",
    "run.json",
    "lease",
    "code/passwd",
    "code/up/metadata.json",
    "code/up",
    "code",
    "code/",
    "code//solution.py",
    "code/./solution.py",
    "logs/link.log",
    "",
    "code/solution.py\0.txt",
    "/proc/self/environ",
    "code/" + "a/" * 50 + "b",
    "code/" + "n" * 5000,
    "host/../../metadata.json",
    "private/test.csv",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_w02_nothing_outside_the_run_is_read(viewer: Viewer, path: str) -> None:
    group, keys = hostile_group(viewer)
    place = f"g/{quote(group, safe='')}/r/{keys[0]}"
    for address in (f"/api/{place}/file?path=", f"/raw/{place}?path=", f"/api/{place}/log?name="):
        for written in (quote(path, safe=""), quote(path)):
            answer = viewer.ask(address + written)
            if path == "" and "log" in address:
                continue
            assert answer.status == 404, (address, path)
            assert b"root:" not in answer.body


@pytest.mark.parametrize(
    "path",
    [
        "/api/g/..%2f..%2fetc/r/passwd",
        "/api/g/%2e%2e/r/x",
        "/api/g/../r/x",
        "/api/g/%00/r/%00",
        "/static/..%2f..%2f..%2fetc%2fpasswd",
        "/static//etc/passwd",
        "/raw/g/../r/..?path=code/x",
        "/api/c/..%2f..%2fetc%2fpasswd",
    ],
)
def test_w02_addresses_lead_nowhere_else(viewer: Viewer, path: str) -> None:
    answer = viewer.ask(path)
    assert answer.status == 404 and b"root:" not in answer.body


def test_w02_planted_links_pipes_and_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "answers.csv"
    secret.write_text("id,SECRET\n1,1\n")
    run = make_run(tmp_path / "runs").path
    (run / "code" / "link.csv").symlink_to(secret)
    (run / "code" / "folder").symlink_to(tmp_path)
    os.mkfifo(run / "code" / "pipe")
    listening = socket.socket(socket.AF_UNIX)
    monkeypatch.chdir(run / "code")  # the path of a socket has at most 108 bytes
    listening.bind("socket")
    (run / "logs" / "tree.json").unlink()
    (run / "logs" / "tree.json").symlink_to(secret)
    for file in ("host/agent.log", "host/trajectory.jsonl", "host/validations.jsonl"):
        (run / file).unlink()
        (run / file).symlink_to(secret)
    with running_viewer(tmp_path / "runs", tmp_path / "cache") as viewer:
        base = viewer.first_run()
        listed = viewer.get(f"{base}/files")["entries"]
        kinds = {entry["path"]: entry["kind"] for entry in listed}
        assert kinds["code/link.csv"] == kinds["code/folder"] == "link"
        assert kinds["code/pipe"] == kinds["code/socket"] == "other"
        assert not any(path.startswith("code/folder/") for path in kinds)
        for path in ("code/link.csv", "code/folder/answers.csv", "code/pipe", "code/socket"):
            assert viewer.ask(f"{base}/file?path={path}").status == 404
        for view in ("/log", "/trajectory", "/tree"):
            assert viewer.ask(base + view).status == 404
        assert "SECRET" not in json.dumps(viewer.get(base))
        assert viewer.get("/api/search?q=SECRET")["hits"] == []
    listening.close()


def test_w02_a_run_folder_that_is_a_link(tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs").path
    run.rename(tmp_path / "elsewhere")
    run.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "runs" / "whole").symlink_to(run.parent)
    with running_viewer(tmp_path / "runs", tmp_path / "cache") as viewer:
        index = viewer.get("/api/index")
        assert len(index["groups"]) == 1 and index["runs"]["state"] == ["damaged"]
        base = viewer.first_run()
        assert viewer.get(f"{base}/files")["entries"] == []
        assert viewer.ask(f"{base}/log").status == 404


REFUSED = [
    {"Host": "evil.example"},
    {"Host": "evil.example:{port}"},
    {"Host": "127.0.0.1"},
    {"Host": "127.0.0.1:1"},
    {"Host": "127.0.0.1.evil.example:{port}"},
    {"Host": "192.0.2.1:{port}"},
    {"Host": ""},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "https://127.0.0.1:{port}"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Upgrade": "websocket", "Connection": "Upgrade"},
]
ROUTES = [
    "/",
    "/api/index",
    "/api/events",
    "/api/g/x",
    "/api/g/x/r/y/log",
    "/raw/g/x/r/y?path=code/a",
    "/static/index.html",
    "/api/compare?a=1&b=2",
    "/api/search?q=xx",
]


@pytest.mark.parametrize("route", ROUTES)
def test_w03_other_sites_and_names_are_refused(viewer: Viewer, route: str) -> None:
    for headers in REFUSED:
        named = {k.replace("-", "_"): v.format(port=viewer.port) for k, v in headers.items()}
        assert viewer.ask(route, **named).status == 403, headers
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert viewer.ask(route, method).status == 405, method


def test_w03_our_own_names_are_accepted(viewer: Viewer) -> None:
    for host in ("127.0.0.1", "localhost", "[::1]"):
        name = f"{host}:{viewer.port}"
        answer = viewer.ask("/api/index", Host=name, Origin=f"http://{name}")
        assert answer.status == 200
        assert "access-control-allow-origin" not in answer.headers
    assert viewer.ask("/api/index", Sec_Fetch_Site="same-origin").status == 200


def test_w03_a_second_host_header_is_refused(viewer: Viewer) -> None:
    with socket.create_connection(("127.0.0.1", viewer.port), timeout=60) as client:
        line = f"GET /api/index HTTP/1.1\r\nHost: 127.0.0.1:{viewer.port}\r\nHost: evil\r\n\r\n"
        client.sendall(line.encode())
        assert client.recv(100).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("route", [*ROUTES, "/?token=wrong", "/?token="])
def test_w03_nothing_is_shown_without_the_token(viewer: Viewer, route: str) -> None:
    """On loopback, too: other users of the machine can connect there."""
    assert viewer.ask(route, is_known=False).status == 401
    typed = viewer.ask(route, is_known=False, Accept="text/html,*/*")
    assert (typed.status, typed.headers["content-type"]) == (401, "text/plain; charset=utf-8")
    assert typed.body.startswith(b"open the address with ?token=")
    wrong = viewer.cookie.replace("=token", "=other")
    assert viewer.ask(route, Cookie=wrong).status == 401


def test_w03_the_token_becomes_a_cookie(made: Path, tmp_path: Path) -> None:
    with running_viewer(made, tmp_path, token="right-token", is_public=True) as viewer:
        first = viewer.ask("/search?q=x&token=right-token")
        assert first.status == 303 and first.headers["location"] == "/search?q=x"
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        kept = cookie.split(";")[0]
        assert viewer.ask("/api/index", Cookie=kept).status == 200
        assert viewer.ask("/api/index", Cookie=kept.replace("right", "wrong")).status == 401
        # An address of the machine is fine, a foreign name is not.
        host = f"192.0.2.7:{viewer.port}"
        assert viewer.ask("/api/index", Cookie=kept, Host=host).status == 200
        assert viewer.ask("/", Cookie=kept, Host=f"evil.example:{viewer.port}").status == 403
        away = viewer.ask("//evil.example/?token=right-token").headers["location"]
        assert away == "/evil.example/", "the redirect stays here"


ENDINGS = (
    "html htm xhtml svg xml js mjs css ipynb pdf json csv md txt py wasm png jpg gif webp".split()
)


def test_w04_files_of_agents_never_run(tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs").path
    for ending in ENDINGS:
        (run / "code" / f"page.{ending}").write_text("<script>alert(1)</script>")
    (run / "code" / "binary").write_bytes(b"\0\1\2")
    real = {
        "a.png": b"\x89PNG\r\n\x1a\n....",
        "b.jpg": b"\xff\xd8\xff\xe0....",
        "c.gif": b"GIF89a..",
    }
    for name, data in real.items():
        (run / "code" / name).write_bytes(data)
    with running_viewer(tmp_path / "runs", tmp_path / "cache") as viewer:
        raw = viewer.first_run("?path=code/").replace("/api/", "/raw/")
        for ending in ENDINGS:
            answer = viewer.ask(f"{raw}page.{ending}")
            assert answer.body == b"<script>alert(1)</script>"
            assert answer.headers["content-type"] == "text/plain; charset=utf-8", ending
            check_bound(answer.headers, "attachment")
        check_bound(viewer.ask(f"{raw}binary").headers, "attachment")
        for name in real:
            answer = viewer.ask(raw + name)
            assert answer.headers["content-type"].startswith("image/")
            assert "svg" not in answer.headers["content-type"]
            check_bound(answer.headers, "inline")


def check_bound(headers: dict[str, str], way: str) -> None:
    assert headers["content-disposition"].startswith(f"{way}; filename*=UTF-8''")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("sandbox;")


def test_w04_names_stay_inside_their_header(tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs").path
    name = 'x"; evil=1\r\nSet-Cookie: a=b\r\n\r\n<script>ü.html'.replace("/", "")
    (run / "code" / name).write_text("x")
    with running_viewer(tmp_path / "runs", tmp_path / "cache") as viewer:
        path = quote(f"code/{name}", safe="")
        answer = viewer.ask(viewer.first_run(f"?path={path}").replace("/api/", "/raw/"))
        assert answer.status == 200 and "set-cookie" not in answer.headers
        assert answer.headers["content-disposition"].count(";") == 1


@pytest.mark.long
def test_w05_huge_files_are_shown_in_bounded_memory_and_time(tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs").path
    with (run / "host" / "agent.log").open("wb") as stream:
        stream.write(b"first\n" + b"x" * 100_000)
        stream.truncate(1 << 30)  # one line of a gigabyte, sparse
        stream.seek(0, os.SEEK_END)
        stream.write(b"\nthe end\n")
    (run / "code" / "bomb.gz").write_bytes(b"\x1f\x8b" + bytes(1000))
    with running_viewer(tmp_path / "runs", tmp_path / "cache") as viewer:
        base = viewer.first_run()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.monotonic()
        while (answer := viewer.ask(f"{base}/log?tail=500")).status == 503:
            assert time.monotonic() - start < 60
        page = answer.data
        assert page["total"] == 3 and len(answer.body) < 256 * 1024
        assert [line["text"][:7] for line in page["lines"]] == ["first", "xxxxxxx", "the end"]
        assert page["lines"][1]["cut"] > 1_000_000_000
        assert viewer.ask(f"{base}/log?search=end").status == 200
        assert viewer.get(f"{base}/file?path=code/bomb.gz")["kind"] == "binary"
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # KiB


def test_w05_replies_are_bounded(tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs").path
    for k in range(6000):
        (run / "code" / f"file{k}").touch()
    (run / "host" / "agent.log").write_bytes(("ü" * 3000 + "\n").encode() * 5000)
    line = '{"kind": "exchange", "time": "%s", "outcome": "answered", "error": {"text": "%s"}}\n'
    with (run / "host" / "trajectory.jsonl").open("w") as stream:
        stream.writelines(line % ("t" * 40, "e" * 200) for _ in range(21_000))
    (run / "code" / "wide.csv").write_text(",".join(["c" * 500] * 3000) + "\n" + "," * 2999)
    texts_of_a_node = {name: "x" * 9000 for name in ("code", "plan", "output", "problem")}
    nodes = [{"id": k, **texts_of_a_node} for k in range(800)]
    (run / "logs" / "tree.json").write_text(json.dumps({"nodes": nodes}))
    with running_viewer(tmp_path / "runs", tmp_path / "cache") as viewer:
        base = viewer.first_run()
        listed = viewer.get(f"{base}/files")
        assert listed["truncated"] and len(listed["entries"]) == 5000
        for view in ("/log?tail=5000", "/log?from=0&count=100000", "/file?path=code/wide.csv"):
            assert len(viewer.ask(base + view).body) < 256 * 1024
        assert len(viewer.ask(f"{base}/tree").body) < 2_000_000
        assert len(viewer.ask(f"{base}/trajectory?outline=1").body) < 2_500_000
        assert viewer.get(f"{base}/trajectory?outline=1")["truncated"]


def test_w05_many_long_names(tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs").path
    deep = run / "code"
    for _ in range(12):
        deep = deep / ("d" * 250)
        deep.mkdir()
    for k in range(400):
        (deep / f"{k:0>240}").touch()
    with running_viewer(tmp_path / "runs", tmp_path / "cache") as viewer:
        answer = viewer.ask(viewer.first_run("/files"))
        assert len(answer.body) < 1_000_000 and answer.data["truncated"]


def test_w05_ranges_are_not_taken_apart(viewer: Viewer) -> None:
    group, keys = hostile_group(viewer)
    path = f"/raw/g/{quote(group, safe='')}/r/{keys[0]}?path=code/solution.py"
    ranges = "bytes=" + ",".join(f"{k}-{k}" for k in range(1000))
    answer = viewer.ask(path, Range=ranges)
    assert answer.status == 200 and answer.headers["accept-ranges"] == "none"
