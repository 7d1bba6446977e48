"""Log probabilities of a given text, by two methods.

`echo` asks a server to return the prompt with its log probabilities: one call per window. Many
servers accept the option and ignore it; a known sentence shows that before anything is measured.
`next-token` is the published method: one call for each sampled position, with the text before it
as the prompt, and only the ten most likely candidates are known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlebench.contamination.answers import TOP, Question
from mlebench.contamination.client import ModelClient
from mlebench.contamination.pieces import Placed, place_tokens, split_words
from mlebench.errors import DataError

SENTENCE = "The quick brown fox jumps over the lazy dog, and then it sleeps for a while."
MARKS = ("", "<|im_start|>", "<|begin_of_text|>", "<s>", "<|endoftext|>")
"""Marks to put before a text: without one, some servers return each token with the values of the
next token."""

MARGIN = 12
LEAST_IN_TOP = 0.6
SAMPLED = 1000
"""Positions per document, as in the published experiment."""

FILLING = 0.98
"""Share of a window that is filled; the number of tokens of a text is an estimate."""

FIRST_GUESS = 2.5
"""Characters per token before the first answer: few, so that the first window usually fits."""

SHRINKING = 0.7

MIN_WINDOW = 64
MIN_DEVIATION = 0.1


@dataclass(frozen=True)
class TextScores:
    """The tokens of a text that have a value; the first token of a text has none."""

    logp: NDArray[np.float64]
    """NaN where only the candidates are known and the token is not among them."""

    in_top: NDArray[np.bool_]
    normed: NDArray[np.float64]
    """Log probability, standardised by the candidates' mean and deviation at that place."""

    tokens: int
    is_complete: bool
    """Whether every token has its own value."""


