"""Every kind of credentials that the official client knows, in a program of its own; no prompt."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mlebench.catalogue import PACKAGE
from mlebench.kaggle.client import has_account
from tests.kaggle_server import KaggleServer

PROGRAM = """
from mlebench.kaggle.client import log_in
from mlebench.system.retrying import RetryPolicy
from mlebench.errors import BenchError
try:
    client = log_in(RetryPolicy(tries=2, first_wait_seconds=0.01))
    client.check_credentials()
    print(client.account)
except BenchError as error:
    print(f"{error.kind}: {error} / {error.hint}")
"""


class Account:
    """A home folder, an environment, and a program that logs in with what it finds there."""

    def __init__(self, server: KaggleServer, home: Path) -> None:
        self.server, self.home = server, home
        self.variables: dict[str, str] = {}

    def put(self, name: str, text: str) -> Path:
        file = self.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o600)
        return file

    def log_in(self) -> str:
        environment = {"HOME": str(self.home), **self.server.environment, **self.variables}
        # A prompt would find the end of its input and fail.
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=environment,
            stdin=subprocess.PIPE,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.stderr == ""
        return done.stdout

    @property
    def kinds(self) -> set[str | None]:
        return {request.authorization for request in self.server.seen("ListCompetitions")}


@pytest.fixture
def account(tmp_path: Path, kaggle_server: KaggleServer) -> Account:
    return Account(kaggle_server, tmp_path / "home")


def key_file(key: str = "right-key") -> str:
    return json.dumps({"username": "stand-in", "key": key})


def test_user_and_key_variables(account: Account) -> None:
    account.variables = account.server.credentials
    assert account.log_in() == "stand-in (legacy api key)\n"
    assert account.kinds == {"Basic"}


@pytest.mark.parametrize("name", [".kaggle/kaggle.json", ".config/kaggle/kaggle.json"])
def test_kaggle_json(account: Account, name: str) -> None:
    account.put(name, key_file())
    assert account.log_in() == "stand-in (legacy api key)\n"
    assert account.kinds == {"Basic"}


def test_kaggle_json_in_a_folder_of_its_own(account: Account) -> None:
    file = account.put("elsewhere/kaggle.json", key_file())
    account.variables = {"KAGGLE_CONFIG_DIR": str(file.parent)}
    assert account.log_in() == "stand-in (legacy api key)\n"


def test_token_variable(account: Account) -> None:
    account.variables = {"KAGGLE_API_TOKEN": "KGAT_right"}
    assert account.log_in() == "stand-in (access token)\n"
    assert account.kinds == {"Bearer"}


def test_token_variable_that_names_a_file(account: Account) -> None:
    file = account.put("my-token", "KGAT_right\n")
    account.variables = {"KAGGLE_API_TOKEN": str(file)}
    assert account.log_in() == "stand-in (access token)\n"
    assert account.kinds == {"Bearer"}


def test_token_file(account: Account) -> None:
    account.put(".kaggle/access_token", "KGAT_right\n")
    assert account.log_in() == "stand-in (access token)\n"
    assert account.kinds == {"Bearer"}


def test_login_in_the_browser(account: Account) -> None:
    account.put(
        ".kaggle/credentials.json",
        json.dumps({"refresh_token": "refresh-right", "username": "stand-in"}),
    )
    assert account.log_in() == "stand-in (oauth)\n"
    assert account.kinds == {"Bearer"}


@pytest.mark.parametrize(
    "name",
    [
        ".kaggle/kaggle.json",
        ".config/kaggle/kaggle.json",
        ".kaggle/access_token",
        ".kaggle/access_token.txt",
        ".kaggle/credentials.json",
    ],
)
def test_files_that_configure_an_account(
    account: Account, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(account.home))
    for variable in ("KAGGLE_USERNAME", "KAGGLE_KEY", "KAGGLE_API_TOKEN", "KAGGLE_CONFIG_DIR"):
        monkeypatch.delenv(variable, raising=False)
    assert not has_account()
    account.put(name, "{}")
    assert has_account()


def test_no_credentials(account: Account) -> None:
    said = account.log_in()
    assert said.startswith("usage: there are no Kaggle credentials / create an API token at")
    assert account.server.seen("ListCompetitions") == []


def test_half_of_the_variables(account: Account) -> None:
    account.variables = {"KAGGLE_USERNAME": "stand-in"}
    assert "KAGGLE_USERNAME is set but KAGGLE_KEY is not" in account.log_in()


def test_damaged_kaggle_json(account: Account) -> None:
    file = account.put(".kaggle/kaggle.json", "{")
    assert f"{file} contains no user name and key" in account.log_in()


def test_wrong_key(account: Account) -> None:
    account.put(".kaggle/kaggle.json", key_file("wrong"))
    assert account.log_in().startswith("usage: Kaggle rejects the credentials / ")


def test_expired_token(account: Account) -> None:
    account.variables = {"KAGGLE_API_TOKEN": "KGAT_old"}
    assert "Kaggle rejects the API token in KAGGLE_API_TOKEN" in account.log_in()


def test_warning_about_a_readable_key_file_is_not_printed(account: Account) -> None:
    account.put(".kaggle/kaggle.json", key_file()).chmod(0o644)
    assert account.log_in() == "stand-in (legacy api key)\n"


def test_nothing_leaves_the_machine(account: Account) -> None:
    account.variables = {"KAGGLE_API_TOKEN": "KGAT_right"}
    account.log_in()
    assert {request.status for request in account.server.seen("CONNECT")} <= {403}


def test_the_client_is_imported_in_one_place() -> None:
    importing = re.compile(r"^\s*(from|import) kaggle(sdk)?\b", re.MULTILINE)
    files = [file for file in PACKAGE.rglob("*.py") if importing.search(file.read_text("utf-8"))]
    assert [file.name for file in files] == ["client.py"]
