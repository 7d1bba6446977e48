"""How each protocol reports a failed call to its client."""

from __future__ import annotations

from typing import Any

from mlebench.gateway.streams import Event, named_events

MESSAGE_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
GEMINI_STATES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    402: "FAILED_PRECONDITION",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    413: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


def openai_error(status: int, message: str, code: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "gateway_error", "param": None, "code": code}}


def messages_error(status: int, message: str, code: str) -> dict[str, Any]:
    kind = MESSAGE_TYPES.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": message, "code": code}}


def gemini_error(status: int, message: str, code: str) -> dict[str, Any]:
    reason = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": code,
        "domain": "mlebench",
    }
    state = GEMINI_STATES.get(status, "INTERNAL")
    return {"error": {"code": status, "message": message, "status": state, "details": [reason]}}


def responses_events(body: dict[str, Any]) -> list[Event]:
    """An error within a stream, and the failed response: clients read one or the other."""
    facts = {"code": body["error"]["code"], "message": body["error"]["message"]}
    failed = {"id": "resp_0", "object": "response", "status": "failed", "output": []}
    return named_events(
        [
            {"type": "response.failed", "response": {**failed, "error": facts}},
            {"type": "error", **facts, "param": None, **body},
        ]
    )
