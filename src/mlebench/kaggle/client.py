"""A narrow, typed wrapper over the official Kaggle client, which only this module imports.

The official client prompts, prints, exits and waits without limit; the wrapper does none of these.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeVar

from mlebench.errors import UsageError
from mlebench.kaggle.errors import HOW_TO_LOG_IN, explained
from mlebench.system.retrying import RetryPolicy, retry

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class BoardRow:
    """A team on a leaderboard, with its score as Kaggle writes it."""

    team_id: int
    score: str | None


@dataclass(frozen=True)
class BoardPage:
    """Some rows of a leaderboard, best first."""

    rows: list[BoardRow]
    next_token: str
    """Token for requesting the next page; empty on the last one."""


@dataclass(frozen=True)
class CompetitionPage:
    """A page of a competition's description."""

    name: str
    content: str


@dataclass(frozen=True)
class Kernel:
    """A public solution as it is listed."""

    owner: str
    slug: str


class ByteStream(Protocol):
    """The body of a response."""

    def read(self, size: int, /) -> bytes: ...

    def read1(self, size: int, /) -> bytes: ...


class ArchiveResponse(Protocol):
    """The response of the storage server that Kaggle redirects a download to."""

    status_code: int
    headers: Mapping[str, str]
    raw: ByteStream


@dataclass(frozen=True)
class KaggleClient:
    """Kaggle's API for one account; repeats requests after transient failures."""

    api: Any
    """The official client, an instance of `KaggleApi`."""

    policy: RetryPolicy

    @property
    def account(self) -> str:
        """The user name and the kind of credentials, for messages."""
        method = str(self.api.config_values.get("auth_method", "")).lower()
        return f"{self.api.config_values.get('username')} ({method.replace('_', ' ')})"

    def check_credentials(self) -> None:
        """Make a request that needs an account."""
        self._call("ListCompetitions")

    def leaderboard_page(self, competition_id: str, *, size: int, token: str = "") -> BoardPage:
        fields: dict[str, Any] = {"page_token": token} if token else {}
        answer = self._call(
            "GetLeaderboard", competition_name=competition_id, page_size=size, **fields
        )
        rows = [BoardRow(row.team_id, row.score) for row in answer.submissions]
        return BoardPage(rows, answer.next_page_token or "")

    def team_count(self, competition_id: str) -> int:
        """How many teams took part; includes teams that were removed from the leaderboard."""
        return int(self._call("GetCompetition", competition_name=competition_id).team_count)

    def pages(self, competition_id: str) -> list[CompetitionPage]:
        """The pages of the description, in Kaggle's order."""
        answer = self._call("ListCompetitionPages", competition_name=competition_id)
        return [CompetitionPage(page.name, page.content) for page in answer.pages]

    def kernels(self, competition_id: str, *, count: int, page: int = 1) -> list[Kernel]:
        """Python kernels of a competition, those with most votes first."""
        from kagglesdk.kernels.types.kernels_enums import KernelsListSortType

        answer = self._call(
            "ListKernels",
            service="kernels",
            competition=competition_id,
            language="python",
            sort_by=KernelsListSortType.VOTE_COUNT,
            page=page,
            page_size=count,
        )
        return [Kernel(*str(kernel.ref).partition("/")[::2]) for kernel in answer.kernels]

    def kernel_source(self, kernel: Kernel) -> tuple[str, bool]:
        """The code of a kernel, and whether it is a notebook."""
        answer = self._call(
            "GetKernel", service="kernels", user_name=kernel.owner, kernel_slug=kernel.slug
        )
        return str(answer.blob.source or ""), str(answer.blob.kernel_type).lower() == "notebook"

    @contextmanager
    def archive(self, competition_id: str, byte_range: str) -> Iterator[ArchiveResponse]:
        """Request bytes of the archive, once.

        Raises:
            TransientError: while the block runs, if the connection fails; the caller retries.
        """
        headers = {"Range": byte_range, "Accept-Encoding": "identity"}
        with self._connection(competition_id) as connection:
            # Kaggle redirects to its storage; only headers of the session are sent there as well.
            _session_of(connection).headers.update(headers)
            request = _request("DownloadDataFiles", competition_name=competition_id)
            with _api(connection, "competitions").download_data_files(request) as response:
                yield response

    def retry(self, action: Callable[[], Answer]) -> Answer:
        """Repeat an action that raises `TransientError`."""
        return retry(action, self.policy)

    def _call(self, method: str, *, service: str = "competitions", **fields: Any) -> Any:
        """Call a method of an API by its name there, as in `GetLeaderboard`."""
        function = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", method).lower()

        def once() -> Any:
            with self._connection(fields.get("competition_name")) as connection:
                return getattr(_api(connection, service), function)(
                    _request(method, service=service, **fields)
                )

        return self.retry(once)

    @contextmanager
    def _connection(self, competition_id: str | None) -> Iterator[Any]:
        with explained(competition_id), self.api.build_kaggle_client() as connection:
            yield connection


