"""Accept only requests from pages of this viewer, with its token.

On a shared machine every user can connect to loopback, so the token is required there, too.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from mlebench.http import HttpReply, HttpRequest

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
METHODS = ("GET", "HEAD")
SAME = ("same-origin", "none")


@dataclass(frozen=True)
class Guard:
    """Judges requests by method, address and headers."""

    port: int
    token: str
    """Part of the address that the viewer prints; the first visit stores it in a cookie."""

    names: tuple[str, ...] = ()
    """Names of this machine that are accepted besides the loopback ones."""

    is_public: bool = False
    """Whether other machines can connect."""

    @property
    def cookie(self) -> str:
        return f"mlebench-view-{self.port}"

    def judge(self, request: HttpRequest) -> HttpReply | None:
        """A refusal, a redirect that sets the cookie, or None if the request is accepted."""
        headers, host = request.headers, request.headers.get("host", "")
        if not self._is_ours(host):
            return refusal(403, "this viewer answers only under its own address")
        is_ours = headers.get("origin", f"http://{host}") == f"http://{host}"
        if not is_ours or headers.get("sec-fetch-site", "none") not in SAME:
            return refusal(403, "requests from other sites are refused")
        if "upgrade" in headers:
            return refusal(403, "protocol upgrades are refused")
        if request.method not in METHODS:
            return refusal(405, "the viewer is read-only: use GET or HEAD", Allow="GET, HEAD")
        return self._judge_token(request)

    def _is_ours(self, host: str) -> bool:
        name, _, port = host.rpartition(":")
        if port != str(self.port):
            return False
        if name in LOOPBACK or name.lower() in self.names:
            return True
        # A foreign name can be made to resolve to this machine (DNS rebinding), an address cannot.
        return self.is_public and _address(name.removeprefix("[").removesuffix("]")) is not None

    def _judge_token(self, request: HttpRequest) -> HttpReply | None:
        try:
            asked = parse_qsl(request.query, keep_blank_values=True, max_num_fields=50)
        except ValueError:
            asked = []  # too many fields: the application refuses them if the cookie is right
        given = dict(asked).get("token")
        if given is not None and self._fits(given):
            rest = urlencode([pair for pair in asked if pair[0] != "token"])
            # A path that starts with two slashes would redirect to another machine.
            place = "/" + request.path.lstrip("/") + (f"?{rest}" if rest else "")
            cookie = f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"
            return HttpReply(303, {}, {"Location": place, "Set-Cookie": cookie})
        try:
            kept = SimpleCookie(request.headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            kept = None
        if kept is not None and self._fits(kept.value):
            return None
        message = "open the address with ?token= that the viewer printed when it started"
        if "text/html" in request.headers.get("accept", ""):
            # A browser shows this reply: a sentence, not JSON.
            kind, headers = "text/plain; charset=utf-8", {"Cache-Control": "no-store"}
            return HttpReply(401, headers=headers, body=f"{message}\n".encode(), content_type=kind)
        return refusal(401, message)

    def _fits(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())


def make_guard(host: str, port: int) -> Guard:
    """A guard with a new token, for a viewer that listens on this address."""
    token = secrets.token_urlsafe(24)
    if is_loopback(host):
        # The host may be another loopback address, such as 127.0.0.2.
        return Guard(port, token, (f"[{host}]" if ":" in host else host,))
    names = {host.lower(), socket.gethostname().lower()}
    return Guard(port, token, tuple(sorted(names)), is_public=True)


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect to the address."""
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def refusal(status: int, message: str, hint: str | None = None, **headers: str) -> HttpReply:
    """An error reply in the form that the pages expect."""
    kind = {401: "token", 403: "refused", 404: "absent", 405: "method", 503: "busy"}
    error = {"kind": kind.get(status, "error"), "message": message, "hint": hint}
    return HttpReply(status, {"error": error}, {"Cache-Control": "no-store", **headers})
