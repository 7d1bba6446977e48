"""Every answer of the model is recorded, and a report is computed from recorded answers only.

A killed command therefore continues where it was, and a replay computes the same report. An answer
is reduced to what reports need before it is recorded; the provider's key is never in it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from mlebench.errors import DataError, UsageError
from mlebench.gateway.keys import KeyFilter
from mlebench.records.codec import read_bytes
from mlebench.records.contamination import ANSWERS, RecordedAnswer
from mlebench.system.files import write_atomically

TOP = 10
"""Candidates that are asked for at each position, as in the published experiment."""

DIGITS = 5
HEADER = "recording"


@dataclass(frozen=True)
class Question:
    """A request to the model."""

    route: str
    body: dict[str, Any]

    @property
    def key(self) -> str:
        # Recordings have the number of a repetition here, which was always 0.
        text = json.dumps([self.route, self.body, 0], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


class AnswerLog:
    """The recorded answers by question; new ones are appended to the file immediately."""

    def __init__(self, file: Path) -> None:
        data = read_bytes(file)
        entries = list(ANSWERS.decode(data))
        if not entries or entries[0].key != HEADER:
            raise DataError(f"{file} is not a recording of `mlebench contamination`")
        self.file = file
        self.header = entries[0].request
        self.used: set[str] = set()
        self._known = {entry.key: entry.answer for entry in entries[1:]}
        self._is_cut = not data.endswith(b"\n")
        self._stream: BinaryIO | None = None

    @classmethod
    def replay(cls, file: Path) -> AnswerLog:
        """A finished recording, which answers without a model."""
        return cls(file)

    @classmethod
    def record(cls, file: Path, *, model: str, base_url: str) -> AnswerLog:
        """A recording to continue, or a new one; it belongs to one model at one provider."""
        if not file.exists() or not file.stat().st_size:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            facts = {"model": model, "base_url": base_url, "created_at": now}
            write_atomically(file, ANSWERS.encode(RecordedAnswer(HEADER, request=facts)))
        log = cls(file)
        if (log.header.get("model"), log.header.get("base_url")) != (model, base_url):
            raise UsageError(
                f"{file} holds answers of {log.header.get('model')} at"
                f" {log.header.get('base_url')}, not of {model} at {base_url}",
                hint="choose another --out, or remove the file",
            )
        log._stream = file.open("ab")
        if log._is_cut:
            # A crash cut the last line short: it is ignored, and the question is asked again.
            log._stream.write(b"\n")
        return log

    def __contains__(self, question: Question) -> bool:
        return question.key in self._known

    def get(self, question: Question) -> dict[str, Any]:
        """The recorded answer; DataError if there is none."""
        self.used.add(question.key)
        try:
            return self._known[question.key]
        except KeyError:
            raise DataError(
                f"{self.file} has no answer to this question: {str(question.body)[:200]}",
                hint="replay with the competitions, probes and documents of the recording",
            ) from None

    def add(self, question: Question, answer: dict[str, Any], clean: KeyFilter) -> None:
        """Record an answer, without the key wherever a provider repeats it."""
        entry = RecordedAnswer(question.key, question.route, question.body, answer)
        line = clean(ANSWERS.encode(entry).decode()).encode()
        self._known[question.key] = json.loads(line)["answer"]
        if self._stream:
            self._stream.write(line)
            self._stream.flush()

    def close(self) -> None:
        if self._stream:
            self._stream.close()


def reduced(question: Question, answer: dict[str, Any]) -> dict[str, Any]:
    """What a report needs: the text, and for each token its log probability and the candidates.

    Where the server returns the prompt (`echo`), candidates are log probabilities without texts.

    Raises:
        DataError: the answer has no choice.
    """
    try:
        choice = answer["choices"][0]
        text = choice["message"]["content"] if question.route == "chat" else choice["text"]
    except (KeyError, IndexError, TypeError):
        raise DataError("the provider's answer has no choice with a text") from None
    entries = _entries(choice.get("logprobs"))
    if question.body.get("echo"):
        entries = [[token, value, [v for _, v in top]] for token, value, top in entries]
    found: dict[str, Any] = {"tokens": entries} if entries else {}
    if not question.body.get("echo"):
        found["text"] = text or ""
    usage = answer.get("usage") or {}
    for name in ("prompt_tokens", "completion_tokens"):
        if isinstance(usage.get(name), int):
            found[name] = usage[name]
    return found


def _entries(logprobs: Any) -> list[list[Any]]:
    """For each token: text, log probability, candidates; from both formats that servers use."""
    if not isinstance(logprobs, dict):
        return []
    if isinstance(content := logprobs.get("content"), list):
        return [
            [e["token"], _rounded(e["logprob"]), _candidates(e.get("top_logprobs"))]
            for e in content
        ]
    tokens = logprobs.get("tokens") or []
    values = logprobs.get("token_logprobs") or []
    tops = logprobs.get("top_logprobs") or [None] * len(tokens)
    if not len(tokens) == len(values) == len(tops):
        raise DataError(
            f"the provider returned {len(tokens)} tokens, {len(values)} log probabilities and"
            f" {len(tops)} lists of candidates, expected equal numbers"
        )
    return [
        [token, _rounded(value), _candidates(top)]
        for token, value, top in zip(tokens, values, tops, strict=True)
    ]


def _candidates(top: Any) -> list[list[Any]]:
    """The most likely candidates, best first; servers may add the token itself as one more."""
    if isinstance(top, dict):
        pairs = list(top.items())
    else:
        pairs = [(one["token"], one["logprob"]) for one in top or ()]
    ordered = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
    return [[token, _rounded(value)] for token, value in ordered[:TOP]]


def _rounded(value: float | None) -> float | None:
    # Some servers write -inf or -9999 for impossible tokens.
    return None if value is None else round(max(float(value), -9999.0), DIGITS)
