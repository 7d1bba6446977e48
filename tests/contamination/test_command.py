"""`mlebench contamination` as a user calls it, with a stand-in server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mlebench.cli import cli
from mlebench.errors import DataError, UsageError
from tests.contamination.conftest import KEY
from tests.contamination.stub import StubServer

IDS = ("-c", "spaceship-titanic", "-c", "leaf-classification")
QUICK = ("--probes", "familiarity,naming,leaderboard,split,labels,guided")


def call(*words: object, env: dict[str, str] | None = None) -> Result:
    runner = CliRunner(env={"OPENAI_API_KEY": KEY, **(env or {})})
    return runner.invoke(cli, ["contamination", *map(str, words)])


def test_replay_is_byte_identical(stub: StubServer, data_dir: Path, tmp_path: Path) -> None:
    posts = tmp_path / "posts" / "spaceship-titanic"
    posts.mkdir(parents=True)
    (posts / "first.txt").write_text("We blended models and wrote about it at length. " * 40)
    common = (*IDS, *QUICK, "--documents", posts.parent, "--data-dir", data_dir)
    first, page = tmp_path / "first.json", tmp_path / "first.html"
    done = call(*common, "--model", "stub", "--base-url", stub.url, "--out", first, "--html", page)
    assert done.exit_code == 0, done.output
    calls = len(stub.seen)
    answers = tmp_path / "first.json.answers.jsonl"
    again = (tmp_path / "again.json", tmp_path / "again.html")
    done = call(*common, "--replay", answers, "--out", again[0], "--html", again[1], "--json")
    assert done.exit_code == 0, done.output
    assert again[0].read_bytes() == first.read_bytes()
    assert again[1].read_bytes() == page.read_bytes()
    assert len(stub.seen) == calls
    report = json.loads(first.read_bytes())
    assert json.loads(done.stdout) == report
    assert (report["schema"], report["method"], report["calls"]) == (1, "echo", calls)
    assert "not detected by these probes" in report["sentences"]["probes"]
    kinds = {d["kind"] for d in report["documents"]}
    assert kinds == {"own", "obfuscated", "paraphrase", "post", "decoy"}
    means = {c["competition_id"]: c for c in report["competitions"]}
    assert means["spaceship-titanic"]["is_evidence"]
    assert not means["leaf-classification"]["is_evidence"]
    named = {p["statistic"]: p["p"] for p in report["probes"] if p["probe"] == "naming"}
    assert named["top-5 from plain text"] is None  # it names the competition itself
    assert named["top-5 from obfuscated text"] is not None
    # What is recorded contains neither the key nor a label.
    for file in (answers, first, page):
        assert KEY not in file.read_text("utf-8")
    assert {p["probe"] for p in report["probes"]} >= {"labels", "guided", "naming", "leaderboard"}


def test_questions_contain_no_label(stub: StubServer, data_dir: Path, tmp_path: Path) -> None:
    done = call("-c", "spaceship-titanic", "--probes", "labels", "--data-dir", data_dir,
                "--model", "stub", "--base-url", stub.url,
                "--out", tmp_path / "r.json")  # fmt: skip
    assert done.exit_code == 0, done.output
    answers = (data_dir / "spaceship-titanic/prepared/private/test.csv").read_text().splitlines()
    asked = [body["messages"][0]["content"] for body in stub.seen]
    assert asked
    assert all("True" not in text and "False" not in text for text in asked)
    ids = {line.split(",")[0] for line in answers[1:]}
    assert all(any(i in text for i in ids) for text in asked)
    (result,) = json.loads((tmp_path / "r.json").read_bytes())["probes"]
    # The stub answers 0, which is no label here.
    assert (result["value"], result["n"]) == (0.0, len(asked))
    assert 0.4 < result["chance"] < 0.9


@pytest.mark.long
def test_an_interrupted_measurement_continues(
    stub: StubServer, data_dir: Path, tmp_path: Path
) -> None:
    """Killed after some calls, the same command asks only what is missing."""
    out = tmp_path / "r.json"
    words = [*IDS, *QUICK, "--data-dir", str(data_dir), "--model", "stub", "--base-url", stub.url]
    command = [sys.executable, "-m", "mlebench", "contamination", *words, "--out", str(out)]
    asked, killed = threading.Event(), threading.Event()

    def hold(number: int) -> None:
        """The 25th call has no answer before the client is gone, so that no other call follows."""
        if number == 25:
            asked.set()
            killed.wait()

    stub.on_call = hold
    process = subprocess.Popen(command, env={**os.environ, "OPENAI_API_KEY": KEY})
    try:
        assert asked.wait(240)
    finally:
        process.kill()
        process.wait()
        killed.set()
    answers = Path(f"{out}.answers.jsonl")
    known = len(answers.read_bytes().splitlines()) - 1
    assert known == 24
    # A crash may cut the last line short.
    with answers.open("ab") as stream:
        stream.write(b'{"key": "cut sh')
    before = len(stub.seen)
    done = call(*words, "--out", out)
    assert done.exit_code == 0, done.output
    resumed = json.loads(out.read_bytes())
    assert len(stub.seen) - before == resumed["calls"] - known
    fresh = tmp_path / "fresh.json"
    assert call(*words, "--out", fresh).exit_code == 0
    expected = json.loads(fresh.read_bytes())
    assert resumed | {"created_at": ""} == expected | {"created_at": ""}


def test_a_server_that_ignores_echo_is_refused(
    stub: StubServer, data_dir: Path, tmp_path: Path
) -> None:
    stub.ignores_echo = True
    done = call(*IDS, "--probes", "familiarity", "--data-dir", data_dir, "--model", "stub",
                "--base-url", stub.url, "--out", tmp_path / "r.json")  # fmt: skip
    assert isinstance(done.exception, DataError)
    assert "ignores `echo`" in str(done.exception)
    assert not (tmp_path / "r.json").exists()


def test_local_only(tmp_path: Path) -> None:
    done = call(*IDS, "--local-only", "--model", "m", "--base-url", "https://api.example.com/v1",
                "--out", tmp_path / "r.json")  # fmt: skip
    assert isinstance(done.exception, UsageError)
    assert "not on this machine" in str(done.exception)
    assert not list(tmp_path.iterdir())


def test_answers_belong_to_one_model(stub: StubServer, data_dir: Path, tmp_path: Path) -> None:
    words = (*IDS, "--probes", "leaderboard", "--base-url", stub.url, "--data-dir", data_dir)
    out = tmp_path / "r.json"
    assert call(*words, "--model", "one", "--out", out).exit_code == 0
    done = call(*words, "--model", "two", "--out", out)
    assert isinstance(done.exception, UsageError)
    assert "holds answers of one" in str(done.exception)
    missing = call("-c", "AI4Code", "--probes", "familiarity", "--replay",
                   f"{out}.answers.jsonl", "--out", out)  # fmt: skip
    assert isinstance(missing.exception, DataError)
    assert "no answer to this question" in str(missing.exception)


def test_unknown_probe(tmp_path: Path) -> None:
    done = call(*IDS, "--probes", "rows,nothing", "--model", "m", "--base-url",
                "http://localhost:1/v1", "--out", tmp_path / "r.json")  # fmt: skip
    assert isinstance(done.exception, UsageError)
    assert "no probe 'nothing'" in str(done.exception)


@pytest.mark.parametrize("is_local", [True, False])
def test_private_posts_are_announced(
    is_local: bool,
    stub: StubServer,
    data_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    posts = tmp_path / "posts" / "spaceship-titanic"
    posts.mkdir(parents=True)
    (posts / "a.txt").write_text("A long private post about the voyage. " * 10)
    monkeypatch.setattr("mlebench.contamination.client.ModelClient.is_local", is_local)
    done = call("-c", "spaceship-titanic", "--probes", "leaderboard", "--documents", posts.parent,
                "--data-dir", data_dir, "--model", "stub", "--base-url", stub.url,
                "--out", tmp_path / "r.json")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert ("may train on them" in done.stderr) is not is_local
