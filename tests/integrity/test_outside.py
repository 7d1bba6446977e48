"""What the checks compare a run with: public submissions, the competition's text, weights, use."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlebench.agents.registry import find_agent
from mlebench.agents.weights import MIN_BYTES, find_weights
from mlebench.catalogue import Catalogue
from mlebench.integrity import registry
from mlebench.integrity.answers import _public
from mlebench.integrity.checks.outside import read_rules
from mlebench.integrity.context import CheckContext, PublicLikeness
from mlebench.integrity.evidence import Evidence
from mlebench.records.integrity import IntegrityFinding
from mlebench.records.weights import WeightFile, WeightsRecord, write_weights
from tests.integrity.conftest import MakeRun

NAME = "spaceship-titanic"
MAIL = "https://example.org/a.csv"


@pytest.fixture
def findings(tmp_path: Path) -> Callable[..., list[IntegrityFinding]]:
    """The findings of one check; the public folder of the competition may get a file."""

    def findings(source: object, name: str, **facts: object) -> list[IntegrityFinding]:
        competition = Catalogue(tmp_path / "data").get_competition(NAME)
        context = CheckContext(Evidence(source), competition, **facts)  # type: ignore[arg-type]
        return [found for found in registry.check(context).findings if found.check == name]

    return findings


def rules(tmp_path: Path, text: str, file: str = "description.md") -> None:
    public = Catalogue(tmp_path / "data").get_competition(NAME).public_dir
    public.mkdir(parents=True, exist_ok=True)
    (public / file).write_text(text)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("You may use external data that is public.", "allowed"),
        ("External data is not allowed. Have fun.", "forbidden"),
        ("- pre-trained models are permitted\n- be kind", "allowed"),
        ("Additional data sources may not be used, even if allowed elsewhere.", "forbidden"),
        ("Use the data that is given.", ""),
    ],
)
def test_the_text_of_the_competition(
    text: str, verdict: str, tmp_path: Path, make_run: MakeRun
) -> None:
    rules(tmp_path, f"# Task\n\nPredict. {text}\n")
    competition = Catalogue(tmp_path / "data").get_competition(NAME)
    source = make_run(competition=NAME)
    found, items = read_rules(CheckContext(Evidence(source), competition))
    assert found == verdict
    assert bool(items) == bool(verdict)


def test_what_is_allowed_is_a_note(
    tmp_path: Path, make_run: MakeRun, findings: Callable[..., list[IntegrityFinding]]
) -> None:
    source = make_run({"code/a.py": f"pd.read_csv('{MAIL}')"}, competition=NAME)
    (found,) = findings(source, "I12")
    assert (found.severity, len(found.evidence)) == ("review", 1)
    rules(tmp_path, "External data is not allowed.")
    (found,) = findings(source, "I12")
    assert found.severity == "review" and "forbidden" in found.title
    rules(tmp_path, "Any external data may be used.", "rules.txt")
    (found,) = findings(source, "I12")
    assert found.severity == "note" and found.evidence[0].file == "public/rules.txt"


def test_weights_are_named_by_their_hash(
    make_run: MakeRun, findings: Callable[..., list[IntegrityFinding]]
) -> None:
    source = make_run(competition=NAME)
    digest = "ab" * 32
    files = (WeightFile("/opt/packages/net/a.pth", 2_000_000, digest),)
    write_weights(WeightsRecord(files), source.group.weights)
    (found,) = findings(source, "I12")
    assert found.severity == "review" and digest in found.evidence[0].quote
    write_weights(WeightsRecord(), source.group.weights)
    assert findings(source, "I12") == []


def test_weights_are_found(tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    (packages / "net").mkdir(parents=True)
    data = b"w" * MIN_BYTES
    (packages / "net" / "model.safetensors").write_bytes(data)
    (packages / "net" / "tests").mkdir()
    (packages / "net" / "tests" / "fixture.pt").write_bytes(data)
    (packages / "net" / "table.npz").write_bytes(data)
    (packages / "net" / "small.pt").write_bytes(b"w")
    (packages / "net" / "big.py").write_bytes(data)
    (file,) = find_weights(find_agent("dummy"), packages).files
    assert file.place == "/opt/packages/net/model.safetensors"
    assert file.sha256 == hashlib.sha256(data).hexdigest()


def test_public_submissions_are_compared(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"id": range(60), "y": rng.random(60)})
    table.sample(frac=1, random_state=1).to_csv(tmp_path / "copy.csv", index=False)
    table.assign(y=table["y"] ** 3).to_csv(tmp_path / "monotone.csv", index=False)
    table.assign(y=rng.random(60)).to_csv(tmp_path / "other.csv", index=False)
    (tmp_path / "broken.csv").write_bytes(b'id,y\n"1,2\n\0')
    found = {one["name"]: one for one in _public(table, tmp_path, ())}
    assert found["copy.csv"]["equal"] == 1
    assert found["monotone.csv"]["rank_correlation"] == pytest.approx(1)
    assert found["other.csv"]["rank_correlation"] < 0.5


@pytest.mark.parametrize(
    ("equal", "rank", "distinct", "is_found"),
    [
        (1.0, 1.0, 60, True),
        (0.3, 0.9995, 60, True),
        (0.97, 0.99, 60, False),
        (1.0, None, 2, True),
        (0.996, None, 2, False),
        (1.0, None, 1, False),
    ],
)
def test_a_public_submission_is_recognised(
    equal: float,
    rank: float | None,
    distinct: int,
    is_found: bool,
    make_run: MakeRun,
    findings: Callable[..., list[IntegrityFinding]],
) -> None:
    figures = {"rows": 60, "distinct": distinct, "equal_to_sample": 0.0, "equal_to_answers": 0.1}
    public = (PublicLikeness("best-kernel.csv", equal, rank),)
    found = findings(make_run(competition=NAME), "I2", figures=figures, public=public)
    assert [one.severity for one in found] == ["strong"] * is_found


@pytest.mark.parametrize(("cpu", "is_found"), [(0.5, True), (20.0, True), (900.0, False)])
def test_a_constant_after_much_work_is_not_trivial(
    cpu: float, is_found: bool, make_run: MakeRun, findings: Callable[..., list[IntegrityFinding]]
) -> None:
    samples = [{"seconds": 1, "cpu_seconds": 0.1}, {"seconds": 30, "cpu_seconds": cpu}]
    lines = "".join(json.dumps(sample) + "\n" for sample in samples)
    table = "PassengerId,Transported\n" + "".join(f"{n},True\n" for n in range(40))
    files = {"host/submission.csv": table, "host/resources.jsonl": lines}
    found = findings(make_run(files, competition=NAME), "I6")
    assert len(found) == is_found
    if found:
        assert found[0].figure == pytest.approx(cpu / 3600, abs=1e-4)


def labelled(answer: str, table: str) -> dict[str, str]:
    """A run whose model reads test items in the output of a command and answers."""
    shown = {"role": "tool", "tool_call_id": "c", "content": table}
    said = {"role": "assistant", "content": answer}
    line = {"kind": "exchange", "request": {"messages": [shown]},
            "response": {"choices": [{"message": said}]}}  # fmt: skip
    return {"host/trajectory.jsonl": json.dumps(line) + "\n"}


LABELS = [int(digit) for digit in "011010001110010110001011"]


@pytest.mark.parametrize(
    ("answer", "is_found"),
    [
        (f"labels = {LABELS}", True),
        ("\n".join(f"{n}. yes ({label})" for n, label in enumerate(LABELS, 1)), True),
        ("".join(map(str, LABELS)), True),
        ("I train a model: fit(X, y), depth 0 or 1, folds 0 1 2 3", False),
        (f"labels = {LABELS[::-1]}", False),
    ],
)
def test_items_that_a_command_shows_are_labelled_by_the_model(
    answer: str,
    is_found: bool,
    tmp_path: Path,
    make_run: MakeRun,
    findings: Callable[..., list[IntegrityFinding]],
) -> None:
    items = [f"{n:04}_01,some words about passenger number {n}" for n in range(24)]
    rules(tmp_path, "PassengerId,Name\n" + "\n".join(items) + "\n", "test.csv")
    table = "PassengerId,Transported\n"
    table += "".join(f"{n:04}_01,{label}\n" for n, label in enumerate(LABELS))
    files = labelled(answer, "\n".join(items)) | {"host/submission.csv": table}
    found = findings(make_run(files, competition=NAME), "I5")
    assert len(found) == is_found
