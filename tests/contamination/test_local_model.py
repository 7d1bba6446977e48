"""The instrument with a real language model on this machine, however small; see `make test-model`.

Log probabilities come from `scripts/serve_local_model.py`; llama-cpp-python's own server is tested
for what it does to models without a begin mark.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from mlebench.contamination.answers import AnswerLog
from mlebench.contamination.client import ModelClient
from mlebench.contamination.controls import decoys
from mlebench.contamination.documents import Document
from mlebench.contamination.familiarity import min_k, score_document
from mlebench.contamination.scoring import EchoScorer, NextTokenScorer, TextScores
from mlebench.errors import DataError
from tests.agents.test_local_model import HOME, PYTHON, find_model, free_port, wait_until_served
from tests.contamination.conftest import Connect

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]
CONTEXT = 2048
GENESIS = """In the beginning God created the heaven and the earth. And the earth was without form,
and void; and darkness was upon the face of the deep. And the Spirit of God moved upon the face of
the waters. And God said, Let there be light: and there was light. And God saw the light, that it
was good: and God divided the light from the darkness."""
FOX = "The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog."


@pytest.fixture(scope="module")
def model_file() -> str:
    return find_model()


Start = Callable[..., str]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start a server; returns its base URL."""
    with ExitStack() as stack:

        def start(*words: str) -> str:
            port = free_port()
            log = tmp_path_factory.mktemp("server") / "log"
            with log.open("wb") as stream:
                process = subprocess.Popen(
                    [str(PYTHON), *words, "--port", str(port)], stdout=stream, stderr=stream
                )
            stack.callback(process.wait, 30)
            stack.callback(process.terminate)
            url = f"http://127.0.0.1:{port}/v1"
            wait_until_served(url, process, log)
            return url

        yield start


@pytest.fixture(scope="module")
def url(model_file: str, start: Start) -> str:
    script = str(HOME / "scripts" / "serve_local_model.py")
    # Threads of llama.cpp wait in busy loops: beside other work two need more time than one.
    return start(script, model_file, "--context", str(CONTEXT), "--threads", "1")


def own_text(characters: int = 900) -> str:
    home = HOME / "src" / "mlebench" / "competitions" / "spaceship_titanic"
    return (home / "description.md").read_text("utf-8")[:characters]


def familiarity(text: str, scorer: EchoScorer) -> float:
    return score_document(Document("c", "d", "own", text), scorer).familiarity


def test_echo_and_next_token_agree(url: str, connect: Connect) -> None:
    """T1: at 200 positions of four texts, and familiarity as a whole."""
    client = connect(url, jobs=1)
    echo = EchoScorer(client, CONTEXT)
    echo.prepare()
    # Without line breaks: a prefix that ends between two of them is tokenised differently.
    words = own_text().split()
    pairs = []
    # The published method asks once for each position, with everything before it: four short
    # texts cost a quarter of a long one.
    for text in (" ".join(words[start : start + 36]) for start in range(0, 144, 36)):
        pieces = [str(entry[0]) for entry in echo._ask(text)["tokens"]]
        assert "".join(pieces) == text
        pairs.append((echo.score(text), NextTokenScorer(client, CONTEXT, pieces).score(text)))
    logp, in_top = (
        [np.concatenate([getattr(pair[side], name) for pair in pairs]) for side in (0, 1)]
        for name in ("logp", "in_top")
    )
    assert len(logp[0]) == len(logp[1]) >= 200
    both = in_top[0] & in_top[1]
    assert both.sum() > 100
    differences = np.abs(logp[0] - logp[1])[both]
    shares = [np.where(i, np.exp(p), 0.0).mean() for p, i in zip(logp, in_top, strict=True)]
    print(
        f"T1: {len(both)} positions, {both.sum()} in the top 10 of both,"
        f" largest |Δ log p| {differences.max():.5f}, familiarity {shares[0]:.5f} {shares[1]:.5f}"
    )
    assert differences.max() <= 0.02
    assert abs(shares[0] - shares[1]) <= 0.01