class EchoScorer:
    """Scores a text in windows, each half a context further on than the one before."""

    method = "echo"

    def __init__(self, client: ModelClient, context: int) -> None:
        self._client = client
        self._context = context
        self._mark = MARKS[0]

    def prepare(self) -> str:
        """Check that the server returns the prompt; returns a note about its tokens.

        Raises:
            DataError: the server ignores `echo`, or its values belong to other tokens.
        """
        text = f"{SENTENCE} {SENTENCE}"
        for mark in MARKS:
            self._mark = mark
            answer = self._ask(text)
            placed = place_tokens(text, self._without_mark(answer))
            self._require_echo(answer, placed, text)
            repeated = [one for one in placed if one.start > len(SENTENCE) + MARGIN]
            scores = _scores([one.entry for one in repeated])
            if scores.in_top.mean() >= LEAST_IN_TOP:
                note = f", after the mark {mark}" if mark else ""
                return f"{len(placed)} tokens for {len(text)} characters of English{note}"
        raise DataError(
            "the server's log probabilities do not belong to the tokens they are returned with: a"
            " sentence that is repeated is not predicted the second time",
            hint="scripts/serve_local_model.py serves local models; or use --method next-token",
        )

    def _require_echo(self, answer: dict[str, Any], placed: list[Placed], text: str) -> None:
        entries, asked = answer.get("tokens", []), answer.get("prompt_tokens")
        # Some servers leave out the begin mark, or return no token that was generated.
        is_short = asked and len(entries) < asked + min(0, answer.get("completion_tokens", 0) - 1)
        if not placed or placed[-1].end < len(text) or is_short:
            raise DataError(
                f"the server ignores `echo`: it returned log probabilities of {len(entries)} tokens"
                f" for a prompt of {asked or 'about 36'} tokens, expected all of them",
                hint="--method next-token works with any server, with up to 1,000 calls per text",
            )
        if any(one.entry[1] is None or not one.entry[2] for one in placed[1:]):
            raise DataError(
                "the server returns the prompt without log probabilities and candidates",
                hint="llama-cpp-python needs logits_all=True; or use --method next-token",
            )

    def _without_mark(self, answer: dict[str, Any]) -> list[list[Any]]:
        """The tokens of the text alone; a server may return the mark or leave it out."""
        entries: list[list[Any]] = answer.get("tokens", [])
        if self._mark and entries and str(entries[0][0]) == self._mark:
            return entries[1:]
        return entries

    def prefetch(self, texts: Sequence[str]) -> None:
        """Ask for the first windows of several texts at once, so that `score` finds them."""
        size = self._size(FIRST_GUESS)
        self._client.ask([self._question(text[:size]) for text in texts])

    def score(self, text: str, after: str = "") -> TextScores:
        """Every token of the text once, except the first if there is no text before it."""
        found: list[list[Any]] = []
        start, counted = 0, len(after)
        text = after + text
        ratio = FIRST_GUESS
        while True:
            chunk = text[start : start + self._size(ratio)]
            answer = self._ask(chunk)
            if answer.get("is_too_long") and len(chunk) > MIN_WINDOW:
                ratio *= SHRINKING
                continue
            entries = self._placed(chunk, self._without_mark(answer))
            is_last = start + len(chunk) >= len(text)
            # The end of a chunk may cut a word, and its first token has no context.
            whole = entries if is_last or len(entries) < 3 else entries[:-1]
            found += [e.entry for e in whole[1:] if start + e.start >= counted]
            if is_last:
                return _scores(found)
            counted = start + whole[-1].end
            start += entries[len(entries) // 2].start
            ratio = len(chunk) / len(entries)

    def _size(self, ratio: float) -> int:
        return int((self._context - 1) * FILLING * ratio)

    def _placed(self, chunk: str, entries: list[list[Any]]) -> list[Placed]:
        placed = place_tokens(chunk, entries)
        end = placed[-1].end if placed else 0
        if end < len(chunk):
            raise DataError(
                f"the server returned {end:,} of {len(chunk):,} characters of a window",
                hint=f"its context is probably shorter than --context {self._context}",
            )
        return placed

    def _ask(self, text: str) -> dict[str, Any]:
        return self._client.ask([self._question(text)])[0]

    def _question(self, text: str) -> Question:
        prompt = self._mark + text
        body = {"prompt": prompt, "max_tokens": 1, "temperature": 0, "echo": True, "logprobs": TOP}
        return Question("completions", body)


class NextTokenScorer:
    """The published method; uses words instead of tokens if the tokens are not known."""

    method = "next-token"

    def __init__(
        self, client: ModelClient, context: int, pieces: Sequence[str] | None = None
    ) -> None:
        """`pieces` are the tokens of the only text that will be scored, if they are known."""
        self._client = client
        self._context = context
        self._pieces = pieces

    def prepare(self) -> str:
        """Check that the server returns candidates."""
        answer = self._client.ask([self._question(SENTENCE[:19])])[0]
        if not answer.get("tokens") or not answer["tokens"][0][2]:
            raise DataError(
                "the server returns no candidates for the next token",
                hint="a model behind /completions with `logprobs` is needed",
            )
        return "words: the longest candidate that the text continues with counts"

    def prefetch(self, texts: Sequence[str]) -> None:
        """Nothing to do: `score` asks for all positions of a text at once."""

    def score(self, text: str) -> TextScores:
        """The sampled positions of the text."""
        pieces = list(self._pieces or split_words(text))
        starts = np.cumsum([0, *map(len, pieces)])
        positions = sampled_positions(text, len(pieces))
        window = self._context - 1
        questions = [
            self._question(text[starts[max(0, k - window)] : starts[k]]) for k in positions
        ]
        found = []
        for position, answer in zip(positions, self._client.ask(questions), strict=True):
            candidates = (answer.get("tokens") or [["", None, []]])[0][2]
            rest = text[starts[position] :]
            true = pieces[position] if self._pieces else None
            found.append(_candidate_of(candidates, rest, true))
        return _scores(found, tokens=len(pieces))

    def _question(self, prefix: str) -> Question:
        body = {"prompt": prefix, "max_tokens": 1, "temperature": 0, "logprobs": TOP}
        return Question("completions", body)


Scorer = EchoScorer | NextTokenScorer


def sampled_positions(text: str, tokens: int) -> NDArray[np.int64]:
    """Positions drawn without replacement, always the same for a text; never the first one."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    count = min(SAMPLED, tokens - 1)
    chosen = np.random.default_rng(seed).choice(tokens - 1, max(0, count), replace=False)
    return np.sort(chosen) + 1


def _candidate_of(candidates: list[list[Any]], rest: str, true: str | None) -> list[Any]:
    """The entry of the true token, with None for one that is not among the candidates."""
    fitting = [c for c in candidates if (c[0] == true if true else c[0] and rest.startswith(c[0]))]
    best = max(fitting, key=lambda c: len(c[0]), default=None)
    return [None, best[1] if best else None, [value for _, value in candidates]]


def _scores(entries: Sequence[list[Any]], tokens: int | None = None) -> TextScores:
    if not entries:
        raise DataError("a text has fewer than two tokens, so nothing can be measured")
    logp = np.array([np.nan if e[1] is None else e[1] for e in entries], dtype=np.float64)
    tops = np.full((len(entries), TOP), -np.inf)
    for row, entry in zip(tops, entries, strict=True):
        values = entry[2][:TOP]
        row[: len(values)] = values
    last = np.array([entry[2][:TOP][-1] if entry[2] else np.inf for entry in entries])
    in_top = ~np.isnan(logp) & (logp >= last - 1e-6)
    share = np.exp(tops)
    share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
    finite = np.where(np.isfinite(tops), tops, 0.0)
    mean = (share * finite).sum(axis=1)
    spread = np.sqrt((share * (finite - mean[:, None]) ** 2).sum(axis=1))
    normed = (logp - mean) / np.maximum(spread, MIN_DEVIATION)
    is_complete = tokens is None and not np.isnan(logp).any()
    return TextScores(logp, in_top, normed, tokens or len(entries) + 1, is_complete)
