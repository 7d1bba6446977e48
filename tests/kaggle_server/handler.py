"""The HTTP side of the stand-in: who asks, what for, and the answer or the fault."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import socket
import struct
import time
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .contest import Contest
from .faults import Cut, Fault, Silence, Status
from .server import KaggleServer, Request

RULES = "You must accept this competition's rules before you'll be able to download files."
PIECE = 1 << 16
OPEN_TO_ALL = ("IntrospectToken", "GenerateAccessToken")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 20

    @property
    def stand_in(self) -> KaggleServer:
        return self.server.stand_in  # type: ignore[attr-defined,no-any-return]

    def handle_one_request(self) -> None:
        # Waiting for the next request of an open connection is not part of an answer.
        if self.rfile.peek(1):
            with self.stand_in.answering():
                super().handle_one_request()
        else:
            self.close_connection = True

    def do_CONNECT(self) -> None:
        """Somebody wants to leave the machine through the proxy."""
        self._endpoint, self._contest_id = "CONNECT", None
        self._send(Status(403, "the stand-in lets nobody out"))

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        question = json.loads(self.rfile.read(length) or b"{}")
        self._endpoint = urlsplit(self.path).path.rsplit("/", 1)[-1]
        self._contest_id = question.get("competitionName") or question.get("competition")
        fault = self.stand_in.next_fault(self._endpoint)
        if fault is not None:
            self._go_wrong(fault, b"{}", {"Content-Type": "application/json"})
        elif self._endpoint not in OPEN_TO_ALL and not self._is_known_user():
            self._send(Status(401, "Unauthenticated"))
        else:
            self._answer(question)

    def do_GET(self) -> None:
        """The storage: whole archives and byte ranges, for clients with a signed address."""
        self._endpoint, self._contest_id = "storage", None
        signature = parse_qs(urlsplit(self.path).query).get("signature", [""])[0]
        contest = self.stand_in.follow_link(signature)
        if contest is None:
            page = b"<?xml version='1.0'?><Error><Code>ExpiredToken</Code></Error>"
            self._send(Status(403, body=page, content_type="application/xml"))
            return
        self._contest_id = contest.id
        body, status, headers = self._part_asked_for(contest)
        fault = self.stand_in.next_fault("storage")
        if fault is not None:
            self._go_wrong(fault, body, headers, status)
        else:
            self._reply(status, headers, body)

    def _answer(self, question: dict[str, Any]) -> None:
        if self._endpoint in OPEN_TO_ALL:
            self._json(self._token_answer(question))
            return
        if self._endpoint == "ListCompetitions":
            self._json({"competitions": [c.record() for c in self.stand_in.contests.values()]})
            return
        if self._endpoint == "GetKernel":
            self._kernel(f"{question.get('userName')}/{question.get('kernelSlug')}")
            return
        contest = self.stand_in.contests.get(str(self._contest_id))
        if contest is None:
            self._send(Status(404, "Not found"))
        elif self._endpoint == "ListKernels":
            size, page = int(question["pageSize"]), int(question["page"])
            names = list(contest.kernels)[size * (page - 1) : size * page]
            self._json({"kernels": [{"ref": name, "totalVotes": 9} for name in names]})
        elif self._endpoint == "DownloadDataFiles":
            self._redirect(contest)
        elif self._endpoint == "GetCompetition":
            self._json(contest.record())
        elif self._endpoint == "GetLeaderboard":
            start = int(str(question.get("pageToken", "row-0")).removeprefix("row-"))
            self._json(contest.leaderboard_page(start, int(question.get("pageSize", 20))))
        elif self._endpoint == "ListCompetitionPages":
            pages = [{"name": name, "content": text} for name, text in contest.pages.items()]
            self._json({"pages": pages})
        else:
            self._send(Status(501, f"the stand-in has no {self._endpoint}"))

    def _token_answer(self, question: dict[str, Any]) -> dict[str, Any]:
        if self._endpoint == "IntrospectToken":
            user = self.stand_in.tokens.get(question.get("token", ""))
            return {"active": True, "username": user} if user else {"active": False}
        token = self.stand_in.refresh_tokens.get(question.get("refreshToken", ""))
        return {"token": token, "expiresIn": 3600} if token else {"code": 401, "message": "no"}

    def _kernel(self, name: str) -> None:
        known = {k: v for c in self.stand_in.contests.values() for k, v in c.kernels.items()}
        if known.get(name) is None:
            self._send(Status(403, "Permission 'kernels.get' was denied"))
            return
        kind, source = known[name]
        self._json({"metadata": {"ref": name}, "blob": {"kernelType": kind, "source": source}})

    def _redirect(self, contest: Contest) -> None:
        if not contest.rules_accepted:
            self._send(Status(403, RULES))
            return
        self._reply(302, {"Location": self.stand_in.make_link(contest.id)}, b"")

    def _part_asked_for(self, contest: Contest) -> tuple[bytes, int, dict[str, str]]:
        headers, whole = contest.storage_headers, contest.archive
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if not asked or not contest.has_ranges:
            return whole, 200, headers
        start = int(asked[1])
        end = min(int(asked[2]) + 1 if asked[2] else len(whole), len(whole))
        if start >= len(whole):
            return b"", 416, headers | {"Content-Range": f"bytes */{len(whole)}"}
        span = f"bytes {start}-{end - 1}/{len(whole)}"
        return whole[start:end], 206, headers | {"Content-Range": span}

    def _is_known_user(self) -> bool:
        kind, _, secret = (self.headers.get("Authorization") or "").partition(" ")
        if kind == "Bearer":
            return secret in self.stand_in.tokens
        if kind != "Basic":
            return False
        user, _, key = base64.b64decode(secret).decode().partition(":")
        return self.stand_in.keys.get(user) == key

    def _go_wrong(
        self, fault: Fault, body: bytes, headers: dict[str, str], status: int = 200
    ) -> None:
        if isinstance(fault, Status):
            self._send(fault)
        elif isinstance(fault, Cut):
            self._reply(status, headers, body, cut=fault)
        elif isinstance(fault, Silence):
            self._note(0, 0)
            self.close_connection = True
            time.sleep(fault.seconds)

    def _json(self, answer: dict[str, Any]) -> None:
        code = int(answer.get("code", 200))
        self._reply(code, {"Content-Type": "application/json"}, json.dumps(answer).encode())

    def _send(self, fault: Status) -> None:
        error = json.dumps({"code": fault.code, "message": fault.message}).encode()
        body = error if fault.body is None else fault.body
        self._reply(fault.code, {"Content-Type": fault.content_type, **fault.headers}, body)

    def _reply(
        self, status: int, headers: dict[str, str], body: bytes, cut: Cut | None = None
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        sent, goal = 0, len(body) if cut is None else min(cut.after, len(body))
        # Somebody may hang up in the middle; what had gone out by then still counts.
        with contextlib.suppress(ConnectionError):
            while sent < goal:
                sent += self.connection.send(body[sent : min(sent + PIECE, goal)])
        self._note(status, sent)
        if cut is not None:
            self._hang_up(with_reset=cut.with_reset)

    def _hang_up(self, *, with_reset: bool) -> None:
        self.close_connection = True
        if with_reset:
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()

    def _note(self, status: int, sent: int) -> None:
        kind = (self.headers.get("Authorization") or "").partition(" ")[0] or None
        self.stand_in.note(
            Request(
                endpoint=self._endpoint,
                contest_id=self._contest_id,
                status=status,
                byte_range=self.headers.get("Range"),
                authorization=kind,
                bytes_sent=sent,
            )
        )

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the requests are in `KaggleServer.requests`."""
