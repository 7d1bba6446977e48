"""The official Kaggle client, imported only here: logged in, and never waiting for ever."""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from mlebench.errors import UsageError
from mlebench.kaggle.errors import HOW_TO_LOG_IN, explained
from mlebench.kaggle.patience import Patience, insist

Answer = TypeVar("Answer")


def kaggle_client(patience: Patience | None = None) -> Any:
    """The official client, logged in with the credentials it finds; never a prompt."""
    client = _patient_api(patience or Patience())

    def log_in() -> None:
        # Where it finds no account, the client prints a page of help and exits.
        with contextlib.redirect_stdout(io.StringIO()), explained():
            client.authenticate()

    try:
        insist(log_in, client.patience)
    except SystemExit:
        raise UsageError(_why_no_account(client), hint=HOW_TO_LOG_IN) from None
    return client


def ask(client: Any, question: Callable[[Any], Answer], competition_id: str | None) -> Answer:
    """Put a question to the API; passing failures are waited out.

    Args:
        question: called with a fresh connection: what `build_kaggle_client` makes.
        competition_id: the competition that a refusal speaks of.
    """

    def once() -> Answer:
        with explained(competition_id), client.build_kaggle_client() as connection:
            return question(connection)

    return insist(once, client.patience)


def call(client: Any, method: str, **fields: Any) -> Any:
    """Call a method of the competition API by its name there, as in `GetLeaderboard`."""
    return ask(client, lambda it: send(it, method, **fields), fields.get("competition_name"))


def send(connection: Any, method: str, **fields: Any) -> Any:
    """As `call`, once, over a connection that is there."""
    from kagglesdk.competitions.types import competition_api_service as types

    request = getattr(types, f"Api{method}Request")()
    for name, value in fields.items():
        setattr(request, name, value)
    function = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", method).lower()
    return getattr(connection.competitions.competition_api_client, function)(request)


def session_of(connection: Any) -> Any:
    """The `requests` session below a connection."""
    http = connection.http_client()
    http.__enter__()
    return http._session


def account_of(client: Any) -> str:
    """Who is logged in, and how, for a person to read."""
    method = str(client.config_values.get("auth_method", "")).lower()
    return f"{client.config_values.get('username')} ({method.replace('_', ' ')})"


def _patient_api(patience: Patience) -> Any:
    try:
        # On import the package logs in by itself; what it prints about that, we say better below.
        with contextlib.redirect_stdout(io.StringIO()):
            from kaggle.api.kaggle_api_extended import KaggleApi
            from kagglesdk import KaggleClient
            from kagglesdk.kaggle_env import get_env
    except ImportError as error:
        raise UsageError(
            f"this needs the Kaggle client, which cannot be loaded: {error}",
            hint="install it: pip install 'mlebench[kaggle]'",
        ) from None

    class PatientApi(KaggleApi):  # type: ignore[misc]
        def build_kaggle_client(self) -> Any:
            """As the original, but heeding KAGGLE_API_ENVIRONMENT, with a time limit, silent."""
            values = self.config_values
            connection = KaggleClient(
                env=get_env(),
                username=values.get(self.CONFIG_NAME_USER),
                password=values.get(self.CONFIG_NAME_KEY),
                api_token=values.get(self.CONFIG_NAME_TOKEN),
            )
            _limit_silence(session_of(connection), patience.timeout_seconds)
            return connection

    client = PatientApi()
    client.patience = patience
    return client


def _limit_silence(session: Any, seconds: float) -> None:
    """Let every request of a session fail after so many seconds of silence."""
    from requests.adapters import HTTPAdapter

    class Limited(HTTPAdapter):
        def send(self, request: Any, *args: Any, **settings: Any) -> Any:
            settings["timeout"] = settings.get("timeout") or seconds
            return super().send(request, *args, **settings)

    session.mount("https://", Limited())
    session.mount("http://", Limited())


def _why_no_account(client: Any) -> str:
    from kagglesdk import get_access_token_from_env

    token, source = get_access_token_from_env()
    if token:
        place = source if source == "KAGGLE_API_TOKEN" else "~/.kaggle/access_token"
        return f"Kaggle refuses the API token in {place}: it is wrong or expired"
    for here, missing in (("USERNAME", "KEY"), ("KEY", "USERNAME")):
        if os.environ.get(f"KAGGLE_{here}") and not os.environ.get(f"KAGGLE_{missing}"):
            return f"KAGGLE_{here} is set but KAGGLE_{missing} is not"
    if Path(client.config).exists():
        return f"{client.config} holds no user name and key"
    return "there are no Kaggle credentials"