def has_account() -> bool:
    """Whether credentials are configured; whether they are valid, only Kaggle knows."""
    variables = os.environ
    has_key = variables.get("KAGGLE_USERNAME") and variables.get("KAGGLE_KEY")
    if variables.get("KAGGLE_API_TOKEN") or has_key:
        return True
    folders = (variables.get("KAGGLE_CONFIG_DIR"), "~/.kaggle", "~/.config/kaggle")
    return any(
        (Path(folder).expanduser() / name).is_file()
        for folder in folders
        if folder
        for name in ("kaggle.json", "access_token", "access_token.txt", "credentials.json")
    )


def log_in(policy: RetryPolicy | None = None) -> KaggleClient:
    """A client with the credentials that the official client finds; never prompts.

    Raises:
        UsageError: if the official client is not installed or finds no valid credentials.
    """
    policy = policy or RetryPolicy()
    api = _patient_api(policy.timeout_seconds)

    def authenticate() -> None:
        # If it finds no account, the official client prints a page of help and exits.
        with contextlib.redirect_stdout(io.StringIO()), explained():
            api.authenticate()

    try:
        retry(authenticate, policy)
    except SystemExit:
        raise UsageError(_why_no_account(Path(api.config)), hint=HOW_TO_LOG_IN) from None
    return KaggleClient(api, policy)


TYPES = {
    "competitions": "kagglesdk.competitions.types.competition_api_service",
    "kernels": "kagglesdk.kernels.types.kernels_api_service",
}


def _request(method: str, *, service: str = "competitions", **fields: Any) -> Any:
    request = getattr(import_module(TYPES[service]), f"Api{method}Request")()
    for name, value in fields.items():
        setattr(request, name, value)
    return request


def _api(connection: Any, service: str) -> Any:
    if service == "kernels":
        return connection.kernels.kernels_api_client
    return connection.competitions.competition_api_client


def _session_of(connection: Any) -> Any:
    """The `requests` session below a connection."""
    http = connection.http_client()
    http.__enter__()
    return http._session


def _patient_api(timeout_seconds: float) -> Any:
    try:
        # On import the package logs in and prints messages; `log_in` has better ones.
        with contextlib.redirect_stdout(io.StringIO()):
            from kaggle.api.kaggle_api_extended import KaggleApi
            from kagglesdk import KaggleClient as Connection
            from kagglesdk.kaggle_env import get_env
    except ImportError as error:
        raise UsageError(
            f"this needs the Kaggle client, which cannot be loaded: {error}",
            hint="install it: pip install 'mlebench[kaggle]'",
        ) from None

    # The base class is `Any` for mypy, because the package has no types.
    class _PatientApi(KaggleApi):  # type: ignore[misc]
        def build_kaggle_client(self) -> Any:
            """As the original, but with a time limit, without output, and for the server that
            KAGGLE_API_ENVIRONMENT selects."""
            values = self.config_values
            connection = Connection(
                env=get_env(),
                username=values.get(self.CONFIG_NAME_USER),
                password=values.get(self.CONFIG_NAME_KEY),
                api_token=values.get(self.CONFIG_NAME_TOKEN),
            )
            _limit_silence(_session_of(connection), timeout_seconds)
            return connection

    return _PatientApi()


def _limit_silence(session: Any, seconds: float) -> None:
    """Make every request of a session fail after a time without data."""
    from requests.adapters import HTTPAdapter

    class Limited(HTTPAdapter):
        def send(self, request: Any, *args: Any, **settings: Any) -> Any:
            settings["timeout"] = settings.get("timeout") or seconds
            return super().send(request, *args, **settings)

    session.mount("https://", Limited())
    session.mount("http://", Limited())


def _why_no_account(config: Path) -> str:
    from kagglesdk import get_access_token_from_env

    token, source = get_access_token_from_env()
    if token:
        place = source if source == "KAGGLE_API_TOKEN" else "~/.kaggle/access_token"
        return f"Kaggle rejects the API token in {place}: it is wrong or expired"
    for here, missing in (("USERNAME", "KEY"), ("KEY", "USERNAME")):
        if os.environ.get(f"KAGGLE_{here}") and not os.environ.get(f"KAGGLE_{missing}"):
            return f"KAGGLE_{here} is set but KAGGLE_{missing} is not"
    if config.exists():
        return f"{config} contains no user name and key"
    return "there are no Kaggle credentials"
