"""The routes of the gateway, and the call made from a request that the rules accept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from mlebench.gateway.dialects.table import CHAT, GEMINI, MESSAGES, RESPONSES, Dialect
from mlebench.gateway.rules import Denied, RequestCheck, read_object
from mlebench.gateway.rules.gemini import count_request
from mlebench.gateway.rules.messages import allowed_betas
from mlebench.gateway.settings import GatewaySettings

MAX_PARTS = 1_000_000
LEAST_THINKING = 1024
GEMINI_PATH = re.compile(r"/v1(?:beta)?/models/([^?#]{1,300}):(\w{1,40})")
KNOWN = (
    "POST /v1/chat/completions, /v1/responses, /v1/messages, /v1/messages/count_tokens,"
    " /v1beta/models/MODEL:generateContent, :streamGenerateContent and :countTokens, and GET"
    " /v1/models"
)


@dataclass(frozen=True)
class Route:
    """A path that the gateway serves."""

    dialect: Dialect
    path: str
    """The name in records."""

    is_count: bool = False
    """Whether the request only counts tokens."""

    is_stream: bool = False
    """Whether the path itself asks for a stream."""

    model: str | None = None
    """The model, if the path names it."""


@dataclass(frozen=True)
class Call:
    """An accepted request, as it will be sent if the provider speaks its protocol."""

    route: Route
    asked: dict[str, Any]
    """As the agent sent it."""

    body: dict[str, Any]
    """The permitted part of it, with the gateway's limits."""

    is_stream: bool
    wants_usage: bool
    """Whether the agent itself asked for the usage at the end of a stream."""

    choices: int
    max_output: int
    is_limited: bool
    """Whether the limit must be sent to the provider."""

    changed: dict[str, Any] = field(default_factory=dict)
    """Fields that the gateway set."""

    removed: tuple[str, ...] = ()
    """Fields that it left out."""

    images: tuple[str, ...] = ()
    betas: tuple[str, ...] = ()

    @property
    def dialect(self) -> Dialect:
        return self.route.dialect


FIXED = {
    "/v1/chat/completions": Route(CHAT, "/chat/completions"),
    "/v1/responses": Route(RESPONSES, "/responses"),
    "/v1/messages": Route(MESSAGES, "/messages"),
    "/v1/messages/count_tokens": Route(MESSAGES, "/messages/count_tokens", is_count=True),
}
ACTIONS = ("generateContent", "streamGenerateContent", "countTokens")


def find_route(method: str, path: str, query: str) -> Route:
    """The route of a request.

    Raises:
        Denied: there is none.
    """
    if method == "POST":
        if path in FIXED:
            return FIXED[path]
        found = GEMINI_PATH.fullmatch(path)
        if found and found[2] in ACTIONS:
            return _gemini_route(unquote(found[1]), found[2], query)
    raise Denied(404, f"only these paths exist: {KNOWN}", "not_found")


def _gemini_route(model: str, action: str, query: str) -> Route:
    is_stream = action == "streamGenerateContent"
    if is_stream and "alt=sse" not in query.split("&"):
        raise Denied(400, "streams are available only with ?alt=sse", "invalid_request")
    is_count = action == "countTokens"
    path = "/countTokens" if is_count else "/generateContent"
    return Route(GEMINI, path, is_count=is_count, is_stream=is_stream, model=model)


def front_dialect(path: str) -> Dialect:
    """The protocol in which a client expects errors of an address, whether it exists or not."""
    if path.startswith("/v1/messages"):
        return MESSAGES
    return GEMINI if path.startswith("/v1beta/") or GEMINI_PATH.fullmatch(path) else CHAT


def read_call(
    route: Route,
    body: bytes | bytearray,
    settings: GatewaySettings,
    headers: Mapping[str, str] | None = None,
) -> Call:
    """The call that a request asks for, with every field checked.

    Raises:
        Denied: the request may not pass.
    """
    asked = _parse(body)
    model = route.model if route.model is not None else asked.get("model")
    if model != settings.model:
        raise Denied(404, f"this run may use only the model {settings.model!r}", "model_not_found")
    check = RequestCheck()
    given = {name: value for name, value in asked.items() if value is not None}
    is_gemini_count = route.is_count and route.dialect is GEMINI
    shape = count_request if is_gemini_count else route.dialect.shape
    kept = {name: v for name, v in shape(given, "", check).items() if v is not None}
    betas: list[str] = []
    if route.dialect is MESSAGES:
        betas = allowed_betas((headers or {}).get("anthropic-beta", ""), check)
    return _Draft(route, asked, kept, check, settings).call(tuple(betas))


