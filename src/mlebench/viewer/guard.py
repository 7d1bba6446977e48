"""Who may send requests: pages of this viewer, with the token.

On a shared machine every user can connect to loopback, so the token is needed there, too.
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
    """Judges requests by their head alone."""

    port: int
    token: str
    """In the address that the viewer prints; the first visit turns it into a cookie."""

    names: tuple[str, ...] = ()
    """Names of this machine that are accepted beside the loopback ones."""

    is_public: bool = False
    """Whether it is bound to an address that other machines can reach."""

    @property
    def cookie(self) -> str:
        return f"mlebench-view-{self.port}"

    def judge(self, request: HttpRequest) -> HttpReply | None:
        """A refusal, a redirect that sets the cookie, or nothing: then it may pass."""
        host = request.headers.get("host", "")
        if not self._is_ours(host):
            return refusal(403, "this viewer answers under its own address only")
        if request.headers.get("origin", f"http://{host}") != f"http://{host}":
            return refusal(403, "requests of other sites are not answered")
        if request.headers.get("sec-fetch-site", "none") not in SAME:
            return refusal(403, "requests of other sites are not answered")
        if "upgrade" in request.headers:
            return refusal(403, "there is no other protocol here")
        if request.method not in METHODS:
            return refusal(405, "the viewer only reads: GET and HEAD", Allow="GET, HEAD")
        return self._judge_token(request)

    def _is_ours(self, host: str) -> bool:
        name, _, port = host.rpartition(":")
        if port != str(self.port):
            return False
        if name in LOOPBACK or name.lower() in self.names:
            return True
        # A foreign name can be made to point here, an address cannot.
        return self.is_public and _is_address(name)

    def _judge_token(self, request: HttpRequest) -> HttpReply | None:
        try:
            asked = parse_qsl(request.query, keep_blank_values=True, max_num_fields=50)
        except ValueError:
            asked = []  # too many fields: the application says so to those who have the cookie
        given = dict(asked).get("token")
        if given is not None and self._fits(given):
            rest = urlencode([pair for pair in asked if pair[0] != "token"])
            # A path with two slashes would be another machine's.
            place = "/" + request.path.lstrip("/") + (f"?{rest}" if rest else "")
            cookie = f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"
            return HttpReply(303, {}, {"Location": place, "Set-Cookie": cookie})
        try:
            kept = SimpleCookie(request.headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            kept = None
        if kept is not None and self._fits(kept.value):
            return None
        message = "open the address with ?token= that the viewer printed at its start"
        if "text/html" in request.headers.get("accept", ""):
            # Somebody typed the address: a sentence, not JSON.
            kind, headers = "text/plain; charset=utf-8", {"Cache-Control": "no-store"}
            return HttpReply(401, headers=headers, body=f"{message}\n".encode(), content_type=kind)
        return refusal(401, message)

    def _fits(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())


def make_guard(host: str, port: int) -> Guard:
    """For the address that the viewer is bound to, with a new token."""
    token = secrets.token_urlsafe(24)
    if is_loopback(host):
        # Such as 127.0.0.2: only this machine can mean it.
        return Guard(port, token, (f"[{host}]" if ":" in host else host,))
    names = {host.lower(), socket.gethostname().lower()}
    return Guard(port, token, tuple(sorted(names)), is_public=True)


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect to the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def refusal(status: int, message: str, hint: str | None = None, **headers: str) -> HttpReply:
    """An error as the pages know it."""
    kind = {401: "token", 403: "refused", 404: "absent", 405: "method", 503: "busy"}
    error = {"kind": kind.get(status, "error"), "message": message, "hint": hint}
    return HttpReply(status, {"error": error}, {"Cache-Control": "no-store", **headers})
