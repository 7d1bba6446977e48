"""Public kernels fetched from the stand-in server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mlebench.cli.commands.integrity import command
from mlebench.errors import UsageError
from mlebench.kaggle.kernels import fetch_kernels
from tests.kaggle_server import Contest, KaggleServer

ID = "spaceship-titanic"
NOTEBOOK = json.dumps({"cells": [{"cell_type": "code", "source": "x = 1"}]})


def contest(number: int = 0) -> Contest:
    kernels: dict[str, tuple[str, str] | None] = {
        "ada/first-try": ("script", "import os\n"),
        "bob/../../evil": ("script", "x = 1\n"),
        "eve/secret": None,
        "ben/notes": ("notebook", NOTEBOOK),
    }
    kernels |= {f"u{n}/k": ("script", f"x = {n}\n") for n in range(number)}
    return Contest(ID, kernels=kernels)


def test_kernels_are_stored_and_refused_ones_left_out(
    kaggle_server: KaggleServer, tmp_path: Path
) -> None:
    kaggle_server.add(contest())
    notes: list[str] = []
    found = fetch_kernels(ID, tmp_path, on_note=notes.append)
    names = ["ada.first-try.py", "bob..._.._evil.py", "ben.notes.ipynb"]
    assert [file.name for file in found] == names
    assert all(file.parent == tmp_path / ID for file in found)
    assert found[2].read_text() == NOTEBOOK
    (note,) = notes
    assert "eve/secret" in note and "403" in note
    before = len(kaggle_server.seen("GetKernel"))
    assert fetch_kernels(ID, tmp_path) == found
    assert len(kaggle_server.seen("GetKernel")) == before + 1  # only the refused one again


@pytest.mark.parametrize("count", [2, 70])
def test_as_many_as_asked(kaggle_server: KaggleServer, tmp_path: Path, count: int) -> None:
    kaggle_server.add(contest(100))
    found = fetch_kernels(ID, tmp_path, count=count)
    assert len(found) == (2 if count == 2 else 69)  # one of seventy is refused


def test_a_wrong_key_stops_it(
    kaggle_server: KaggleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kaggle_server.add(contest())
    monkeypatch.setenv("KAGGLE_KEY", "wrong-key")
    with pytest.raises(UsageError, match="rejects the credentials"):
        fetch_kernels(ID, tmp_path)


def test_the_command(kaggle_server: KaggleServer, tmp_path: Path) -> None:
    kaggle_server.add(contest())
    words = ["fetch-kernels", "-c", ID, "--kernels", str(tmp_path), "--count", "4"]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    assert "3 kernels in" in done.stderr and "eve/secret" in done.stderr