@dataclass
class _Draft:
    """A checked request while its limits are set."""

    route: Route
    asked: dict[str, Any]
    body: dict[str, Any]
    check: RequestCheck
    settings: GatewaySettings
    changed: dict[str, Any] = field(default_factory=dict)

    def call(self, betas: tuple[str, ...]) -> Call:
        choices, max_output, is_limited = self._bound()
        is_stream = self.route.is_stream or self.body.get("stream") is True
        wants_usage = self._set_stream_options(is_stream)
        self._set_store()
        if "prompt_cache_key" in self.body and not self.settings.is_openai:
            # Only OpenAI is known to accept it.
            del self.body["prompt_cache_key"]
            self.check.remove("prompt_cache_key")
        return Call(
            self.route,
            self.asked,
            self.body,
            is_stream and not self.route.is_count,
            wants_usage,
            choices,
            max_output,
            is_limited,
            self.changed,
            tuple(self.check.removed),
            tuple(self.check.images),
            betas,
        )

    def _bound(self) -> tuple[int, int, bool]:
        """Bound what multiplies the cost: choices and length of the answer."""
        dialect, settings = self.route.dialect, self.settings
        options = self.body
        if dialect.options_field:
            options = self.body.setdefault(dialect.options_field, {})
        choices = options.get(dialect.choices_field or "", 1)
        if not _is_count(choices) or choices > settings.max_choices:
            name = dialect.choices_field
            raise Denied(400, f"{name!r} may be 1 to {settings.max_choices}", "not_allowed")
        limits = []
        for name in dialect.output_fields:
            if options.get(name) is None:
                continue
            if not _is_count(options[name]):
                raise Denied(400, f"{name!r} must be a positive whole number", "invalid_request")
            limits.append(min(options[name], settings.max_output_tokens))
            if limits[-1] != options[name]:
                self._set(options, name, limits[-1])
        # A reservation needs an upper bound that the provider keeps.
        is_needed = bool(settings.group_budget or settings.run_budget) or dialect is MESSAGES
        is_limited = bool(limits) or is_needed
        if not limits and is_needed and not self.route.is_count:
            self._set(options, output_field(dialect, settings), settings.max_output_tokens)
        most = max(limits, default=settings.max_output_tokens)
        self._bound_thinking(most)
        return choices, most, is_limited

    def _set(self, options: dict[str, Any], name: str, value: Any) -> None:
        options[name] = self.changed[name] = value

    def _bound_thinking(self, max_output: int) -> None:
        """Anthropic refuses a budget for thinking that is not below the answer's length."""
        thinking = self.body.get("thinking")
        budget = thinking.get("budget_tokens") if isinstance(thinking, dict) else None
        if isinstance(thinking, dict) and budget is not None and budget >= max_output:
            if max_output <= LEAST_THINKING:
                self._set(self.body, "thinking", {"type": "disabled"})
            else:
                self._set(thinking, "budget_tokens", max_output - 1)

    def _set_stream_options(self, is_stream: bool) -> bool:
        if self.route.dialect is not CHAT:
            self.body.pop("stream_options", None)
            return False
        options = self.body.pop("stream_options", None) or {}
        if is_stream:
            self.body["stream_options"] = {"include_usage": True}
            if not options.get("include_usage"):
                self.changed["stream_options"] = {"include_usage": True}
        return options.get("include_usage") is True

    def _set_store(self) -> None:
        """Nothing is stored at the provider; local servers do not know the field."""
        if self.route.dialect is RESPONSES or (
            self.route.dialect is CHAT and not self.settings.is_local
        ):
            self.body["store"] = False
            if self.asked.get("store") is not False:
                self.changed["store"] = False
        else:
            self.body.pop("store", None)


def output_field(dialect: Dialect, settings: GatewaySettings) -> str:
    """OpenAI's newer models accept only the newer name, other servers often only the older one."""
    if dialect is CHAT and not settings.is_openai:
        return "max_tokens"
    return dialect.output_fields[0]


def _parse(body: bytes | bytearray) -> dict[str, Any]:
    # A few megabytes of brackets would become gigabytes of objects.
    if sum(body.count(mark) for mark in (b",", b"[", b"{")) > MAX_PARTS:
        raise Denied(413, "the request has too many parts", "invalid_request")
    try:
        return read_object(body)
    except ValueError as error:
        raise Denied(400, f"the request is {error}", "invalid_request") from None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
