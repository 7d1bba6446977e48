"""Windows, alignment, and servers that do not do what they are asked."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from mlebench.contamination.documents import Document
from mlebench.contamination.familiarity import min_k, score_document
from mlebench.contamination.pieces import place_tokens, split_words
from mlebench.contamination.scoring import EchoScorer, NextTokenScorer, _scores, sampled_positions
from mlebench.errors import DataError
from tests.contamination.conftest import KEY, Connect
from tests.contamination.stub import TOKENS, StubServer

WORDS = [f"word{k} of, the (long) text-{k * 7}." for k in range(4000)]


@pytest.mark.parametrize("count", [30, 700, pytest.param(2600, marks=pytest.mark.long)])
def test_every_token_once(count: int, stub: StubServer, connect: Connect) -> None:
    """Windows overlap by half, and yet the tokens are those of the text, in their order."""
    text = " ".join(WORDS[:count])
    tokens = TOKENS.findall(text)
    found = EchoScorer(connect(stub.url), 4096).score(text)
    assert found.tokens == len(tokens)
    assert found.is_complete
    calls = len(stub.seen)
    assert calls <= max(1, math.ceil(len(tokens) / 2000))
    # With one long window the same values come out, but for tokens that the stub knows by context.
    stub.context = 10**9
    whole = EchoScorer(connect(stub.url), 10**6).score(text)
    np.testing.assert_allclose(found.logp, whole.logp)


def test_a_dense_text_is_asked_in_shorter_windows(stub: StubServer, connect: Connect) -> None:
    text = "".join("!?;:"[k % 4] for k in range(3000))
    stub.context = 512
    found = EchoScorer(connect(stub.url), 512).score(text)
    assert found.tokens == len(TOKENS.findall(text)) == 3000


def test_a_server_that_ignores_echo(stub: StubServer, connect: Connect) -> None:
    stub.ignores_echo = True
    with pytest.raises(DataError, match=r"ignores `echo`.* of 1 tokens for a prompt of") as error:
        EchoScorer(connect(stub.url), 4096).prepare()
    assert "next-token" in str(error.value.hint)


def test_a_server_that_returns_other_values(stub: StubServer, connect: Connect) -> None:
    """A text that repeats itself is predicted; else values belong to other tokens."""
    scorer = EchoScorer(connect(stub.url), 4096)
    assert "tokens for" in scorer.prepare()
    plain = stub.model.logprobs

    def shifted(text: str) -> object:
        tokens, values, tops = plain(text)
        return tokens, [None, *([-9.0] * (len(values) - 1))], tops

    stub.model.logprobs = shifted  # type: ignore[assignment,method-assign]
    with pytest.raises(DataError, match="do not belong to the tokens"):
        EchoScorer(connect(stub.url), 4096).prepare()


def test_a_window_that_is_cut_without_notice(stub: StubServer, connect: Connect) -> None:
    plain = stub.model.logprobs
    stub.model.logprobs = lambda text: plain(text[:1000])  # type: ignore[method-assign]
    with pytest.raises(DataError, match=r"returned 1,0.. of 2,\d+ characters"):
        EchoScorer(connect(stub.url), 4096).score(" ".join(WORDS[:80]))


def test_next_token_by_words(stub: StubServer, connect: Connect) -> None:
    """The longest candidate that the text continues with counts; the others count 0."""
    text = "a b x b x c " * 30
    found = NextTokenScorer(connect(stub.url), 64).score(text)
    pieces = split_words(text)
    positions = sampled_positions(text, len(pieces))
    is_x = [pieces[k] == " x" for k in positions]
    assert found.in_top.tolist() == is_x
    assert found.logp[is_x] == pytest.approx(-1.0)
    assert not found.is_complete
    scores = score_document(Document("c", "d", "own", text), NextTokenScorer(connect(stub.url), 64))
    assert scores.familiarity == pytest.approx(np.mean(is_x) * math.exp(-1), abs=1e-5)
    assert (scores.mean_logp, scores.mink20) == (None, None)


def test_transient_failures_are_retried(stub: StubServer, connect: Connect) -> None:
    stub.failures = [429, 503]
    assert EchoScorer(connect(stub.url), 4096).score("one two three four").tokens == 4
    assert len(stub.seen) == 3
    assert stub.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_published_and_full_familiarity_by_hand() -> None:
    """A token outside the ten most likely ones counts 0 in one figure, its value in the other."""
    top = [math.log(p) for p in (0.5, 0.2, 0.1, 0.05, 0.04, 0.03, 0.02, 0.01, 0.009, 0.008)]
    found = _scores([["a", math.log(0.5), top], ["b", math.log(0.001), top]])
    assert found.in_top.tolist() == [True, False]
    assert np.where(found.in_top, np.exp(found.logp), 0).mean() == pytest.approx(0.25)
    assert np.exp(found.logp).mean() == pytest.approx(0.2505)
    share = np.exp(top) / np.exp(top).sum()
    mean = (share * top).sum()
    deviation = math.sqrt((share * (np.array(top) - mean) ** 2).sum())
    assert found.normed[1] == pytest.approx((math.log(0.001) - mean) / deviation)
    assert min_k(np.array([-1.0, -2, -3, -4, -5, -6, -7, -8, -9, -10])) == -9.5
    assert min_k(np.array([-1.0, -2])) == -2


def test_samples_are_the_same_for_the_same_text() -> None:
    first = sampled_positions("text", 5000)
    assert len(first) == len(set(first.tolist())) == 1000
    assert first.min() >= 1
    assert first.tolist() == sampled_positions("text", 5000).tolist()
    assert len(sampled_positions("text", 12)) == 11


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Zwei Öfen – größer.", ["Zwei", " ", "", "", "fen", " ", "", "", "", " größer", "."]),
        ("Hello world", ["<s>", " Hello", " world", " and more"]),
        ("naïve 日本", ["na", "ï", "ve", " ", "\ufffd", "\ufffd"]),
    ],
)
def test_places_of_odd_tokens(text: str, tokens: list[str]) -> None:
    placed = place_tokens(text, [[token, -1.0, []] for token in tokens])
    assert placed[-1].end == len(text)
    assert all(a.end <= b.end for a, b in pairwise(placed))
