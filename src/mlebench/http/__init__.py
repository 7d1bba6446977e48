"""The small HTTP/1.1 server on h11 that gateway, validation and viewer share.

`HttpServer` calls an async function with each `HttpRequest`; it returns an `HttpReply` (a whole
answer) or an `HttpStream` (an answer in pieces), or raises `RequestRefused`.
"""

from mlebench.http.messages import HttpReply, HttpRequest, HttpStream, RequestRefused
from mlebench.http.server import HttpServer, listen_on_socket
from mlebench.http.uploads import Spool, Upload

__all__ = [
    "HttpReply",
    "HttpRequest",
    "HttpServer",
    "HttpStream",
    "RequestRefused",
    "Spool",
    "Upload",
    "listen_on_socket",
]