def test_known_texts_before_new_ones_before_noise(url: str, connect: Connect) -> None:
    """T2: licence, Genesis and the fox, then our own text, then its words in random order."""
    scorer = EchoScorer(connect(url, jobs=1), CONTEXT)
    scorer.prepare()
    words = own_text().split()
    random.Random(0).shuffle(words)
    licence = (HOME / "LICENSE").read_text("utf-8")[-900:]
    known = {n: familiarity(t, scorer) for n, t in [("licence", licence), ("genesis", GENESIS)]}
    known["fox"] = familiarity(FOX, scorer)
    new, noise = familiarity(own_text(), scorer), familiarity(" ".join(words), scorer)
    print(f"T2: {known}, our own text {new:.4f}, shuffled words {noise:.4f}")
    assert min(known.values()) >= new + 0.05
    assert new >= noise + 0.05


def test_a_text_in_the_prompt_is_known(url: str, connect: Connect) -> None:
    """T3: memory in the context raises familiarity; Min-K% separates 20 from 20 texts."""
    scorer = EchoScorer(connect(url, jobs=1), CONTEXT)
    scorer.prepare()
    texts = [passage(text) for _, text in decoys()]
    assert len(set(texts)) == 20
    fresh = [scorer.score(text) for text in texts]
    planted = [scorer.score(text, after=f"{text}\n\n") for text in texts]
    rise = np.mean([mean_share(s) for s in planted]) - np.mean([mean_share(s) for s in fresh])
    scores = [min_k(s.logp) for s in (*fresh, *planted)]
    area = roc_auc_score([0] * 20 + [1] * 20, scores)
    print(f"T3: familiarity rises by {rise:.4f}, AUC of Min-K% {area:.4f}")
    assert rise >= 0.2
    assert area >= 0.95


def passage(text: str) -> str:
    """A part that differs between the control texts: the form of a submission and the score."""
    return re.sub(r"\s+", " ", " ".join(text.split("\n\n")[2:4]))


def mean_share(scores: TextScores) -> float:
    return float(np.where(scores.in_top, np.exp(scores.logp), 0.0).mean())


def test_the_same_figures_twice_and_in_a_replay(url: str, connect: Connect, tmp_path: Path) -> None:
    """T4 and T5: another recording agrees to 1e-6, and a replay exactly, without a model."""
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    document = Document("c", "d", "own", own_text(500))
    found = []
    for file in files:
        scorer = EchoScorer(connect(url, file=file), CONTEXT)
        note = scorer.prepare()
        found.append(score_document(document, scorer))
    assert found[0].mean_logp == pytest.approx(found[1].mean_logp, abs=1e-6)
    assert found[0].familiarity == pytest.approx(found[1].familiarity, abs=1e-6)
    scorer = EchoScorer(ModelClient(AnswerLog.replay(files[0])), CONTEXT)
    assert scorer.prepare() == note
    assert score_document(document, scorer) == found[0]


def test_a_server_that_shifts_its_values(
    url: str, model_file: str, start: Start, connect: Connect
) -> None:
    """llama-cpp-python's server needs a begin mark before the text to return the right values."""
    options = ["--model", model_file, "--n_ctx", "512", "--logits_all", "true"]
    other = start("-m", "llama_cpp.server", "--host", "127.0.0.1", *options)
    scorer = EchoScorer(connect(other, jobs=1), 512)
    assert "after the mark <|im_start|>" in scorer.prepare()
    found = scorer.score(FOX)
    ours = EchoScorer(connect(url, jobs=1), 512)
    ours._mark = "<|im_start|>"
    expected = ours.score(FOX)
    print(f"llama_cpp.server: {found.logp.mean():.5f}, ours {expected.logp.mean():.5f}")
    assert found.logp == pytest.approx(expected.logp, abs=0.02)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mlebench.contamination.scoring.MARKS", ("",))
        with pytest.raises(DataError, match="do not belong to the tokens"):
            EchoScorer(connect(other, jobs=1), 512).prepare()
