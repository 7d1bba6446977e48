"""G05, G06, G12: the key goes to the provider and nowhere else; a run's key is for its endpoint."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from mlebench.errors import UsageError
from mlebench.gateway.keys import KeyFilter, take_key
from tests.gateway import provider as behave
from tests.gateway.conftest import KEY, Gateway, Run, Start, hello
from tests.gateway.provider import Provider

TRACES = [KEY, KEY[8:16], KEY[-8:], base64.b64encode(KEY.encode()).decode()[:-4]]


def written(run: Run) -> str:
    return "".join(
        file.read_text("utf-8", "replace")
        for file in run.trajectory.parent.parent.rglob("*")
        if file.is_file()
    )


ECHOES = {
    "answer and headers": behave.echo,
    "error 401": behave.status(401, f'{{"error": "Incorrect key: {KEY}"}}'.encode()),
    "error 400": behave.status(400, f'{{"error": {{"message": "{KEY[-8:]}"}}}}'.encode()),
    "escaped": behave.raw(
        b'{"choices": [], "x": "' + "".join(f"\\u{ord(c):04x}" for c in KEY).encode() + b'"}'
    ),
    "base64": behave.raw(b'{"x": "' + base64.b64encode(b"a:" + KEY.encode()) + b'"}'),
    "no JSON": behave.raw(f"your key {KEY}".encode()),
    "header": behave.status(200, b'{"choices": []}', X_Key=KEY, Set_Cookie=f"a={KEY}"),
    "redirect": behave.status(302, b"", Location=f"https://x/?key={KEY}"),
}


@pytest.mark.parametrize("name", ECHOES)
def test_an_echoed_key_is_blocked(run: Run, provider: Provider, name: str) -> None:
    provider.default = ECHOES[name]
    _, answer = run.ask()
    for text in (str(answer), str(run.headers), str(run.endpoint.close()), written(run)):
        for trace in TRACES:
            assert trace not in text


def test_an_echoed_key_is_blocked_in_streams(run: Run, provider: Provider) -> None:
    error = f'data: {{"error": {{"message": "bad key {KEY}"}}}}\n\n'.encode()
    for events in (behave.events_of(f"the key is {KEY} you see"), [error]):
        provider.default = behave.stream(*events)
        status, text = run.ask(body=hello(stream=True))
        assert status == 200
        assert KEY not in text
    assert not any(trace in written(run) for trace in TRACES)


def test_the_filter_leaves_other_text_alone() -> None:
    keep = KeyFilter(KEY)
    text = "sk-proj- is how keys begin; sk-ant-api03-something is another"
    assert keep(text) == text
    assert keep(f"<{KEY}>") == "<[removed]>"
    assert KeyFilter("")("anything") == "anything"


class Listener:
    """Counts connections to a port."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        seen = self.requests

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                seen.append(self.path)
                self.send_response(200)
                self.end_headers()

            do_GET = do_CONNECT = do_POST

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(start: Start, provider: Provider, code: int) -> None:
    run = start()
    other = Listener()
    provider.default = behave.status(code, b"", Location=f"{other.url}/v1/chat/completions")
    status, answer = run.ask()
    other.close()
    assert (status, answer["error"]["code"]) == (502, "provider_redirect")
    assert other.requests == []
    assert "redirect" in run.endpoint.close().outage


def test_proxy_variables_are_not_read(
    start: Start, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Listener()
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, other.url)
    assert start().ask()[0] == 200
    other.close()
    assert other.requests == []


def test_each_key_opens_its_own_endpoint_only(
    start: Start, gateway: Gateway, provider: Provider
) -> None:
    one, two = start(gateway()), start(gateway())
    body = hello()
    for given in (
        {"Authorization": f"Bearer {two.key}"},
        {"Authorization": f"Bearer {KEY}"},
        {"Authorization": "Bearer "},
        {"Authorization": one.key},
        {"X-Api-Key": two.key},
        {"X-Goog-Api-Key": KEY},
        {},
    ):
        status, answer = one.ask(body=body, headers=given)
        assert (status, answer["error"]["message"]) == (
            401,
            "this key is not valid for this endpoint",
        )
    assert one.ask(f"/v1/chat/completions?api_key={one.key}", headers={})[0] == 401
    assert provider.contacts == 0
    assert one.ask()[0] == two.ask()[0] == 200
    one.endpoint.close()
    with pytest.raises(OSError):
        one.ask()
    assert two.ask(headers={"Authorization": f"Bearer {one.key}"})[0] == 401
    assert one.key not in written(one)


def test_the_key_is_in_no_environment_and_no_argument(run: Run) -> None:
    """Neither of the gateway nor of anybody else who can be read."""
    assert run.ask()[0] == 200
    for process in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            try:
                text = (process / name).read_bytes()
            except OSError:
                continue
            assert KEY.encode() not in text, f"{process}/{name}"


def test_taking_the_key_removes_it() -> None:
    code = (
        "import os\n"
        "from mlebench.gateway.keys import take_key\n"
        "key = take_key('MY_KEY')\n"
        "first = open('/proc/self/environ').read()\n"
        "print(key[:9], 'MY_KEY' in os.environ, key in first)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": os.environ["PATH"], "MY_KEY": KEY},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [KEY[:9], "False", "False"]


def test_a_missing_key_is_a_mistake_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_KEY", raising=False)
    with pytest.raises(UsageError, match="NO_KEY"):
        take_key("NO_KEY")
    assert take_key("NO_KEY", is_optional=True) == ""
    monkeypatch.setenv("NO_KEY", "short")
    with pytest.raises(UsageError, match="does not contain a key"):
        take_key("NO_KEY")


def test_a_missing_key_is_said_before_a_group_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    from mlebench.cli.model_options import gateway_record

    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    names = """max_tokens_total max_cost max_calls max_tokens_run max_cost_run max_calls_run prices
        proxy replay"""
    options: dict[str, object] = dict.fromkeys(names.split())
    options |= {"model": "m", "base_url": "https://x.example/v1", "api": "openai"}
    options |= {"replay_mode": "strict", "record": False, "max_output_tokens": 100}
    with pytest.raises(UsageError, match="NO_SUCH_KEY is empty"):
        gateway_record(options | {"api_key_env": "NO_SUCH_KEY"})
